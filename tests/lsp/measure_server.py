"""Measures the server as a process, beside a bare pygls: the figures of docs/editors.md.

    python -m tests.lsp.measure_server

Not a test: a busy machine would fail it, and `test_staying_responsive.py` holds what must hold anywhere. Processor time
depends less on what else the machine does.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.lsp.measured_server import MeasuredServer, running, shown, timed
from tests.lsp.talk import ROOT
from tests.lsp.test_hosted_agents import claude_lines
from tests.lsp.test_staying_responsive import HOSTILE

BARE = [sys.executable, "-c", "from pygls.lsp.server import LanguageServer\nLanguageServer('bare', '1').start_io()\n"]
OURS = [sys.executable, "-m", "ttsr_ls", "serve"]
SIZES = (100, 1_000)
KEYSTROKES = 60
URI = "file:///measured/.omp/rules/a.md"
PULLING: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {"textDocument": {"diagnostic": {}}}}
PUSHED: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
WATCHING = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}

CONDITIONS = "".join(
    f"  - '(?i)\\b(word{number}|other{number})\\s+[a-z]{{2,5}}(?:foo|ba[rz])+(?!_x)'\n" for number in range(25)
)
SHORT_RULE = "---\ncondition: 'as any;'\nscope: tool:edit(*.ts)\n---\nDo not.\n"
RULE = f"---\ncondition:\n{CONDITIONS}scope: tool:edit(*.{{ts,tsx}}), text\n---\n" + "Do something else.\n" * 170
SAMPLE = ("export const price = read(input); // nothing to find in this line\n" * 80)[:4_950] + "\nconst x: any = y;\n"


def main() -> None:
    """Measures and prints."""
    starts = [(*_start(OURS), *_start(BARE)) for _ in range(9)]
    ours, used, bare, bare_used = (statistics.median(times) for times in zip(*starts, strict=True))
    print(
        f"initialize after the start: {ours:.0f} ms, {ours / bare:.2f} times bare pygls; processor time {used:.0f} ms, "
        f"{used / bare_used:.2f} times"
    )
    _one_rule()
    _beside_hostile()
    for size in SIZES:
        _project(size)
    _many_open(SIZES[-1])
    _delta_to_mark()


def edited(number: int) -> str:
    """`RULE` after a keystroke: every second one in a condition, the others in the body."""
    return RULE.replace("word3", f"word3{number}", 1) if number % 2 else RULE.replace("else", f"else {number}", 1)


def _one_rule() -> None:
    with running(OURS) as server:
        server.ask("initialize", PULLING)
        server.send("initialized", {})
        document = {"textDocument": {"uri": URI}}
        here = {**document, "position": {"line": 9, "character": 14}}
        in_scope = {**document, "position": {"line": 27, "character": 12}}
        server.ask("textDocument/hover", here)
        for path in sorted((ROOT / "rules").glob("*.md")):
            print(f"opening {path.name}: {_opened(server, f'{URI}/{path.name}', path.read_text()):.1f} ms")
        print(f"opening a rule of {len(RULE)} characters: {_opened(server, URI, RULE):.1f} ms")

        def change(number: int) -> None:
            server.change(URI, number + 2, edited(number))
            server.ask("textDocument/diagnostic", document)

        _report("a keystroke in it", server, change)
        _report("hover in it", server, lambda _: server.ask("textDocument/hover", here))
        _report("completion in it", server, lambda _: server.ask("textDocument/completion", in_scope))
        for path in sorted((ROOT / "rules").glob("*.md")):

            def try_rule(number: int, path: Path = path) -> None:
                rule = {"uri": path.as_uri(), "text": path.read_text()}
                server.ask("ttsr/testText", {"text": f"{SAMPLE}{number}", "rule": rule})

            try_rule(-1)
            _report(f"a keystroke in a playground of {path.name} with {len(SAMPLE)} characters", server, try_rule)
        print(f"memory: {server.memory_mb:.0f} MB")


def _beside_hostile() -> None:
    """Questions of the user while a catastrophic pattern in another document is analysed."""
    with running(OURS) as server:
        server.ask("initialize", PULLING)
        server.send("initialized", {})
        hostile = {"textDocument": {"uri": f"{URI}/hostile.md"}}
        server.open(hostile["textDocument"]["uri"], HOSTILE)
        _opened(server, URI, RULE)
        for method, line, character in (("hover", 9, 14), ("completion", 27, 12)):
            place = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
            server.ask(f"textDocument/{method}", place)

            times = []
            for number in range(KEYSTROKES):
                # Each is a new pattern, so that one is always analysed.
                server.change(f"{URI}/hostile.md", number + 2, HOSTILE.replace("(a+)+", f"(a+)+{method}{number}"))
                server.send("textDocument/diagnostic", hostile, id=f"{method}{number}")
                times.append(timed(lambda: server.ask(f"textDocument/{method}", place)))  # noqa: B023
            print(f"{method} while a catastrophic pattern is analysed: {shown(times)}")


def _project(size: int) -> None:
    """Keystrokes in a rule of a project that has many."""
    for is_watching in (True, False):
        with running(OURS) as server:
            rules = _folder(server.home, size)
            folders = [{"uri": (server.home / "shop").as_uri(), "name": "shop"}]
            capabilities = WATCHING if is_watching else {}
            server.ask("initialize", {**PUSHED, "capabilities": capabilities, "workspaceFolders": folders})
            server.send("initialized", {})
            uri = (rules / "edited.md").as_uri()
            server.open(uri, RULE)
            server.published({(uri, 1)})

            def change(number: int, server: MeasuredServer = server, uri: str = uri) -> None:
                server.change(uri, number + 2, edited(number))
                server.published({(uri, number + 2)})

            client = "an editor that watches files" if is_watching else "an editor that does not watch files"
            _report(f"a keystroke in a rule of {len(RULE)} characters among {size}, {client}", server, change)
            print(f"memory: {server.memory_mb:.0f} MB")


def _many_open(size: int) -> None:
    """An edit of one of many open rules, right after a change on the disk for which all are checked anew."""
    with running(OURS) as server:
        paths = sorted(_folder(server.home, size).iterdir())
        server.ask("initialize", PUSHED)
        server.send("initialized", {})
        for path in paths:
            server.open(path.as_uri(), SHORT_RULE)
        server.published({(path.as_uri(), 1) for path in paths})

        def change(number: int) -> None:
            server.change(paths[0].as_uri(), number + 2, f"{SHORT_RULE}{number}\n")
            server.published({(paths[0].as_uri(), number + 2)})

        _report(f"a keystroke in a short rule among {size} open ones", server, change)
        server.send("workspace/didChangeWatchedFiles", {"changes": [{"uri": paths[0].as_uri(), "type": 2}]})
        server.change(paths[-1].as_uri(), 2, f"{SHORT_RULE}more\n")
        waited = timed(lambda: server.published({(paths[-1].as_uri(), 2)}))
        print(f"an edit with {size} rules to check: {waited:.1f} ms")
        print(f"memory: {server.memory_mb:.0f} MB")


def _delta_to_mark() -> None:
    """From a delta of an agent's output to the mark on the rule: through the process that watches, and its log."""
    with running(OURS) as server:
        rules = _folder(server.home, 0)
        for number in range(KEYSTROKES):
            (rules / f"r{number}.md").write_text(f"---\ncondition: 'word{number};'\nscope: text\n---\nDo not.\n")
        (rules / "first.md").write_text("---\ncondition: 'first;'\nscope: text\n---\nDo not.\n")
        folders = [{"uri": (server.home / "shop").as_uri(), "name": "shop"}]
        server.ask("initialize", {**PUSHED, "workspaceFolders": folders})
        server.send("initialized", {})

        def until_marked(lines: list[str], rule: str) -> None:
            data = "".join(f"{line}\n" for line in lines)
            server.send("ttsr/stream", {"session": "s1", "from": "claude", "data": data})
            uri = (rules / rule).as_uri()
            server.wait_for(
                "textDocument/publishDiagnostics", lambda found: found["uri"] == uri and _is_triggered(found)
            )

        started = claude_lines("first; ")
        until_marked(started[:4], "first.md")
        times = [
            timed(lambda: until_marked([claude_lines(f"word{number}; ")[3]], f"r{number}.md"))  # noqa: B023
            for number in range(KEYSTROKES)
        ]
        print(f"a delta of an agent to the mark on the rule: {shown(times)}")


