"""`python -m benchmarks.hook_server`: how long an agent waits for a hook, at the real `ttsr-ls hooks serve`.

The server runs in a scratch home, for a project with 100 generated conditions (`conditions`), of which none fires, and
for one with 100 real ones (`real_conditions`), of which some fire. It is asked about a `Write` of 20 KB of real code
before the tool runs, as Claude Code asks over HTTP, on a new connection for each call and on one that is kept. The thin
client of the other agents is measured with its start, alternately with `sh -c true`, which it cannot undercut, and with
`curl` with the same call to a server that does nothing. All figures are elapsed time at the caller.

Where it is permitted (to root), this program and the server run with real-time priority, as other programs on the
machine would be measured instead. `--no-realtime` leaves that out.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from benchmarks.conditions import conditions
from benchmarks.real_conditions import real_conditions
from benchmarks.real_texts import real_text

RULES = 100
WRITTEN = 20_000
"""The size of the written code, in characters."""
_MAX_P99 = 3.0
_MAX_CLIENT = 10.0
_PRIORITY = 10
_WARMING = 50
_PAUSE = 0.001
"""The pause after each call, in seconds: Linux stops a real-time program for 50 ms in a second that it takes whole."""


def main() -> None:
    """Measures, and prints a table in milliseconds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hook_server", description=__doc__)
    parser.add_argument("--calls", type=int, default=1000, help="calls of each kind (default: 1000)")
    parser.add_argument("--starts", type=int, default=100, help="starts of the client (default: 100)")
    parser.add_argument("--no-realtime", action="store_true", help="run with the usual priority")
    arguments = parser.parse_args()
    is_realtime = not arguments.no_realtime and _take_realtime_priority()
    priority = "real-time priority" if is_realtime else "usual priority"
    print(f"{RULES} rules, a Write of {WRITTEN} characters of Python, {priority}; elapsed time in ms\n")
    print("| | calls | p50 | p99 | greatest | limit |")
    print("| --- |" + " ---: |" * 4 + " --- |")
    with tempfile.TemporaryDirectory(prefix="ttsr-bench-") as folder:
        home = Path(folder)
        generated = _make_project(home / "generated", conditions(RULES))
        real = _make_project(home / "real", real_conditions(RULES, rare=True))
        environ = {**os.environ, "HOME": folder, "XDG_STATE_HOME": str(home / "state"), "NO_COLOR": "1"}
        _ours(environ, "install", "codex")
        with _served(environ):
            stored = json.loads((home / "state" / "ttsr-ls" / "hooks" / "server.json").read_text())
            server = _Server(stored["port"], stored["token"])
            for kind, project in (("generated", generated), ("real", real)):
                calls = _calls(project, "Write")
                for is_kept in (False, True):
                    name = f"{kind} conditions, {'one connection' if is_kept else 'new connections'}"
                    times, denied = server.measure(calls, arguments.calls, is_kept)
                    print(_row(name, times, p99=_MAX_P99))
                    if len(denied) > 1:
                        print(_row("of these, denied calls", denied))
            script = str(home / "state" / "ttsr-ls" / "hooks" / "ttsr-hook")
            for tool in ("Write", "Bash"):
                for name, times in _starts(script, _calls(generated, tool), environ, arguments.starts).items():
                    print(_row(f"{tool}: {name}", times, p50=_MAX_CLIENT if name.startswith("client") else None))


def _take_realtime_priority() -> bool:
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
    except (AttributeError, OSError):
        return False
    return True


def _make_project(project: Path, conditions: Sequence[str]) -> Path:
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    for number, condition in enumerate(conditions):
        text = f"---\ncondition: {json.dumps(condition)}\n---\nDo it in another way, number {number}.\n"
        (rules / f"rule-{number}.md").write_text(text, encoding="utf-8")
    return project


