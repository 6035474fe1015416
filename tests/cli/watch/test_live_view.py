"""The live view of `watch`: its content, and that only a terminal gets it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import threading
from pathlib import Path

from tests.bridge.watch.watching import MemoryLog, same_named_rules, watch
from tests.cli.command import environment
from tests.cli.watched_project import SAMPLE
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.cli.printing.live_area import LiveArea
from ttsr_ls.cli.watch.turn_panel import TurnPanel
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, Source, StreamContext
from ttsr_ls.session.history.turn_events import Extent, TurnCompleted, UnseenTrigger
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AnswerEnded,
    AnswerStarted,
    FileWrite,
    TurnClosed,
    TurnOpened,
)

TEXT = StreamContext(Source.TEXT)
WRITE = StreamContext(Source.TOOL, "write", key="toolcall:1")


def shown(panel: TurnPanel) -> list[str]:
    return [line.text for line in panel.lines()]


def test_the_panel_follows_the_streams_of_a_turn() -> None:
    panel = TurnPanel(3)
    assert shown(panel) == ["no turn yet · waiting for the agent · 3 rules", "no rule fired"]
    panel.follow([TurnOpened(UnseenTrigger()), AnswerStarted("main", "opus")])
    panel.follow([AgentDelta("main", Delta(TEXT, "x" * 1234)), AgentDelta("main", BlockEnd(TEXT))])
    write = FileWrite("src/a.ts", Extent.WHOLE)
    panel.follow([AgentDelta("main", Delta(WRITE, "ab"), "1", write), AgentDelta("main", Snapshot(WRITE, "abc"), "1")])
    assert shown(panel) == [
        "turn 1 · opus answers · 3 rules",
        "  text: 1,234 characters",
        "▸ write src/a.ts: 3 characters",
        "no rule fired",
    ]
    panel.follow([AnswerEnded("main", complete=True), TurnClosed(TurnCompleted())])
    assert shown(panel)[:2] == ["turn 1 · ended · 3 rules", "  text: 1,234 characters"]


def test_the_panel_counts_rules_of_two_dialects_with_one_name_apart() -> None:
    log = MemoryLog()
    adapter = SOURCES["text"].make(None)
    notices = watch(b"I import older_module and new_module.", log, same_named_rules(), adapter=adapter)
    panel = TurnPanel(3)
    panel.count(notices)
    assert shown(panel)[-1] == "2 triggers: same (omp) × 1, same (pi-ttsr) × 1"


def test_the_panel_is_bounded_and_escapes_its_texts() -> None:
    panel = TurnPanel(1)
    panel.follow([TurnOpened(UnseenTrigger()), AnswerStarted("main", "o\x1b[31m\n")])
    for number in range(5000):
        context = StreamContext(Source.TOOL, f"t\x1b[2J{number}", key=f"toolcall:{number}")
        panel.follow([AgentDelta("main", Delta(context, "x"))])
    lines = shown(panel)
    assert len(lines) == 9
    assert not [line for line in lines if "\x1b" in line or "\n" in line]
    assert lines[-2] == "  and 994 earlier streams"


def watched(rules: Path, project: Path, *arguments: str) -> str:
    """The output of `watch` on a terminal of 80 columns."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "ttsr_ls", "watch", str(SAMPLE), "--rules", str(rules), "--no-log", *arguments]
    changes = {"HOME": str(project.parent / "home"), "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(command, cwd=project, env=environment(**changes), stdout=follower, stderr=follower)
    os.close(follower)
    output = b""
    while True:
        try:
            data = os.read(leader, 65536)
        except OSError:  # The other end is closed.
            break
        if not data:
            break
        output += data
    os.close(leader)
    assert process.wait() == 0
    return output.decode()


def test_a_terminal_shows_the_view_below_the_lines_of_the_report(rules: Path, project: Path) -> None:
    output = watched(rules, project)
    assert "turn 1" in output
    assert "\x1b[2K" in output
    assert "no-old" in output
    assert "2 triggers of 1 rule in " in output
    plain = watched(rules, project, "--no-live")
    assert "2 triggers of 1 rule in " in plain
    assert "\x1b[2K" not in plain
    assert "\x1b[2K" not in watched(rules, project, "--quiet")


def test_names_in_the_view_are_escaped(rules: Path, project: Path) -> None:
    (rules / "no-\x1b]0;evil\x07.md").write_text("---\ncondition: deprecated_module\n---\nNo \x1b[5mwink.\n")
    output = watched(rules, project)
    assert "no-\\x1b]0;evil\\x07" in output
    assert not [code for code in ("\x1b]0", "\x07", "\x1b[5m") if code in output]


def test_a_pipe_gets_plain_lines(rules: Path, project: Path) -> None:
    command = [sys.executable, "-m", "ttsr_ls", "watch", str(SAMPLE), "--rules", str(rules), "--no-log"]
    ran = subprocess.run(command, cwd=project, env=environment(HOME=str(project.parent / "home")), capture_output=True)
    assert ran.returncode == 0
    assert b"\x1b" not in ran.stdout
    assert b"no-old would interrupt text" in ran.stdout


def test_an_unchanged_view_is_not_repainted() -> None:
    ours, theirs = pty.openpty()
    looked, lines = threading.Semaphore(0), ["one"]

    def shown() -> list[tuple[str, None]]:
        looked.release()
        return [(line, None) for line in lines]

    def painted() -> bytes:
        data = b""
        while select.select([ours], [], [], 0)[0]:
            data += os.read(ours, 65536)
        return data

    def look(times: int) -> None:
        for _ in range(times):
            assert looked.acquire(timeout=60)

    with os.fdopen(theirs, "w") as terminal, LiveArea(terminal, shown):
        look(4)
        assert b"one" in painted()
        look(4)
        assert painted() == b""
        lines[:] = ["two"]
        look(4)
        assert b"two" in painted()
    os.close(ours)


def test_the_panel_does_not_say_that_an_agent_answers_after_its_last_block() -> None:
    panel = TurnPanel(1)
    panel.follow([TurnOpened(UnseenTrigger()), AnswerStarted("main", "opus"), AgentDelta("main", Delta(TEXT, "Done."))])
    assert shown(panel)[0] == "turn 1 · opus answers · 1 rule"
    panel.follow([AgentDelta("main", BlockEnd(TEXT))])
    assert shown(panel)[0] == "turn 1 · waiting for the agent · 1 rule"
    panel.follow([AgentDelta("main", Delta(WRITE, "ab"), "1")])
    assert shown(panel)[0] == "turn 1 · opus answers · 1 rule"
