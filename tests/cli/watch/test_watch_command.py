"""`ttsr-ls watch` reports triggers as they happen, writes the log, and never disturbs the agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from tests.cli.watched_project import SAMPLE
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.session.history.turn_events import RulesLoaded, RuleTriggered
from ttsr_ls.store.log.reader import read_log


def logs(state: Path) -> list[Path]:
    return sorted(state.rglob("*.jsonl"))


def test_a_stream_without_turns_has_a_warning(capsys: pytest.CaptureFixture[str], state: Path, project: Path) -> None:
    other = project / "codex.jsonl"
    other.write_text('{"type":"thread.started"}\n{"type":"turn.completed"}\n')
    lines = ttsr_ls(capsys, "watch", "--from", "claude", "--no-log", str(other)).out.splitlines()
    assert lines[-1].startswith("warning: The stream has no turn in a known format")
    lines = ttsr_ls(capsys, "watch", "--from", "claude", "--no-log", str(SAMPLE)).out.splitlines()
    assert not [line for line in lines if line.startswith("warning: The stream")]


def test_a_folder_without_rules_has_a_warning(
    capsys: pytest.CaptureFixture[str], state: Path, project: Path, rules: Path
) -> None:
    warning = "warning: No rules are in force here, so none can fire; `ttsr-ls list` shows why."
    lines = ttsr_ls(capsys, "watch", "--from", "claude", "--no-log", str(SAMPLE)).out.splitlines()
    assert [line for line in lines if line.startswith("warning: ")] == [warning]
    given = ttsr_ls(capsys, "watch", "--from", "claude", "--no-log", "--rules", str(rules), str(SAMPLE))
    assert "warning: " not in given.out


@pytest.mark.parametrize("text", ["", "\n \n"])
@pytest.mark.parametrize("source", ["text", "claude"])
@pytest.mark.parametrize("output", ["text", "jsonl"])
def test_an_empty_stream_has_a_warning(
    source: str, text: str, output: str, capsys: pytest.CaptureFixture[str], state: Path, project: Path
) -> None:
    (project / "empty").write_text(text)
    ran = ttsr_ls(capsys, "watch", "--from", source, "--no-log", "--format", output, "empty")
    assert "The input was empty: did the agent start?" in ran.out
    assert "known format" not in ran.out
    (project / "empty").write_text("text")
    assert "empty:" not in ttsr_ls(capsys, "watch", "--from", source, "--no-log", "--format", output, "empty").out


def test_rules_that_do_not_register_are_named_once_at_the_start_and_logged(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, project: Path
) -> None:
    """Seed 000, sections 1 and 9."""
    (rules / "half.md").write_text("---\ncondition: ['fine', '(']\n---\nB\n")
    (rules / "gone.md").write_text("---\ncondition: x\nscope: 'nosuch:'\n---\nB\n")
    (rules / "quoted.md").write_text('---\ncondition: "bad\\d"\n---\nB\n')
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), str(SAMPLE))
    assert ran.out.count("`ttsr-ls check` says how to repair it.") == 1
    warned = [line.split(" (")[0] for line in ran.out.splitlines() if line.startswith("warning: ")]
    assert warned == [
        "warning: The rule gone is not in force",
        "warning: The rule half is in part in force",
        "warning: The rule quoted is in part in force",
    ]
    (log,) = logs(state)
    (loaded,) = [record.event for record in read_log(log).records if isinstance(record.event, RulesLoaded)]
    assert {problem.rule for problem in loaded.problems} == {"half", "gone", "quoted"}


def test_a_recorded_run_is_reported_and_logged(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, project: Path
) -> None:
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), str(SAMPLE))
    lines = ran.out.splitlines()
    (log,) = logs(state)
    assert ran.status == 0
    assert ran.err == ""
    assert lines[0] == f"Watching claude with 1 rule, stable matching, session log {log}"
    assert lines[1].endswith("no-old would interrupt text")
    assert lines[2:4] == [
        "         »import deprecated_module«",
        "         The agent would get: Use new_module.",
    ]
    assert lines[4].endswith("no-old would interrupt write of demo.py, line 1")
    assert lines[-2].startswith("2 triggers of 1 rule in 1 turn, ")
    assert lines[-2].endswith(" s: 2 would interrupt.")
    assert lines[-1] == "     2 × no-old"
    content = read_log(log)
    assert content.problems == ()
    assert [record.event.rule for record in content.records if isinstance(record.event, RuleTriggered)] == [
        "no-old"
    ] * 2


def test_the_summary_counts_rules_of_two_dialects_with_one_name_apart(
    capsys: pytest.CaptureFixture[str], state: Path, project: Path
) -> None:
    for folder, text in ((".omp", "condition: new_module"), (".pi", "trigger: old_module")):
        (project / folder / "rules").mkdir(parents=True)
        (project / folder / "rules" / "same.md").write_text(f"---\n{text}\n---\nB\n")
    (project / "said.txt").write_text("I import old_module and new_module.\n")
    lines = ttsr_ls(capsys, "watch", "--from", "text", "--no-log", "said.txt").out.splitlines()
    assert lines[-3].startswith("2 triggers of 2 rules in 1 turn, ")
    assert lines[-2:] == ["     1 × same (omp)", "     1 × same (pi-ttsr)"]


def test_reference_matching_reports_a_rule_once_per_stream(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path
) -> None:
    arguments = ["watch", "--from", "claude", "--rules", str(rules), "--matching", "reference", str(SAMPLE)]
    assert "\n2 triggers of 1 rule" in ttsr_ls(capsys, *arguments).out


def test_the_agent_is_detected_from_the_first_lines(capsys: pytest.CaptureFixture[str], rules: Path) -> None:
    ran = ttsr_ls(capsys, "watch", "--no-log", "--rules", str(rules), str(SAMPLE))
    assert ran.out.startswith("Watching claude with ")
    assert "\n2 triggers of 1 rule" in ran.out
    codex = ttsr_ls(capsys, "watch", "--no-log", "--rules", str(rules), str(SAMPLE.parents[1] / "codex" / "exec.jsonl"))
    assert codex.out.startswith("Watching codex with ")
    assert "Text, thinking and tool calls come whole, once each is complete." in codex.out


def test_output_of_no_known_agent_is_refused(capsys: pytest.CaptureFixture[str], state: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Buy milk.\n")
    ran = ttsr_ls(capsys, "watch", str(notes))
    assert ran.status == 2
    assert "cannot detect the format of this output; name it with --from (acp, " in ran.err
    notes.write_text("\n")
    ran = ttsr_ls(capsys, "watch", str(notes))
    assert ran.status == 2
    assert "the input was empty: did the agent start?" in ran.err
    assert not logs(state)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "claude", "no-such-file"], "cannot read no-such-file"),
        (["--from", "claude", "."], "cannot read ."),
        (["--from", "claude", "--cwd", "no-such-folder", "-"], "there is no folder no-such-folder"),
        (["--from", "claude", "--rules", "no-such-folder", "-"], "there is no folder no-such-folder"),
        (["--from", "nobody", "-"], "invalid choice: 'nobody'"),
        (["--from", "claude", "--log", "x", "--no-log", "-"], "not allowed with"),
    ],
)
def test_invalid_arguments_are_refused(
    capsys: pytest.CaptureFixture[str], state: Path, arguments: list[str], message: str
) -> None:
    ran = ttsr_ls(capsys, "watch", *arguments)
    assert ran.status == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert not logs(state)


def test_a_stream_that_is_too_long_is_reported(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, project: Path
) -> None:
    written = {"file_path": "b.ts", "content": "x" * LIVE.stream_length + " import deprecated_module"}
    call = {"type": "tool_use", "id": "a", "name": "Write", "input": written}
    stream = project / "long.jsonl"
    stream.write_text(json.dumps({"type": "assistant", "message": {"content": [call]}}) + "\n")
    lines = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), str(stream)).out.splitlines()
    assert [line for line in lines if "the rest of it is not matched" in line and "toolcall:a" in line]
    assert not [line for line in lines if "fired" in line]


def test_hostile_text_is_escaped(capsys: pytest.CaptureFixture[str], rules: Path, state: Path, tmp_path: Path) -> None:
    sample = tmp_path / "hostile.jsonl"
    hostile = "\\u001b[2J\\u001b]0;x\\u0007"
    sample.write_text(
        SAMPLE.read_text().replace("import de", f"{hostile}import de").replace("/srv/agents/proj", "/\\u001b[31m")
    )
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), str(sample))
    assert "no-old would interrupt" in ran.out
    assert "\x1b" not in ran.out + ran.err


def test_a_condition_that_is_too_slow_is_reported(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, project: Path
) -> None:
    slow = r"(.+)(.+)(.+)(.+)X\4\3\2\1c"
    distinct = "".join(map(chr, range(0x4E00, 0x4E50)))
    (rules / "slow.md").write_text(f"---\ncondition: '{slow}'\n---\nNo.\n")
    stream = project / "slow.jsonl"
    text = {"type": "text", "text": f"{distinct}X{distinct}c"}
    answer = {"id": "m1", "model": "m", "role": "assistant", "content": [text]}
    stream.write_text(json.dumps({"type": "assistant", "message": answer, "parent_tool_use_id": None}) + "\n")
    lines = ttsr_ls(capsys, "watch", "--from", "claude", "--rules", str(rules), str(stream)).out.splitlines()
    assert f"warning: The condition {slow} of slow takes too long and is disabled." in lines


def test_json_lines_have_the_content_of_the_report(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, project: Path
) -> None:
    ran = ttsr_ls(capsys, "watch", str(SAMPLE), "--rules", str(rules), "--json")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    kinds = [line["type"] for line in lines]
    assert (ran.status, kinds[0], kinds[-1]) == (0, "note", "summary")
    trigger, write = [line for line in lines if line["type"] == "trigger"]
    assert (write["tool"], write["path"]) == ("write", "/srv/agents/proj/demo.py")
    assert trigger["rule"] == "no-old"
    assert trigger["match"] == "import deprecated_module"
    assert trigger["source"] == "text"
    assert trigger["notLogged"] is None
    assert lines[-1]["triggers"] == {"no-old": 2}
    assert lines[-1]["turns"] == kinds.count("turn") > 0
    assert ttsr_ls(capsys, "watch", str(SAMPLE), "--format", "text", "--json").status == 2


def test_quiet_prints_only_the_triggers(
    capsys: pytest.CaptureFixture[str], rules: Path, state: Path, project: Path
) -> None:
    ran = ttsr_ls(capsys, "watch", str(SAMPLE), "--rules", str(rules), "--quiet")
    assert len(ran.out.splitlines()) == 6
    assert "no-old would interrupt text" in ran.out
