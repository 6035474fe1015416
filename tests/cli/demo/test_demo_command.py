"""`ttsr-ls demo` shows a correction, a broken rule and a recorded run, without key and network."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
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


def test_the_demo_shows_the_triggers_of_five_rules_and_the_path_of_the_log(
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
    assert all(f"{trigger.rule} would " in ran.out for trigger in triggers)
    assert "5 triggers of 5 rules in 1 turn" in ran.out
    assert f"Session log: {log}" in ran.out


def test_the_demo_shows_an_interrupted_answer_and_the_corrected_file(
    capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    out = ttsr_ls(capsys, "demo", "--speed", "1000", "--no-log").out
    answer, _, rest = out.partition("-- money-is-decimal fires on write: »float«\n-- The answer is interrupted.")
    assert re.search(r"net = float +\| Money is `Decimal`", answer)
    assert "condition: '\\bfloat\\b'" in answer
    injected, _, corrected = rest.partition("</system-interrupt>")
    assert '<system-interrupt reason="rule_violation" rule="money-is-decimal"' in injected
    assert 'path="money-is-decimal.md"' in injected
    assert "Money is `Decimal`, never `float`" in injected
    _, _, on_disk = corrected.partition("-- On disk, shop/prices.py:\n")
    assert on_disk.startswith("  from decimal import Decimal\n\n  def price(net: Decimal, tax: Decimal):\n")
    assert "float" not in on_disk.partition("== 2 of 3")[0]


def test_the_demo_shows_a_finding_and_its_fix(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    out = ttsr_ls(capsys, "demo", "--speed", "1000", "--no-log").out
    assert 'error illegal-escape\n    2 | condition: "localhost:\\d+"\n      |            ^^^' in out
    assert (
        "- condition: \"localhost:\\d+\"\n+ condition: 'localhost:\\d+'\n1 finding fixed. No findings are left." in out
    )


def test_the_demo_fits_a_terminal_of_80_columns(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    lines = ttsr_ls(capsys, "demo", "--speed", "1000", "--no-log").out.splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []


def test_with_no_log_the_demo_writes_no_log(
    capsys: pytest.CaptureFixture[str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    assert "ession log:" not in ttsr_ls(capsys, "demo", "--speed", "1000", "--no-log").out
    assert not (project.parent / "state").exists()


def test_colours_are_printed_only_on_request(
    capsys: pytest.CaptureFixture[str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert "\x1b" not in ttsr_ls(capsys, "demo", "--speed", "1000").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31mts-no-explicit-any\x1b[0m" in ttsr_ls(capsys, "demo", "--speed", "1000").out


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast"])
def test_an_invalid_speed_is_refused(capsys: pytest.CaptureFixture[str], project: Path, speed: str) -> None:
    ran = ttsr_ls(capsys, "demo", f"--speed={speed}")
    assert ran.status == 2
    assert "--speed" in ran.err


@pytest.fixture
def default_sighup() -> Iterator[None]:
    """Programs that the test starts inherit no ignored SIGHUP, as under `nohup make test`."""
    handler = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, handler)


@pytest.mark.usefixtures("default_sighup")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_demo_leaves_no_folder(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "ttsr_ls", "demo", "--no-log"]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        for line in demo.stdout:
            if line.startswith("You"):
                break
        assert len(list(tmp_path.iterdir())) == 1
        demo.send_signal(number)
        demo.stdout.read()
        assert demo.wait(60) == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_the_demo_for_an_editor_writes_the_files_of_its_agent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "project"
    ran = ttsr_ls(capsys, "demo", "--editor", str(folder), "--speed", "1000")
    # Each editor has its command, and the way to the view of runs.
    for line in (
        f"  VS Code: code {folder}",
        "           then “TTSR: Show runs” in the command palette (F1);",
        "           if it asks whether you trust the folder, either answer will do",
        f"  Neovim:  nvim {folder}/.omp/rules/py-no-bare-except.md",
        "           then :Ttsr runs",
    ):
        assert line in ran.out.splitlines()
    assert (ran.status, ran.err) == (0, "")
    assert "5 triggers of 5 rules in 1 turn" in ran.out
    (log,) = workspace_folder(tmp_path / "state", folder).iterdir()
    triggers = [record.event for record in read_log(log).records if isinstance(record.event, RuleTriggered)]
    for trigger in triggers:
        assert Path(trigger.rule_path).parent == folder / ".omp" / "rules"
        if trigger.target is not None:
            assert trigger.target.first_line in (folder / trigger.target.path).read_text()
    # The project has tests for the test explorers of editors.
    tested = ttsr_ls(capsys, "test", str(folder / ".omp" / "rules"))
    assert tested.status == 0, tested.out
    assert " cases of 6 rules: " in tested.out
    again = ttsr_ls(capsys, "demo", "--editor", str(folder))
    assert again.status == 2
    assert "is not empty; name an empty folder, or none" in again.err
