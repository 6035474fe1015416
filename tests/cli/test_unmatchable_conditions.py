"""`check`, `why`, `explain`, and `list` agree on which conditions of a rule no text matches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]
NEVER = [
    pytest.param("astCondition: foo(\nscope: tool:edit(*.ts)", "`foo(` cannot be parsed in TypeScript.", id="broken"),
    pytest.param("astCondition: a; b\nscope: tool:edit(*.ts)", "`a; b` is not a single node in", id="several nodes"),
    pytest.param("astCondition: foo($A)\nscope: text", "never evaluated: only text that the tools", id="no tool"),
    pytest.param("astCondition: foo($A)\nglobs: '*.scss'", "never evaluated: the files in its scope", id="no grammar"),
    pytest.param("condition: a^b", "No text matches this condition", id="regular expression"),
    pytest.param("condition: a^b\nquestion: Is it so?", "No text matches this condition", id="filter of a question"),
]
PARTLY = [
    pytest.param("condition: bar\nastCondition: foo(\nscope: [text, 'tool:edit(*.ts)']", "foo(", id="broken"),
    pytest.param("condition: bar\nastCondition: foo($A)\nscope: text", "foo($A)", id="never evaluated"),
    pytest.param("condition: [bar, a^b]", "a^b", id="regular expression"),
]


@pytest.mark.parametrize(("fields", "reason"), NEVER)
def test_a_rule_that_never_fires_has_the_same_reason_in_all_commands(
    fields: str, reason: str, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": f"---\n{fields}\n---\nUse `b` instead.\n"})
    assert reason in ttsr_ls(capsys, "check", ".omp/rules").out
    assert ttsr_ls(capsys, "explain", "a").out.startswith("a\n\nNever fires: ")
    why = json.loads(ttsr_ls(capsys, "why", "a", "--json").out)
    assert why["stoppedBy"] == "matches"
    assert reason in why["gates"][-1]["text"]
    _, row = ttsr_ls(capsys, "list").out.splitlines()
    assert row.startswith("a     ttsr    native    never fires: ")
    assert reason in row
    (rule,) = json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)
    assert (rule["bucket"], rule["why"]) == ("ttsr", row.partition("native    ")[2])


@pytest.mark.parametrize(("fields", "pattern"), PARTLY)
def test_a_condition_that_never_matches_is_named_beside_the_others(
    fields: str, pattern: str, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": f"---\n{fields}\n---\nUse `b` instead.\n"})
    sentence = f"`{pattern}` never matches: `ttsr-ls check` says why."
    why = json.loads(ttsr_ls(capsys, "why", "a", "--json").out)
    assert why["stoppedBy"] is None
    assert why["gates"][-1]["text"] == f"It fires on `bar`. {sentence} Try a text with `--text` or `--file`."
    explained = ttsr_ls(capsys, "explain", "a").out
    assert explained.startswith("a\n\nFires: ")
    assert f"\n{sentence}\n" in explained
    row = ttsr_ls(capsys, "list").out.splitlines()[1]
    assert "fires on /bar/ in " in row
    assert row.endswith("; 1 of its conditions never matches")


def test_one_text_as_a_regular_expression_and_as_a_pattern_that_is_never_evaluated(
    project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": "---\ncondition: foo\nastCondition: foo\nscope: text\n---\nx\n"})
    assert json.loads(ttsr_ls(capsys, "why", "a", "--text", "foo", "--json").out)["stoppedBy"] is None
    assert ttsr_ls(capsys, "explain", "a").out.startswith("a\n\nFires: ")
    assert "fires on /foo/" in ttsr_ls(capsys, "list").out
