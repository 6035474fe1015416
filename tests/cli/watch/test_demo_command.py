"""`ttsr-ls demo` shows the shipped rules fire on a recorded run, without key and network."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from ttsr_ls.session.history.turn_events import RuleTriggered
from ttsr_ls.store.discovery.shipped_rules import shipped_rules
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import workspace_folder, workspace_root


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the demo opened a socket")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_the_demo_shows_five_rules_fire_and_says_where_the_log_is(
    capsys: pytest.CaptureFixture[str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = project.parent / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    ran = ttsr_ls(capsys, "demo", "--speed", "1000")
    assert (ran.status, ran.err) == (0, "")
    (log,) = workspace_folder(state, workspace_root(project)).iterdir()
    triggers = [record.event for record in read_log(log).records if isinstance(record.event, RuleTriggered)]
    assert [trigger.rule for trigger in triggers] == [
        "prose-no-flattery",
        "py-no-mutable-default",
        "py-no-bare-except",
        "ts-no-explicit-any",
        "prose-evidence-before-claims",
    ]
    assert all(Path(trigger.rule_path).parent == shipped_rules() for trigger in triggers)
    assert all(f"{trigger.rule} fired on" in ran.out for trigger in triggers)
    assert "5 triggers of 5 rules in 1 turn" in ran.out
    assert str(log) in ran.out.splitlines()[-1]


def test_colours_are_only_for_who_wants_them(
    capsys: pytest.CaptureFixture[str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert "\x1b" not in ttsr_ls(capsys, "demo", "--speed", "1000").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31mts-no-explicit-any\x1b[0m" in ttsr_ls(capsys, "demo", "--speed", "1000").out


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast"])
def test_a_speed_that_makes_no_sense_is_refused(capsys: pytest.CaptureFixture[str], project: Path, speed: str) -> None:
    ran = ttsr_ls(capsys, "demo", f"--speed={speed}")
    assert ran.status == 2
    assert "--speed" in ran.err