def _ours(environ: dict[str, str], *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ttsr_ls", *arguments], env=environ, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _served(environ: dict[str, str]) -> Iterator[None]:
    command = [sys.executable, "-m", "ttsr_ls", "hooks", "serve"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            if b"Serving" not in process.stdout.readline():
                raise SystemExit("the hook server did not start")
            # Its messages must not fill the pipe.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield
        finally:
            process.terminate()


def _calls(project: Path, tool: str) -> Iterator[bytes]:
    """The calls of a tool in a session without end, each with other code or another command."""
    text = real_text("python") + real_text("python", 1)
    for number in count():
        start = number * 997 % (len(text) - WRITTEN)
        path = str(project / f"module_{number}.py")
        written = {"file_path": path, "content": text[start : start + WRITTEN]}
        call = {
            "session_id": f"{project.name}-{tool}",
            "transcript_path": str(project.parent / ".claude" / "projects" / "p" / f"{project.name}.jsonl"),
            "cwd": str(project),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": written if tool == "Write" else {"command": f"git log -n {number} -- {path}"},
            "tool_use_id": f"toolu_{number:024}",
        }
        yield json.dumps(call).encode()


class _Server:
    """Asks the hook server, as Claude Code does."""

    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def measure(self, calls: Iterator[bytes], number: int, is_kept: bool) -> tuple[list[float], list[float]]:
        """The seconds of each call without the first ones, and those of the denied calls."""
        times: list[float] = []
        denied: list[float] = []
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        for body in (next(calls) for _ in range(_WARMING + number)):
            started = time.perf_counter()
            connection.request("POST", "/claude", body, self._headers)
            response = connection.getresponse()
            answer = response.read()
            if not is_kept:
                connection.close()
            times.append(time.perf_counter() - started)
            if response.status != 200:
                raise SystemExit(f"the hook server answered {response.status}: {answer[:200]!r}")
            if b'"deny"' in answer and len(times) > _WARMING:
                denied.append(times[-1])
            self._end_call(body, connection)
            time.sleep(_PAUSE)
        connection.close()
        return times[_WARMING:], denied

    def _end_call(self, body: bytes, connection: http.client.HTTPConnection) -> None:
        """Tells the server that the tool ran, which is not measured."""
        call = json.loads(body) | {"hook_event_name": "PostToolUse", "tool_response": {"success": True}}
        connection.request("POST", "/claude", json.dumps(call).encode(), self._headers)
        connection.getresponse().read()


class _Nothing(socketserver.BaseRequestHandler):
    """Answers every request with an empty object."""

    def handle(self) -> None:
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.request.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += self.request.recv(65536)
        self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")


def _starts(script: str, calls: Iterator[bytes], environ: Mapping[str, str], number: int) -> dict[str, list[float]]:
    """The seconds of each process by its name, alternately."""
    curl = shutil.which("curl")
    if curl is None:
        raise SystemExit("there is no curl on the PATH")
    nothing = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Nothing)
    nothing.daemon_threads = True
    threading.Thread(target=nothing.serve_forever, args=(0.1,), daemon=True).start()
    url = f"http://127.0.0.1:{nothing.server_address[1]}/codex"
    bare = [curl, "--silent", "--noproxy", "*", "--data-binary", "@-", url]
    commands = {"client": [script, "codex"], "`sh -c true`": ["/bin/sh", "-c", "true"], "bare curl": bare}
    times: dict[str, list[float]] = {name: [] for name in commands}
    try:
        _seconds([script, "codex"], next(calls), environ)  # This opens the session.
        for _ in range(number):
            body = next(calls)
            for name, command in commands.items():
                times[name].append(_seconds(command, body, environ))
    finally:
        nothing.shutdown()
        nothing.server_close()
    return times


def _seconds(command: Sequence[str], body: bytes, environ: Mapping[str, str]) -> float:
    with tempfile.TemporaryFile() as given:
        given.write(body)
        given.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL, env=environ)
        status = process.wait()
        taken = time.perf_counter() - started
    time.sleep(_PAUSE)
    if status:
        raise SystemExit(f"{command[0]} ended with the status {status}")
    return taken


def _row(name: str, times: list[float], *, p50: float | None = None, p99: float | None = None) -> str:
    cuts = statistics.quantiles((1000 * each for each in times), n=100, method="inclusive")
    verdict = ""
    for label, limit, found in (("p50", p50, cuts[49]), ("p99", p99, cuts[98])):
        if limit is not None:
            verdict = f"{label} {limit:.0f} {'kept' if found < limit else 'BROKEN'}"
    return f"| {name} | {len(times)} | {cuts[49]:.2f} | {cuts[98]:.2f} | {1000 * max(times):.2f} | {verdict} |"


if __name__ == "__main__":
    main()
