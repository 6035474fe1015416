"""`replay` counts the triggers of rules in kept sessions, and compares revisions of rules."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.cli.replay.replaying import RuleSource, replay_all
from ttsr_ls.session.output.agent_events import AgentDelta
from ttsr_ls.store.log.session_dirs import session_files, workspace_folder

SESSION = "1dce83e5-d7b5-4ec2-a7ce-af9ab5185171"
SAMPLES = Path(__file__).parents[2] / "samples"
LOG = Path(__file__).parents[2] / "store" / "log" / "version_1.jsonl"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    rule(project, "no-old", "deprecated_module")
    monkeypatch.chdir(project)
    return project


def rule(project: Path, name: str, condition: str) -> None:
    (project / ".omp" / "rules" / f"{name}.md").write_text(f"---\ncondition: {condition}\n---\nNo.\n")


def end_process(*_: object) -> None:
    os._exit(1)


def test_the_end_of_a_process_of_the_replay_is_reported(
    capsys: pytest.CaptureFixture[str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "kept").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        shutil.copy(SAMPLES / "codex/exec.jsonl", project / "kept" / name)
    monkeypatch.setattr("ttsr_ls.cli.replay.replaying.replay_file", end_process)
    ran = ttsr_ls(capsys, "replay", "kept", "--jobs", "2")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("ttsr-ls: a process that replays sessions was ended")


def test_replay_counts_triggers_over_files_of_several_agents(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    kept = project / "kept"
    for sample in ("codex/exec.jsonl", "pi/rpc-aborted.jsonl", "claude/print-partial.jsonl"):
        (kept / sample).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / sample, kept / sample)
    (kept / "notes.jsonl").write_text("Buy milk.\n")
    ran = ttsr_ls(capsys, "replay", "kept", "--jobs", "1", "--examples", "1")
    assert ran.status == 0
    # The repeat policy: once in each session.
    assert "     3 × no-old in 3 sessions\n" in ran.out
    assert "»deprecated_module«" in ran.out
    assert "notes.jsonl: not replayed: it is not in the format of a known agent" in ran.out
    assert "3 triggers of 1 rule in 3 sessions, " in ran.out


def test_a_rule_of_pi_ttsr_does_not_silence_a_rule_of_oh_my_pi_with_its_name(
    capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    (project / ".pi" / "rules").mkdir(parents=True)
    (project / ".pi" / "rules" / "no-old.md").write_text("---\ntrigger: first_module\n---\nNo.\n")
    messages = [("user", "Go."), ("assistant", "I import first_module."), ("assistant", "I import deprecated_module.")]
    lines = [
        {
            "type": role, "sessionId": SESSION, "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None, "cwd": str(project),
            "timestamp": f"2026-11-01T00:00:0{number}Z",
            "message": {"id": f"m{number}", "role": role, "content": [{"type": "text", "text": text}]},
        }
        for number, (role, text) in enumerate(messages)
    ]  # fmt: skip
    (project / "kept.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    replayed = json.loads(ttsr_ls(capsys, "replay", "kept.jsonl", "--jobs", "1", "--json").out)
    assert replayed["counts"] == {"no-old": 2}
    assert [trigger["dialect"] for trigger in replayed["sessions"][0]["triggers"]] == ["pi-ttsr", "omp"]
    lines_of_rules = ttsr_ls(capsys, "replay", "kept.jsonl", "--jobs", "1").out.splitlines()
    assert [line for line in lines_of_rules if " × " in line] == [
        "     1 × no-old (omp) in 1 session", "     1 × no-old (pi-ttsr) in 1 session",
    ]  # fmt: skip
    assert "2 triggers of 2 rules in 1 session, " in "\n".join(lines_of_rules)


def test_skipped_files_of_a_folder_are_counted(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    kept = project / "kept"
    (kept / "deep").mkdir(parents=True)
    shutil.copy(SAMPLES / "opencode" / "api-event.sse", kept / "deep")
    for name in ("notes.txt", "deep/session.json"):
        (kept / name).write_text("Buy milk.\n")
    ran = ttsr_ls(capsys, "replay", "kept", "--jobs", "1")
    assert re.search(r"1 trigger of 1 rule in 1 session, [1-9]\d? kB\.$", ran.out, re.MULTILINE)
    assert ran.err == "ttsr-ls: kept: skipped 2 files with a suffix other than .jsonl, .ndjson, .sse\n"
    (kept / "deep" / "api-event.sse").unlink()
    ran = ttsr_ls(capsys, "replay", "kept")
    assert (ran.status, ran.out) == (2, "")
    assert "no file in kept ends in .jsonl, .ndjson, .sse" in ran.err


def test_several_processes_give_the_complete_json(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    samples = [str(SAMPLES / name) for name in ("codex/exec.jsonl", "gemini/stream.jsonl", "opencode/api-event.sse")]
    one = json.loads(ttsr_ls(capsys, "replay", *samples, "--jobs", "1", "--json").out)
    two = json.loads(ttsr_ls(capsys, "replay", *samples, "--jobs", "2", "--json").out)
    assert one == two
    assert one["counts"] == {"no-old": 3}
    assert [len(session["triggers"]) for session in one["sessions"]] == [1, 1, 1]
    assert one["sessions"][1]["triggers"][0] == {
        "rule": "no-old",
        "turn": "t1",
        "stream": "text",
        "path": None,
        "excerpt": "deprecated_module",
        "dialect": "omp",
    }


def test_the_result_of_a_file_does_not_depend_on_the_files_before_it(project: Path) -> None:
    for number, condition in enumerate((r"'\b\w+ed\b'", "'[a-z]e'", "import", r"'(?=.{9})def \w+'")):
        rule(project, f"more-{number}", condition)
    source = RuleSource.here(project, ())
    files = sorted(path for path in SAMPLES.glob("*/*") if path.suffix in (".jsonl", ".sse"))
    replayed_files = [result for path in files for result in replay_all([path], source, 1)]
    assert sum(len(file.session.triggers) for file in replayed_files if file.session) > 3 * len(files)
    assert list(replay_all(files, source, 1)) == replayed_files
    assert list(replay_all(reversed(files), source, 1)) == replayed_files[::-1]


def test_replay_compares_with_the_rules_of_a_revision(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "rules"], check=True)
    rule(project, "no-main", r"'def main\('")
    rule(project, "no-old", "nothing_has_this")
    sample = str(SAMPLES / "codex" / "exec.jsonl")
    ran = ttsr_ls(capsys, "replay", sample, "--against", "HEAD", "--examples", "0")
    assert "     1 × no-main in 1 session  (+1 against HEAD)\n" in ran.out
    assert "     0 × no-old in 0 sessions  (-1 against HEAD)\n" in ran.out
    for revision in ("nowhere", "--output=x", "--", "@{99}", "@{u}", "^HEAD"):
        ran = ttsr_ls(capsys, "replay", sample, f"--against={revision}")
        assert ran.status == 2
        assert f"git knows no commit '{revision}' here" in ran.err


def test_without_paths_the_sessions_of_the_folder_are_replayed(
    capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    ran = ttsr_ls(capsys, "replay")
    assert ran.status == 2
    assert "there is no session to replay" in ran.err
    assert ttsr_ls(capsys, "watch", "--from", "codex", str(SAMPLES / "codex" / "exec.jsonl")).status == 0
    ran = ttsr_ls(capsys, "replay", "--jobs", "1")
    assert "     1 × no-old in 1 session\n" in ran.out
    assert ttsr_ls(capsys, "replay", "--all").status == 2


@pytest.mark.parametrize(("agent", "folder"), [("pi", ".pi"), ("omp", ".omp")])
def test_sessions_that_pi_and_omp_kept_are_found(
    capsys: pytest.CaptureFixture[str], project: Path, agent: str, folder: str
) -> None:
    kept = Path.home() / folder / "agent" / "sessions" / "-shop"
    kept.mkdir(parents=True)
    data = (SAMPLES / agent / "session.jsonl").read_text()
    (kept / "here.jsonl").write_text(data.replace("/srv/agents/proj", str(project)))
    (kept / "elsewhere.jsonl").write_text(data)
    for arguments, sessions in (([], "1 session"), (["--all"], "2 sessions")):
        ran = ttsr_ls(capsys, "replay", "--jobs", "1", *arguments)
        assert f"× no-old in {sessions}\n" in ran.out
        assert "could not be read" not in ran.out


def test_chats_that_gemini_kept_are_found(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    for name, root in (("shop", project), ("other", project.parent)):
        chats = Path.home() / ".gemini" / "tmp" / name / "chats"
        chats.mkdir(parents=True)
        (chats.parent / ".project_root").write_text(str(root))
        shutil.copy(SAMPLES / "gemini" / "chat.jsonl", chats / "session-2026-11-22T21-47-60f0ebd2.jsonl")
    for arguments, sessions in (([], "1 session"), (["--all"], "2 sessions")):
        ran = ttsr_ls(capsys, "replay", "--jobs", "1", *arguments)
        assert f"× no-old in {sessions}\n" in ran.out
        assert "could not be read" not in ran.out


def test_chats_that_are_one_json_value_are_read(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    head, *lines = map(json.loads, (SAMPLES / "gemini" / "chat.jsonl").read_text().splitlines())
    chat = head | {"messages": [line for line in lines if "type" in line]}
    chats = Path.home() / ".gemini" / "tmp" / "shop" / "chats"
    chats.mkdir(parents=True)
    (chats.parent / ".project_root").write_text(str(project))
    (chats / "session-2026-01-02T03-04-60f0ebd2.json").write_text(json.dumps(chat, indent=2))
    for arguments in ([], [str(chats)]):
        ran = ttsr_ls(capsys, "replay", "--jobs", "1", *arguments)
        assert "× no-old in 1 session\n" in ran.out
        assert "could not be read" not in ran.out


def kept_transcript(project: Path) -> Path:
    """A session that Claude Code kept of the project."""
    folder = Path.home() / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project))
    folder.mkdir(parents=True)
    return Path(shutil.copy(SAMPLES / "claude_transcript" / "session.jsonl", folder / f"{SESSION}.jsonl"))


def test_a_session_kept_by_its_agent_and_logged_by_us_counts_once(
    capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    rule(project, "no-prices", "prices")
    kept = kept_transcript(project)
    alone = json.loads(ttsr_ls(capsys, "replay", "--json", "--jobs", "1").out)
    assert alone["counts"] == {"no-prices": 1}
    assert ttsr_ls(capsys, "watch", str(kept)).status == 0
    (log,) = session_files(workspace_folder(project.parent / "state", project))
    both = json.loads(ttsr_ls(capsys, "replay", "--json", "--jobs", "1").out)
    assert both == {**alone, "duplicates": [str(log)]}
    # A hook server of an earlier version named the session in the name of its log only.
    text = "".join(line for line in log.read_text().splitlines(True) if "Identified" not in line)
    log.with_name(f"20261122T060113Z-{SESSION}.jsonl").write_text(text)
    ran = ttsr_ls(capsys, "replay", "--jobs", "1", str(log.parent), str(kept), str(kept))
    assert "     1 × no-prices in 1 session\n" in ran.out
    assert "2 session logs left out, so that each session counts once" in ran.out
    # Without the session that the agent kept, the log is replayed.
    kept.unlink()
    assert "     1 × no-prices in 1 session\n" in ttsr_ls(capsys, "replay", "--jobs", "1", str(log)).out


def test_of_several_logs_of_a_session_only_those_of_different_times_count(
    capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    rule(project, "no-prices", "prices")
    watched = str(SAMPLES / "claude_transcript" / "session.jsonl")
    assert ttsr_ls(capsys, "watch", watched).status == 0
    (log,) = session_files(workspace_folder(project.parent / "state", project))
    for name, changed in (("20261122T060000Z-a", 1795330860), ("20261122T060030Z-b", 1795330900)):
        shutil.copy(log, log.with_name(f"{name}.jsonl"))
        os.utime(log.with_name(f"{name}.jsonl"), (changed, changed))
    ran = ttsr_ls(capsys, "replay", "--jobs", "1")
    assert "     2 × no-prices in 2 sessions\n" in ran.out
    assert "1 session log left out" in ran.out


def test_files_with_unreadable_lines_are_listed(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    data = (SAMPLES / "codex" / "exec.jsonl").read_bytes()
    kept = project / "kept"
    kept.mkdir()
    for number in range(12):
        (kept / f"{number}.jsonl").write_bytes(data + b"{\n" * (number + 1))
    ran = ttsr_ls(capsys, "replay", "kept", "--jobs", "1")
    assert "78 lines could not be read in full; `ttsr-ls watch FILE` shows which:\n    12 in kept/11.jsonl\n" in ran.out
    assert "     3 in kept/2.jsonl\n       and in 2 more; --json names all\n" in ran.out


def test_session_logs_are_replayed(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    adapter = SOURCES["session-log"].make(None)
    events = [*adapter.feed(LOG.read_bytes()), *adapter.finish()]
    assert any(isinstance(event, AgentDelta) for event in events)
    assert ttsr_ls(capsys, "replay", str(LOG)).status == 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_named_file_that_cannot_be_replayed_is_an_error(
    capsys: pytest.CaptureFixture[str], project: Path, form: str
) -> None:
    shutil.copy(SAMPLES / "codex" / "exec.jsonl", project / "read.jsonl")
    (project / "notes.jsonl").write_text("Buy milk.\n")
    (project / "pipe.jsonl").symlink_to("/dev/null")
    named = ["read.jsonl", "notes.jsonl", "pipe.jsonl"]
    ran = ttsr_ls(capsys, "replay", *named, "--jobs", "1", "--format", form)
    first, second = ran.err.splitlines()
    assert (ran.status, first) == (2, "ttsr-ls: cannot replay notes.jsonl: it is not in the format of a known agent")
    assert second.startswith("ttsr-ls: cannot replay pipe.jsonl: ")
    assert "no-old" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such"], "cannot replay no-such"),
        (["--jobs", "-1"], "a whole number"),
        (["--jobs", "0"], "write a whole number from 1 to 999999"),
        (["--examples", "x"], "a whole number"),
    ],
)
def test_invalid_arguments_are_refused(
    capsys: pytest.CaptureFixture[str], project: Path, arguments: list[str], message: str
) -> None:
    ran = ttsr_ls(capsys, "replay", *arguments)
    assert ran.status == 2
    assert message in ran.err