def _is_triggered(found: dict[str, Any]) -> bool:
    return any(item["code"] == "triggered" for item in found["diagnostics"])


def _folder(home: Path, size: int) -> Path:
    """The folder for rules of a project, with so many short ones in it."""
    rules = home / "shop" / ".omp" / "rules"
    rules.mkdir(parents=True)
    (home / "shop" / ".git").mkdir()
    for number in range(size):
        (rules / f"r{number}.md").write_text(SHORT_RULE)
    return rules


def _opened(server: MeasuredServer, uri: str, text: str) -> float:
    server.open(uri, text)
    return timed(lambda: server.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}))


def _report(what: str, server: MeasuredServer, action: Callable[[int], None]) -> None:
    before = server.processor_ms
    times = [timed(lambda: action(number)) for number in range(KEYSTROKES)]  # noqa: B023
    used = (server.processor_ms - before) / KEYSTROKES
    print(f"{what}: {shown(times)}; processor time {used:.1f} ms")


def _start(command: list[str]) -> tuple[float, float]:
    """The time, and the processor time, from the start of a server to its answer to `initialize`."""
    began = time.perf_counter()
    with running(command) as server:
        server.ask("initialize", PULLING)
        return (time.perf_counter() - began) * 1000, server.processor_ms


if __name__ == "__main__":
    main()
