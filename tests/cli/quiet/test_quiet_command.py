"""`ttsr-ls quiet`, and its effect on a watched session."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.agent.agent_process import Printed
from tests.cli.command import ttsr_ls
from tests.cli.watched_project import RULE
from ttsr_ls.session.history.turn_events import RuleInForce, RulesLoaded
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder
from ttsr_ls.store.log.turn_log import TurnLog
from ttsr_ls.store.noise_file import read_noise

ROOT = Path(__file__).parents[3]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(project: Path, state: Path) -> Path:
    """The folder of the session logs of a project with a rule."""
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    return workspace_folder(state, project)


def test_a_rule_that_is_named_twice_is_silenced_once(folder: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "quiet", "no-old", "no-old", "--for", "30m", "--per-turn", "1")
    assert ran.out == "no-old is silenced for 30 min.\nAt most 1 trigger takes effect in a turn.\n"
    assert len(read_noise(folder).silences) == 1


def test_a_rule_is_silenced_for_a_time_and_fires_again_afterwards(folder: Path, capsys: Capture) -> None:
    assert ttsr_ls(capsys, "quiet").out == "No rule is silenced.\n"
    assert ttsr_ls(capsys, "quiet", "no-old", "--for", "30m").out == "no-old is silenced for 30 min.\n"
    (silence,) = read_noise(folder).silences
    assert silence.until is not None
    assert 29 * 60 < silence.until / 1000 - time.time() <= 30 * 60
    assert ttsr_ls(capsys, "quiet", "no-old", "--for", "2h").out == "no-old is silenced for 2 h.\n"
    assert ttsr_ls(capsys, "quiet", "--off").out == "No rule is silenced.\n"


@pytest.mark.parametrize(
    ("duration", "shown"),
    [("1m", "1 min"), ("90s", "90 s"), ("90m", "90 min"), ("1h", "1 h"), ("36h", "36 h"), ("1d", "1 d")],
)
def test_a_time_is_shown_in_the_unit_that_it_was_given_in(
    folder: Path, capsys: Capture, duration: str, shown: str
) -> None:
    ran = ttsr_ls(capsys, "quiet", "no-old", "--for", duration)
    assert ran.out == f"no-old is silenced for {shown}.\n"


def test_a_rule_is_silenced_in_the_running_session(folder: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "quiet", "no-old")
    assert (ran.status, "no session is running in this folder" in ran.err) == (2, True)
    folder.mkdir(parents=True)
    ended = session_file(folder, 1_700_000_000_000, "abc")
    with TurnLog.open(ended, Header(ended.stem, "text", "/p", 0, "test")):
        pass
    ran = ttsr_ls(capsys, "quiet", "no-old")
    assert (ran.status, "no session is running in this folder" in ran.err) == (2, True)
    assert read_noise(folder).silences == ()
    path = session_file(folder, 1_600_000_000_000, "def")
    with TurnLog.open(path, Header(path.stem, "text", "/p", 0, "test")):
        assert ttsr_ls(capsys, "quiet", "no-old").out == f"no-old is silenced in the session {path.stem}.\n"
    assert [silence.rule for silence in read_noise(folder).limits(path.stem).silences] == ["no-old"]
    assert read_noise(folder).limits("other").silences == ()
    assert ttsr_ls(capsys, "quiet", "no-old", "--session", "nope").status == 2


def test_a_rule_whose_name_is_not_utf8_is_silenced(project: Path, folder: Path, capsys: Capture) -> None:
    (project / ".omp" / "rules" / "n\udcff.md").write_text(RULE)
    assert ttsr_ls(capsys, "quiet", "n\udcff", "--for", "30m").out == "n\\udcff is silenced for 30 min.\n"
    assert [each.rule for each in read_noise(folder).silences] == ["n\udcff"]


def test_caps_are_set_and_removed(folder: Path, capsys: Capture) -> None:
    out = ttsr_ls(capsys, "quiet", "--per-turn", "3", "--per-session", "20").out
    assert "At most 3 triggers take effect in a turn.\nAt most 20 triggers take effect in a session.\n" in out
    assert (read_noise(folder).per_turn, read_noise(folder).per_session) == (3, 20)
    ttsr_ls(capsys, "quiet", "--per-turn", "any")
    assert (read_noise(folder).per_turn, read_noise(folder).per_session) == (None, 20)
    assert ttsr_ls(capsys, "quiet", "--per-turn", "-1").status == 2


def test_processes_that_silence_rules_at_the_same_time_lose_none(project: Path, folder: Path) -> None:
    names = [f"rule-{number}" for number in range(6)]
    for name in names:
        (project / ".omp" / "rules" / f"{name}.md").write_text(RULE)
    command = [sys.executable, "-m", "ttsr_ls", "quiet", "--for", "30m"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    processes = [subprocess.Popen([*command, name], cwd=project, env=environment) for name in names]
    assert [process.wait(60) for process in processes] == [0] * len(names)
    assert sorted(silence.rule for silence in read_noise(folder).silences) == names


def test_off_without_a_rule_removes_the_caps_too(folder: Path, capsys: Capture) -> None:
    ttsr_ls(capsys, "quiet", "--per-turn", "3", "--per-session", "20")
    ttsr_ls(capsys, "quiet", "no-old", "--for", "1h")
    assert "At most 3" in ttsr_ls(capsys, "quiet", "--off", "no-old").out
    assert ttsr_ls(capsys, "quiet", "--off").out == "No rule is silenced.\n"
    assert read_noise(folder).per_session is None


def test_an_unknown_rule_is_refused_and_nothing_is_stored(
    project: Path, folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    ran = ttsr_ls(capsys, "quiet", "no-odl", "--for", "2s")
    refusal = "no rule in force here has the name 'no-odl', so nothing was silenced; did you mean 'no-old'?\n"
    assert (ran.status, ran.out, ran.err) == (2, "", f"ttsr-ls: {refusal}")
    ran = ttsr_ls(capsys, "quiet", "no-old", "zzzzzz", "--for", "2s")
    assert (ran.status, "'ttsr-ls list --all' shows all rules" in ran.err) == (2, True)
    assert read_noise(folder).silences == ()
    assert ttsr_ls(capsys, "quiet", "no-old", "--for", "2m").err == ""
    ran = ttsr_ls(capsys, "quiet", "--off", "no-odl")
    assert (ran.status, ran.err) == (2, "ttsr-ls: not silenced: no-odl\n")


def test_without_a_configuration_only_rules_of_running_sessions_are_silenced(
    project: Path, folder: Path, capsys: Capture
) -> None:
    (project / "ttsr-ls.toml").write_text("rules = 1\n")
    for name in ("no-old", "no-odl"):
        ran = ttsr_ls(capsys, "quiet", name, "--for", "2m")
        assert (ran.status, ran.out) == (2, "")
        assert f"cannot be read, and no running session has a rule '{name}', so nothing was silenced" in ran.err
        assert "ttsr-ls.toml" in ran.err
    assert read_noise(folder).silences == ()
    path = session_file(folder, 1_600_000_000_000, "def")
    with TurnLog.open(path, Header(path.stem, "text", "/p", 0, "test")) as log:
        log.append(RulesLoaded((RuleInForce("no-old", "no-old.md", "project"),), "stable"), 1)
        assert ttsr_ls(capsys, "quiet", "no-odl", "--for", "2m").status == 2
        assert ttsr_ls(capsys, "quiet", "no-old", "--for", "2m").status == 0
    assert [silence.rule for silence in read_noise(folder).silences] == ["no-old"]


def test_a_rule_of_another_folder_is_silenced_if_a_running_session_has_it_or_its_folder_is_named(
    folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    others = tmp_path / "others"
    others.mkdir()
    (others / "no-new.md").write_text(RULE)
    assert ttsr_ls(capsys, "quiet", "no-new", "--for", "2m").status == 2
    assert ttsr_ls(capsys, "quiet", "no-new", "--for", "2m", "--rules", str(others)).status == 0
    assert ttsr_ls(capsys, "quiet", "--off").status == 0
    path = session_file(folder, 1_600_000_000_000, "def")
    with TurnLog.open(path, Header(path.stem, "text", "/p", 0, "test")) as log:
        loaded = RulesLoaded((RuleInForce("no-new", str(others / "no-new.md"), "option"),), "stable")
        log.append(loaded, 1)
        assert ttsr_ls(capsys, "quiet", "no-new").status == 0
        assert ttsr_ls(capsys, "quiet", "no-newer").status == 2


def test_a_corrupt_file_of_silences_is_reported_and_ignored(folder: Path, capsys: Capture) -> None:
    folder.mkdir(parents=True)
    (folder / "noise.json").write_text("{")
    ran = ttsr_ls(capsys, "quiet")
    assert ran.status == 2
    assert "noise.json" in ran.err


def test_a_watched_session_applies_changed_rules_and_silences(project: Path, state: Path, rules: Path) -> None:
    command = [sys.executable, "-m", "ttsr_ls", "watch", "--from", "text", "--rules", str(rules), "--no-live"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    watch = subprocess.Popen(command, cwd=project, env=environ, stdin=pipe, stdout=pipe, text=True)
    assert watch.stdin is not None
    printed = Printed(watch)
    printed.until("Watching text with 1 rule")
    printed.until("rules for tools do not apply.\n")
    (rules / "no-new.md").write_text(RULE.replace("deprecated_module", "new_module"))
    quiet = [sys.executable, "-m", "ttsr_ls", "quiet", "no-old", "--for", "1h"]
    subprocess.run(quiet, cwd=project, env=environ, check=True, capture_output=True)
    while not printed.has_more(0.1):  # Rules are looked at once in a second, when output comes.
        watch.stdin.write("Looking.\n")
        watch.stdin.flush()
    printed.until("Rules were read again: added no-new.")
    watch.stdin.write("import deprecated_module\n")
    watch.stdin.flush()
    printed.until("no-old fired and is suppressed: it is silenced")
    printed.until("\n")
    (rules / "no-new.md").write_text(RULE.replace("import deprecated_module", "(("))
    (rules / "no-old.md").unlink()
    while not printed.has_more(0.1):
        watch.stdin.write("Looking.\n")
        watch.stdin.flush()
    printed.until("Rules were read again: removed no-new, removed no-old.")
    printed.until(f"warning: The rule no-new is not in force ({rules / 'no-new.md'}). `((`: This is not a valid")
    printed.until(f"warning: The rule no-old is not in force any more ({rules / 'no-old.md'}).")
    rest, _ = watch.communicate(timeout=60)
    assert "1 × no-old suppressed: it is silenced" in rest
    (log,) = state.glob("ttsr-ls/*/*.jsonl")
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()[1:]]
    assert [event["kind"] for event in events].count("RulesLoaded") == 3
    assert [event["rules"][0]["rule"] for event in events if event["kind"] == "TriggersSuppressed"] == ["no-old"]
