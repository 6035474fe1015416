"""Trying rules from an editor: the stream is the one that is meant, and the report says what happened."""

from __future__ import annotations

from typing import Any

import pytest

from ttsr_ls.ide.trial.editor_trial import (
    TrialRequest,
    trial_json,
    trial_markdown,
    trial_summary_line,
    try_rule,
    try_rules,
)
from ttsr_ls.ide.trial.rule_trial import RuleTrial, run_trial
from ttsr_ls.rule_tests.sample_path import sample_path
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.syntax.reader import read_rule


def rule(frontmatter: str, name: str = "a") -> Rule:
    made = register(read_rule(f"---\n{frontmatter}\n---\nno\n", name=name, path=f"/p/{name}.md"), "test").rule
    assert made is not None
    return made


def only(*rules: Rule) -> RulesByDialect:
    return RulesByDialect(RuleSet(rules))


@pytest.mark.parametrize(
    ("frontmatter", "source", "tool", "path"),
    [
        ("condition: x", Source.TEXT, None, None),
        ("condition: x\nscope: thinking", Source.THINKING, None, None),
        ("condition: x\nscope: tool", Source.TOOL, "edit", None),
        ("condition: x\nscope: tool:bash", Source.TOOL, "bash", None),
        ("condition: x\nscope: tool:write(src/**/*.{ts,tsx})", Source.TOOL, "write", "src/file.ts"),
        ("condition: x\nscope: tool:bash\nglobs: '*.sh'", Source.TOOL, "bash", None),
        ("condition: x\nscope: tool:bash(*.sh)", Source.TOOL, "bash", None),
        ("condition: x\nscope: bash(*.sh), write(*.md)", Source.TOOL, "write", "file.md"),
        ("condition: x\nglobs: '*.py'", Source.TOOL, "edit", "file.py"),
        ("condition: x\nglobs: '!*.py'\nscope: text", Source.TOOL, "edit", None),
    ],
)
def test_a_rule_is_tried_on_a_stream_in_its_scope(
    frontmatter: str, source: Source, tool: str | None, path: str | None
) -> None:
    result = try_rule(only(rule(frontmatter)), TrialRequest("x"), "/p")
    assert (result.context.source, result.context.tool) == (source, tool)
    assert result.context.paths == ((path,) if path is not None else ())


def test_a_rule_is_tried_on_the_requested_stream() -> None:
    result = try_rule(only(rule("condition: x")), TrialRequest("x", Source.THINKING), "/p")
    assert trial_summary_line(result) == "The scope of 'a' does not admit thinking, only text and tool calls."
    assert "does not admit this kind of stream" in trial_markdown(result)
    assert "`x` matches nevertheless" in trial_markdown(result)


@pytest.mark.parametrize("scope", ["tool:edit(src/*.ts)", "tool:write(src/*.ts)"])
def test_without_a_tool_a_text_of_a_file_is_both_edited_and_written(scope: str) -> None:
    result = try_rules(only(rule(f"condition: x\nscope: {scope}")), TrialRequest("x", path="/p/src/a.ts"), "/p")
    assert trial_summary_line(result) == "'a' fires on this edit of src/a.ts."
    named = try_rules(
        only(rule(f"condition: x\nscope: {scope}")), TrialRequest("x", tool="bash", path="/p/src/a.ts"), "/p"
    )
    assert not named.result.fired


def test_the_summary_of_many_rules() -> None:
    rules = [rule("condition: x", "a"), rule("condition: y", "b"), rule("condition: x", "c")]
    assert (
        trial_summary_line(try_rules(only(*rules), TrialRequest("x"), "/p")) == "2 of 3 rules fire on this text: a, c."
    )
    assert trial_summary_line(try_rules(only(*rules), TrialRequest("z"), "/p")) == "None of 3 rules fires on this text."
    many_rules = [rule("condition: x", f"r{number}") for number in range(7)]
    assert trial_summary_line(try_rules(only(*many_rules), TrialRequest("x"), "/p")).endswith("r0, r1, r2, r3, r4…")


