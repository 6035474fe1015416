"""Measures the server as a process, beside a bare pygls: the figures of docs/editors.md.

    python -m tests.lsp.measure_server

Not a test: a busy machine would fail it, and `test_staying_responsive.py` holds what must hold anywhere.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.lsp.talk import ROOT

BARE = "from pygls.lsp.server import LanguageServer\nLanguageServer('bare', '1').start_io()\n"
OURS = ["-m", "ttsr_ls", "serve"]
MANY = 1_000
URI = "file:///measured/.omp/rules/a.md"
PULLING: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {"textDocument": {"diagnostic": {}}}}

CONDITIONS = "".join(
    f"  - '(?i)\\b(word{number}|other{number})\\s+[a-z]{{2,5}}(?:foo|ba[rz])+(?!_x)'\n" for number in range(25)
)
SHORT_RULE = "---\ncondition: 'as any;'\nscope: tool:edit(*.ts)\n---\nDo not.\n"
RULE = f"---\ncondition:\n{CONDITIONS}scope: tool:edit(*.{{ts,tsx}}), text\n---\n" + "Do something else.\n" * 170


SAMPLE = ("export const price = read(input); // nothing to find in this line\n" * 80)[:4_950] + "\nconst x: any = y;\n"


class Wire:
    """A server's process, its input and its output."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._last = 0
        self._received: SimpleQueue[dict[str, Any]] = SimpleQueue()
        # As an editor does: who reads only when it waits for an answer blocks a server that has much to tell.
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, method: str, params: object, **more: object) -> None:
        """Sends a message."""
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def ask(self, method: str, params: object) -> Any:
        """Sends a request and waits for its answer."""
        self._last += 1
        self.send(method, params, id=self._last)
        while (message := self._received.get()).get("id") != self._last:
            pass
        return message["result"]

    def published(self, wanted: set[tuple[str, int]]) -> None:
        """Waits until diagnostics of all these versions of documents came."""
        while wanted:
            message = self._received.get()
            if message.get("method") == "textDocument/publishDiagnostics":
                wanted.discard((message["params"]["uri"], message["params"].get("version")))

    def _read(self) -> None:
        assert self.process.stdout is not None
        length = 0
        for line in self.process.stdout:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif not line.strip():
                self._received.put(json.loads(self.process.stdout.read(length)))


def main() -> None:
    """Measures and prints."""
    starts = [(_start(OURS), _start(["-c", BARE])) for _ in range(7)]
    ours, bare = (statistics.median(times) for times in zip(*starts, strict=True))
    print(f"initialize after the start: {ours:.0f} ms, {ours / bare:.2f} times bare pygls")
    with _server(OURS) as wire:
        wire.ask("initialize", PULLING)
        wire.send("initialized", {})
        document = {"textDocument": {"uri": URI}}
        wire.ask("textDocument/hover", {**document, "position": {"line": 0, "character": 0}})
        for path in sorted((ROOT / "rules").glob("*.md")):
            _report(f"opening {path.name}", [_open(wire, f"{URI}/{path.name}", path.read_text())])
        _report(f"opening a rule of {len(RULE)} characters", [_open(wire, URI, RULE)])
        _report("a keystroke in it", [_change(wire, number) for number in range(60)])
        hover = {**document, "position": {"line": 9, "character": 14}}
        _report("hover in it", [_timed(lambda: wire.ask("textDocument/hover", hover)) for _ in range(60)])
        for path in sorted((ROOT / "rules").glob("*.md")):
            tried = [_try(wire, path, number) for number in range(60)]
            _report(f"a keystroke in a playground of {path.name} with {len(SAMPLE)} characters", tried[2:])
        _many_rules()
        status = Path(f"/proc/{wire.process.pid}/status")
        if status.exists():
            print(f"memory: {status.read_text().split('VmRSS:')[1].split()[0]} kB")


def _many_rules() -> None:
    """An edit of one of many open rules, right after a change on the disk for which all are checked anew."""
    with tempfile.TemporaryDirectory() as home, _server(OURS) as wire:
        rules = Path(home, "shop", ".omp", "rules")
        rules.mkdir(parents=True)
        paths = [rules / f"r{number}.md" for number in range(MANY)]
        wire.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        wire.send("initialized", {})
        for path in paths:
            path.write_text(SHORT_RULE)
            item = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": SHORT_RULE}
            wire.send("textDocument/didOpen", {"textDocument": item})
        wire.published({(path.as_uri(), 1) for path in paths})
        _report(f"a keystroke among {MANY} rules", [_edit(wire, paths[0].as_uri(), number) for number in range(2, 62)])
        wire.send("workspace/didChangeWatchedFiles", {"changes": [{"uri": paths[0].as_uri(), "type": 2}]})
        edited = {"uri": paths[-1].as_uri(), "version": 2}
        wire.send(
            "textDocument/didChange", {"textDocument": edited, "contentChanges": [{"text": f"{SHORT_RULE}more\n"}]}
        )
        _report(f"an edit with {MANY} rules to check", [_timed(lambda: wire.published({(paths[-1].as_uri(), 2)}))])


def _edit(wire: Wire, uri: str, version: int) -> float:
    text = f"{SHORT_RULE}{version}\n"
    edited = {"uri": uri, "version": version}
    wire.send("textDocument/didChange", {"textDocument": edited, "contentChanges": [{"text": text}]})
    return _timed(lambda: wire.published({(uri, version)}))


def _try(wire: Wire, rule: Path, number: int) -> float:
    params = {"text": f"{SAMPLE}{number}", "rule": {"uri": rule.as_uri(), "text": rule.read_text()}}
    return _timed(lambda: wire.ask("ttsr/testText", params))


def _start(arguments: list[str]) -> float:
    began = time.perf_counter()
    with _server(arguments) as wire:
        wire.ask("initialize", PULLING)
        return (time.perf_counter() - began) * 1000


def _open(wire: Wire, uri: str, text: str) -> float:
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    wire.send("textDocument/didOpen", {"textDocument": item})
    return _timed(lambda: wire.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}))


def _change(wire: Wire, number: int) -> float:
    text = RULE.replace("word3", f"word3{number}", 1) if number % 2 else RULE.replace("else", f"else {number}", 1)
    identifier = {"uri": URI, "version": number + 2}
    wire.send("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})
    return _timed(lambda: wire.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}}))


def _timed(action: Any) -> float:
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def _report(what: str, times: list[float]) -> None:
    ordered = sorted(times)
    late = f", 95th percentile {ordered[int(0.95 * len(ordered))]:.1f} ms" if len(ordered) > 1 else ""
    print(f"{what}: {statistics.median(ordered):.1f} ms{late}")


@contextmanager
def _server(arguments: list[str]) -> Iterator[Wire]:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": home, "XDG_STATE_HOME": home}
        pipe = subprocess.PIPE
        process = subprocess.Popen([sys.executable, *arguments], stdin=pipe, stdout=pipe, env=environment)
        try:
            yield Wire(process)
        finally:
            process.kill()
            process.communicate()


if __name__ == "__main__":
    main()
