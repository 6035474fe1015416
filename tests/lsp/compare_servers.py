"""Measures the server beside those of ruff and ast-grep, in one run: the comparison in docs/performance.md.

    python -m tests.lsp.compare_servers [--ruff PROGRAM] [--ast-grep PROGRAM]

The programs are found on the PATH by default; one that is not there is left out. Each server has a file of its own kind
open, with as many characters and findings as the others:

- ttsr-ls a rule with 25 conditions, each of which is examined as a regular expression and warned of;
- ruff a Python module with 25 unused imports, checked by its default rules;
- ast-grep a TypeScript file with 25 calls, each of which is forbidden by one of 25 rules.

The servers take turns at each keystroke, so that what else the machine does affects all of them. Whole texts are sent,
and diagnostics are pushed.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from tests.lsp.measure_server import BARE, OURS, PUSHED, RULE, edited
from tests.lsp.measured_server import MeasuredServer, running, shown, timed

FINDINGS = 25
KEYSTROKES = 100
STARTS = 9
_FIRST_KEYSTROKES = 10
"""Not counted: programs become fast only then."""

_MODULE = "".join(f"import module{number}\n" for number in range(FINDINGS)) + "\n\n"
_FUNCTION = 'def function{}(value: int) -> int:\n    """Adds one."""\n    return value + 1\n\n\n'
_CALLS = "".join(f"forbidden{number}(value);\n" for number in range(FINDINGS))
_STATEMENT = "export const result{} = value.map((each) => each + 1);\n"
_SG_RULE = """id: no-forbidden{0}
language: typescript
severity: warning
message: Do not call this.
rule:
  pattern: forbidden{0}($$$)
"""


class ComparedServer(Struct, frozen=True):
    """A server, and the file that it has open. `text` gives the text after so many keystrokes."""

    name: str
    command: Sequence[str]
    file: str
    language: str
    text: Callable[[int], str]
    files: dict[str, str]
    """Other files of its project."""


def compared_servers(ruff: str | None, ast_grep: str | None) -> list[ComparedServer]:
    """Our server, and those of which there is a program."""
    servers = [ComparedServer("ttsr-ls", OURS, ".omp/rules/a.md", "markdown", edited, {})]
    if ruff is not None:
        servers.append(ComparedServer("ruff", [ruff, "server"], "a.py", "python", _module, {}))
    if ast_grep is not None:
        rules = {f"rules/r{number}.yml": _SG_RULE.format(number) for number in range(FINDINGS)}
        files = {"sgconfig.yml": "ruleDirs: [rules]\n", **rules}
        servers.append(ComparedServer("ast-grep", [ast_grep, "lsp"], "a.ts", "typescript", _script, files))
    return servers


def _module(number: int) -> str:
    return _edited(_filled(_MODULE, _FUNCTION), number, "module3\n", "Adds one")


def _script(number: int) -> str:
    return _edited(_filled(_CALLS, _STATEMENT), number, "forbidden3(value", "export const result")


def _filled(text: str, part: str) -> str:
    """`text` with so many parts that it is as long as the rule."""
    number = 0
    while len(text) + len(part) <= len(RULE):
        text += part.format(number)
        number += 1
    return text + "\n" * (len(RULE) - len(text))


def _edited(text: str, number: int, found: str, other: str) -> str:
    """The text after a keystroke: every second one where a finding is, the others elsewhere."""
    where = found if number % 2 else other
    return text.replace(where, f"{where.rstrip()}{number}{where[len(where.rstrip()) :]}", 1)


class _Session:
    """An open project of one server."""

    def __init__(self, compared: ComparedServer, server: MeasuredServer, folder: Path) -> None:
        self._compared = compared
        self._server = server
        self._uri = (folder / compared.file).as_uri()
        self.keystrokes: list[float] = []
        self.processor_ms = 0.0
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        server.ask("initialize", {**PUSHED, "rootUri": folder.as_uri(), "workspaceFolders": folders})
        server.send("initialized", {})
        self.opening = timed(self._open)

    def _open(self) -> None:
        self._server.open(self._uri, self._compared.text(0), self._compared.language)
        self.findings = self._published(1)

    def type(self, number: int) -> None:
        """Makes a keystroke and waits for its diagnostics."""
        before = self._server.processor_ms
        taken = timed(lambda: self._change(number))
        if number > _FIRST_KEYSTROKES:
            self.keystrokes.append(taken)
            self.processor_ms += self._server.processor_ms - before

    def line(self) -> str:
        """What was measured, as a row of a table."""
        used = self.processor_ms / len(self.keystrokes)
        columns = (
            self._compared.name,
            f"{self.opening:.0f} ms",
            shown(self.keystrokes),
            f"{used:.1f} ms",
            f"{self._server.memory_mb:.0f} MB",
            f"{len(self._compared.text(0))} characters, {self.findings} findings",
        )
        return f"| {' | '.join(columns)} |"

    def _change(self, number: int) -> None:
        self._server.change(self._uri, number + 1, self._compared.text(number))
        self._published(number + 1)

    def _published(self, version: int) -> int:
        found = self._server.wait_for(
            "textDocument/publishDiagnostics",
            lambda item: item["uri"] == self._uri and item.get("version") == version,
        )
        return len(found["diagnostics"])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Measures language servers side by side.")
    parser.add_argument("--ruff", default=shutil.which("ruff"), help="the program ruff")
    parser.add_argument("--ast-grep", default=shutil.which("ast-grep"), help="the program ast-grep")
    options = parser.parse_args()
    servers = compared_servers(options.ruff, options.ast_grep)
    print(f"initialize, from the start of the process, median of {STARTS}:")
    with ExitStack() as stack:
        folders = [_project(server, Path(stack.enter_context(tempfile.TemporaryDirectory()))) for server in servers]
        commands = {"bare pygls": (BARE, folders[0])}
        commands.update({one.name: (list(one.command), path) for one, path in zip(servers, folders, strict=True)})
        rounds = [{name: _start(*started) for name, started in commands.items()} for _ in range(STARTS)]
        for name in commands:
            print(f"  {name}: {statistics.median(each_round[name] for each_round in rounds):.0f} ms")
        sessions = [
            _Session(server, stack.enter_context(running(server.command, folder)), folder)
            for server, folder in zip(servers, folders, strict=True)
        ]
        for number in range(1, KEYSTROKES + _FIRST_KEYSTROKES + 1):
            for session in sessions:
                session.type(number)
        print("| | opening to diagnostics | keystroke to diagnostics | processor time of a keystroke | memory | file |")
        print("| --- | --- | --- | --- | --- | --- |")
        for session in sessions:
            print(session.line())


def _project(server: ComparedServer, folder: Path) -> Path:
    for name, text in {**server.files, server.file: server.text(0)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder.resolve()


def _start(command: list[str], folder: Path) -> float:
    began = time.perf_counter()
    with running(command, folder) as server:
        server.ask("initialize", {**PUSHED, "rootUri": folder.as_uri()})
        return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    sys.exit(main())
