"""The session log of `ttsr-ls watch`: written, continued, or impossible to open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from tests.cli.watched_project import SAMPLE
from ttsr_ls.session.history.turn_events import RuleTriggered, TurnCancelled, TurnEnded
from ttsr_ls.store.log.reader import read_log


def test_a_named_log_is_written_and_continued(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, tmp_path: Path
) -> None:
    log = tmp_path / "mine.jsonl"
    for times in (1, 2):
        ran = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), "--log", str(log), str(SAMPLE))
        content = read_log(log)
        assert (ran.status, content.problems) == (0, ())
        assert sum(isinstance(record.event, RuleTriggered) for record in content.records) == 2 * times
        turns = [record.event.turn for record in content.records if isinstance(record.event, TurnEnded)]
        assert turns == [f"t{number + 1}" for number in range(times)]
    assert not list(state.rglob("*.jsonl"))


def test_continuing_a_log_ends_its_unfinished_turn(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, tmp_path: Path
) -> None:
    log = tmp_path / "mine.jsonl"
    arguments = ["watch", "--from", "claude", "--rules", str(rules), "--log", str(log), str(SAMPLE)]
    ttsr_ls(capsys, *arguments)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))
    before = [record.event for record in read_log(log).records]
    assert not any(isinstance(event, TurnEnded) for event in before)
    ttsr_ls(capsys, *arguments)
    ended = [record.event for record in read_log(log).records if isinstance(record.event, TurnEnded)]
    assert [event.turn for event in ended] == ["t1", "t2"]
    assert ended[0].outcome == TurnCancelled("its end could not be recorded")


def test_problems_of_a_continued_log_are_reported(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, tmp_path: Path
) -> None:
    log = tmp_path / "mine.jsonl"
    arguments = ["watch", "--from", "claude", "--rules", str(rules), "--log", str(log), str(SAMPLE)]
    ttsr_ls(capsys, *arguments)
    log.write_bytes(log.read_bytes()[:-1])
    ran = ttsr_ls(capsys, *arguments)
    assert ran.out.startswith(f"warning: {log}: Line ")
    assert "was not written to its end and is ignored" in ran.out
    turns = [record.event.turn for record in read_log(log).records if isinstance(record.event, TurnEnded)]
    assert turns == ["t1", "t2"]


def test_with_no_log_nothing_is_written(capsys: pytest.CaptureFixture[str], rules: Path, state: Path) -> None:
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), "--no-log", str(SAMPLE))
    assert "no session log" in ran.out
    assert "2 triggers" in ran.out
    assert not state.exists()


def test_a_default_log_that_cannot_be_opened_is_reported_and_watching_continues(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path
) -> None:
    state.write_text("a file in the place of the folder")
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), str(SAMPLE))
    assert ran.status == 0
    assert "SESSION LOG: No session log is written: cannot open" in ran.out
    assert "2 triggers" in ran.out


def test_a_log_that_cannot_be_opened_stops_a_strict_watch(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path
) -> None:
    state.write_text("a file in the place of the folder")
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), "--strict", str(SAMPLE))
    assert ran.status == 2
    assert ran.err.startswith("ttsr-ls: cannot open the session log")