def test_the_json_result_has_offsets_of_triggers() -> None:
    (found,) = trial_json(try_rule(only(rule("condition: bb")), TrialRequest("😀 abba"), "/p"))["rules"]
    assert found["fires"]
    assert [(one["condition"], one["start"], one["end"]) for one in found["triggers"]] == [("bb", 3, 5)]


@pytest.mark.parametrize(
    ("scope", "globs", "path"),
    [
        ("*.ts", [], "file.ts"),
        ("**/*.{ts,tsx}", [], "file.ts"),
        (None, ["src/**"], "src/file"),
        (None, ["src/{a,b}/[cd]?.py"], "src/a/cx.py"),
        (None, ["{a,{b,c}}.md"], "a.md"),
        (None, ["[!a].ts", "*.py"], "file.py"),
        (None, ["*.ts", "*.py"], "file.ts"),
        (None, ["[!a].ts"], None),
        (None, [], None),
        ("*.ts", ["src/**"], "src/file.ts"),
        ("*.ts", ["src/*"], "src/file.ts"),
        ("*.ts", ["src/**/*"], "src/file.ts"),
        ("*.ts", ["**/src/**"], "src/file.ts"),
        ("**/*.ts", ["src/**"], "src/file.ts"),
        ("*.{ts,tsx}", ["src/**"], "src/file.ts"),
        ("*.{ts,tsx}", ["src/*.tsx"], "src/file.tsx"),
        ("src/**", ["*.ts"], "src/file.ts"),
        ("test_*", ["*.py"], "test_file.py"),
        ("*.ts", ["*.py", "lib/**"], "lib/file.ts"),
        ("*.ts", ["*.py"], None),
    ],
)
def test_a_sample_path_is_one_that_the_scope_and_one_of_the_globs_match(
    scope: str | None, globs: list[str], path: str | None
) -> None:
    assert sample_path(scope, globs) == path


def test_a_sample_path_of_many_alternatives_takes_bounded_work() -> None:
    many = "{" + ",".join(f"a{number}" for number in range(60)) + "}"
    assert sample_path(f"{many}/{many}/{many}.ts", [f"{many}/{many}.py"] * 400) is None


def test_a_rule_for_tools_is_reported_as_out_of_scope_for_text() -> None:
    result = try_rule(only(rule("condition: x\nscope: tool:edit(*.ts)")), TrialRequest("x", Source.TEXT), "/p")
    assert trial_summary_line(result) == "The scope of 'a' does not admit text, only tool calls."
    assert trial_markdown(result).splitlines()[0] == "# The scope of 'a' does not admit text, only tool calls."


def test_a_slow_condition_leaves_the_rule_undecided() -> None:
    slow = rule(r"condition: '(.+)(.+)(.+)(.+)X\4\3\2\1$'")
    distinct = "".join(map(chr, range(0x4E00, 0x4E50)))
    text = f"aaa{distinct}X{distinct}!"
    result = try_rule(only(slow), TrialRequest(text), "/p")
    assert trial_summary_line(result) == "Not decided in time: whether 'a' fires on this text."
    assert "no condition matches" not in trial_markdown(result)
    trial_result = try_rules(only(slow, rule("condition: aaa", "b")), TrialRequest(text), "/p")
    assert trial_summary_line(trial_result) == "1 of 2 rules fires on this text: b. 1 was not decided in time."


def test_a_rule_for_edits_and_writes_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, ...]] = []

    def recording(rules: tuple[Rule, ...], *args: Any, **kwargs: Any) -> RuleTrial:
        tried.append(tuple(each_rule.name for each_rule in rules))
        return run_trial(rules, *args, **kwargs)

    monkeypatch.setattr("ttsr_ls.ide.trial.rule_trial.run_trial", recording)
    both_rule, edit = rule("condition: x", "both"), rule("condition: x\nscope: tool:edit", "edit")
    write = rule("condition: x\nscope: tool:write", "write")
    result = try_rules(only(both_rule, edit, write), TrialRequest("x", path="/p/src/a.ts"), "/p").result
    assert tried == [("both", "edit", "write"), ("write",)]
    assert [outcome.rule.name for outcome in result.fired] == ["both", "edit", "write"]
