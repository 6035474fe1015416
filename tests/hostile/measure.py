"""Measures what every command and every request of the language server costs on each pathological case.

`nice python -m tests.hostile.measure [--only TEXT] [--every N] [--from N] [--to N] [--commands TEXT,…] [--out FILE]`.
Each command runs in a process forked off one that has imported everything, so start-up does not count; its processor
time is measured, with that of the processes that it started. The status is 1 where one took longer than a second, or
raised.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.hostile.command_lines import CommandLine, command_lines
from tests.hostile.hostile_cases import PROJECT, Case, cases, write
from tests.hostile.served_clients import PORT, edited
from tests.hostile.server_requests import COUNTED, ask
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.main import COMMANDS, main

ALSO_IMPORTED = (
    "aiohttp", "ttsr_ls.bridge.mcp.server", "ttsr_ls.cli.agent.agent_run", "ttsr_ls.bridge.model.client",
    "ttsr_ls.cli.run.run_controlled", "ttsr_ls.cli.acp.run_relay", "ttsr_ls.bridge.proxy.serving.server",
    "ttsr_ls.cli.proxy.notice_text", "ttsr_ls.cli.hooks.serving", "ttsr_ls.cli.install.run_doctor",
)  # fmt: skip
"""What commands import when they need it; a start-up does not count."""
NEVER_REFUSED = {
    "agent", "agent that goes on", "mcp", "mcp that goes on", "demo", "schema", "watch", "watch reference", "run",
    "acp", "proxy", "hooks serve", "doctor",
}  # fmt: skip
"""The commands that work whatever the pattern is: those that refuse it do not measure anything."""
MAX_LENGTH = 1.0
"""How much processor time, in seconds, a command or a request may take."""
GIVEN_UP = 20
"""After how much of it, in seconds, it is ended."""
WAITED_FOR = 120
"""After how many seconds by the clock a process is ended that hangs."""
MEASURED_AGAIN = (0.7, 1.5)
"""A time between these, in seconds, is measured three times; the least counts, as a busy machine adds to it."""


def forked(folder: Path, work: Callable[[], object], stdin: str = os.devnull) -> tuple[float, int, str]:
    """Runs `work` in a process of its own, with the file `stdin` as standard input.

    Returns its processor time, its status, and what it printed as errors.
    """
    printed = folder.parent / "printed"
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (GIVEN_UP, GIVEN_UP + 1))
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        signal.alarm(WAITED_FOR)
        os.chdir(folder)
        os.environ |= {"HOME": str(folder.parent / "home"), "XDG_STATE_HOME": str(folder.parent / "state")}
        output = os.open(os.devnull, os.O_WRONLY)
        errors = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(stdin, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        status = 70
        try:
            status = int(work() or 0)  # type: ignore[call-overload]
            sys.stdout.flush()
        except BaseException as error:
            os.write(2, f"Traceback: {error!r}\n".encode())
        os._exit(status & 0xFF)
    _, status, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, status, printed.read_text(errors="replace")


def measured(case: Case, wanted: str, models: str) -> dict[str, tuple[float, str]]:
    """What each command and request costs on a case, and what went wrong. `models` is the URL of the model server."""
    found: dict[str, tuple[float, str]] = {}
    for name in command_lines(case, Path(), models):
        if any(text in name for text in wanted.split(",")):
            found[name] = _least(partial(_command, case, name, models))
    if any(text in "server" for text in wanted.split(",")):
        first = _server(case)
        unclear = [name for name, (took, _) in first.items() if MEASURED_AGAIN[0] < took < MEASURED_AGAIN[1]]
        for again in [_server(case) for _ in range(2)] if unclear else []:
            first |= {name: min(first[name], again[name]) for name in unclear if name in again}
        found |= first
    return found


def _least(measure: Callable[[], tuple[float, str]]) -> tuple[float, str]:
    first = measure()
    if first[1] or not MEASURED_AGAIN[0] < first[0] < MEASURED_AGAIN[1]:
        return first
    return min(first, measure(), measure())


def _command(case: Case, name: str, models: str) -> tuple[float, str]:
    with tempfile.TemporaryDirectory(prefix="hostile") as made:
        folder = Path(made) / PROJECT
        write(case, folder)
        line = command_lines(case, folder, models)[name]
        took, status, errors = forked(folder, lambda: _run_line(line, folder), line.stdin or os.devnull)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == ExitCode.USAGE and name in NEVER_REFUSED and case.pattern:
        return took, f"refused: {errors.strip()[:200]}"
    return took, _wrong(status, errors)


def _run_line(line: CommandLine, folder: Path) -> int:
    """Runs a command in this process."""
    if line.is_edited:
        return edited(Path(line.stdin or os.devnull).read_bytes(), lambda: main(line.arguments))
    if line.client is None:
        return main(line.arguments)
    return line.client.asks(folder, lambda port: main([word.replace(PORT, port) for word in line.arguments]))


def _server(case: Case) -> dict[str, tuple[float, str]]:
    with tempfile.TemporaryDirectory(prefix="hostile") as made:
        folder = Path(made) / PROJECT
        write(case, folder)
        report = Path(made) / "report"
        took, status, errors = forked(folder, lambda: _served(case, folder, report))
        wrong = _wrong(status, errors)
        if wrong or not report.exists():
            return {"server": (took, wrong or "no report")}
        return {name: (seconds, "") for name, seconds in json.loads(report.read_text()).items()}


def _served(case: Case, folder: Path, report: Path) -> int:
    report.write_text(json.dumps(asyncio.run(ask(folder, case)).took))
    os._exit(0)  # Threads of the server do not count any more.


def _wrong(status: int, errors: str) -> str:
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    lines = errors.strip().splitlines()
    return next(
        (
            f"raised: {lines[-1][:200]} / {lines[-2][:200] if len(lines) > 1 else ''}"
            for line in lines
            if "Traceback" in line
        ),
        "",
    )


def run(args: argparse.Namespace) -> int:
    """Measures all cases."""
    with model_server() as models:
        return _run(args, models)


@contextmanager
def model_server() -> Iterator[str]:
    """A process with the models that `agent` asks; its URL."""
    command = [sys.executable, str(Path(__file__).with_name("model_server.py"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.terminate()


def _run(args: argparse.Namespace, models: str) -> int:
    for command in COMMANDS:
        importlib.import_module(command.module)
    import regex

    regex.compile("a").search("b")
    for module in (*COUNTED, *ALSO_IMPORTED):
        importlib.import_module(module)
    chosen_cases = [case for case in cases() if args.only in case.name][args.start : args.end : args.every]
    gc.freeze()
    worst: dict[str, tuple[float, str]] = {}
    bad = 0
    with open(args.out, "a") as out:  # noqa: PTH123
        for number, case in enumerate(chosen_cases):
            began = time.monotonic()
            for name, (took, wrong) in measured(case, args.commands, models).items():
                out.write(json.dumps([case.name, name, round(took, 3), wrong]) + "\n")
                if took > worst.get(name, (-1.0, ""))[0]:
                    worst[name] = (took, case.name)
                if took > MAX_LENGTH or wrong:
                    bad += 1
                    print(f"{took:6.2f} s  {name}: {case.name}  {wrong}", flush=True)
            out.flush()
            if args.verbose:
                print(f"{number}/{len(chosen_cases)} {case.name} {time.monotonic() - began:.1f}", flush=True)
    print(f"{len(chosen_cases)} cases; {bad} measurements over {MAX_LENGTH:g} s or with an error. The worst:")
    for name, (took, case_name) in sorted(worst.items(), key=lambda item: -item[1][0]):
        print(f"{took:6.2f} s  {name}: {case_name}")
    return bad > 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", dest="start", type=int, default=0)
    parser.add_argument("--to", dest="end", type=int)
    parser.add_argument("--commands", default="")
    parser.add_argument("--out", default=os.devnull)
    parser.add_argument("--verbose", action="store_true")
    sys.exit(run(parser.parse_args()))
