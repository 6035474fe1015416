"""The fields of a rule, read from its frontmatter (spec K, C1, C2)."""

from __future__ import annotations

import pytest

from ttsr_ls.syntax.fields import is_file_glob
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import Fields


def fields(lines: str) -> Fields:
    return read_rule(f"---\n{lines}\n---\nBody", name="rule", path="rule.md").fields


@pytest.mark.parametrize(
    ("lines", "conditions"),
    [
        ("condition: foo", ["foo"]),
        ("condition: [foo, ' bar ', foo, '', ' ', bar]", ["foo", "bar"]),
        ("condition: [1, true, ~, [x], {a: b}, foo]", ["foo"]),
        ("condition: 12", []),
        ("condition: |\n  foo\n", ["foo"]),
        ("condition: '\u00a0\ufefffoo\u2028'", ["foo"]),
        ("condition: '\x1cfoo\x85'", ["\x1cfoo\x85"]),
        ("ttsr_trigger: foo", ["foo"]),
        ("ttsrTrigger: foo", ["foo"]),
        ("ttsr-trigger: foo", ["foo"]),
        ("ttsrTrigger: bar\nttsr_trigger: foo", ["foo"]),
        ("condition: bar\nttsr_trigger: foo", ["bar"]),
        ("condition: ''\nttsr_trigger: foo", []),
        ("condition: []\nttsr_trigger: foo", []),
        ("condition: false\nttsr_trigger: foo", []),
        ("condition:\nttsr_trigger: foo", ["foo"]),
        ("condition: ~\nttsr_trigger: ~\nttsrTrigger: foo", ["foo"]),
        ("Condition: foo", []),
    ],
)
def test_conditions_are_trimmed_and_distinct(lines: str, conditions: list[str]) -> None:
    assert [condition.value for condition in fields(lines).conditions] == conditions


@pytest.mark.parametrize(
    ("lines", "conditions", "scope"),
    [
        ("condition: '*.rs'", [".*"], ["tool:edit(*.rs)", "tool:write(*.rs)"]),
        ("condition: [foo, '*.rs']", ["foo"], ["tool:edit(*.rs)", "tool:write(*.rs)"]),
        ("condition: '*.rs'\nscope: text", [".*"], ["text", "tool:edit(*.rs)", "tool:write(*.rs)"]),
        ("condition: '*.rs'\nscope: tool:write(*.rs)", [".*"], ["tool:write(*.rs)", "tool:edit(*.rs)"]),
        ("condition: ['.*', '*.rs']", [".*"], ["tool:edit(*.rs)", "tool:write(*.rs)"]),
    ],
)
def test_a_condition_that_is_a_glob_becomes_a_scope(lines: str, conditions: list[str], scope: list[str]) -> None:
    read_fields = fields(lines)
    assert [condition.value for condition in read_fields.conditions] == conditions
    assert [token.text.value for token in read_fields.scope] == scope
    assert [glob.value for glob in read_fields.shorthand_globs] == ["*.rs"]


@pytest.mark.parametrize(
    ("text", "is_glob"),
    [
        *[(text, True) for text in (
            "*.rs", "src/**", "a/b?", "https?://x", "</?div>", "TODO/FIXME.*", "and/or.*", "a{2}/b", "[A-Za-z0-9/]{16}",
            "*.a,b", "*.{a}", "*.\x85",
        )],
        *[(text, False) for text in (
            "error.*timeout", "foo?", "[abc]", "*.", "a/b", "*.a b", "*.a\u00a0b", "x*.rs", "*rs", r"src/\w*", "^src/*",
            "src/*$", "src/.+*", "a|src/*", "(src/*)", "",
        )],
    ],
)  # fmt: skip
def test_file_globs_among_conditions_are_recognised(text: str, is_glob: bool) -> None:
    assert is_file_glob(text) is is_glob


@pytest.mark.parametrize(
    ("lines", "agents"),
    [
        ("agents: main", ["main"]),
        ("agents: Main, SUB, main", ["main", "sub"]),
        ("agents: ['{a , b}', '{A,B}', '!x']", ["{a,b}", "!x"]),
        ("agents: \u0130", ["i\u0307"]),
        ("agents: 1", []),
    ],
)
def test_agents_are_split_and_lower_case(lines: str, agents: list[str]) -> None:
    assert [agent.value for agent in fields(lines).agents] == agents


@pytest.mark.parametrize(
    ("lines", "globs"),
    [
        ("globs: '*.ts'", ["*.ts"]),
        ("globs: '*.ts,*.tsx'", ["*.ts,*.tsx"]),
        ("globs: [' *.ts ', 1, '*.ts', '']", [" *.ts ", "*.ts", ""]),
        ("globs: {a: b}", []),
    ],
)
def test_globs_are_neither_split_nor_trimmed(lines: str, globs: list[str]) -> None:
    assert [glob.value for glob in fields(lines).globs] == globs


@pytest.mark.parametrize(
    ("lines", "mode"),
    [
        ("interruptMode: never", "never"),
        ("interrupt-mode: 'prose-only'", "prose-only"),
        ("interruptMode: Never", None),
        ("interruptMode: 'never '", None),
        ("interruptMode: [never]", None),
        ("interrupt_mode: never", None),
    ],
)
def test_only_known_interrupt_modes_are_read(lines: str, mode: str | None) -> None:
    assert fields(lines).interrupt_mode == mode


@pytest.mark.parametrize(
    ("lines", "enabled"),
    [
        ("", True),
        ("enabled: false", False),
        ("enabled: FALSE", False),
        ("enabled: 'false'", True),
        ("enabled: no", True),
    ],
)
def test_only_the_boolean_false_disables_a_rule(lines: str, enabled: bool) -> None:
    assert fields(lines).enabled is enabled


@pytest.mark.parametrize(
    ("lines", "always"),
    [("", False), ("alwaysApply: true", True), ("always-apply: True", True), ("alwaysApply: 'true'", False)],
)
def test_only_the_boolean_true_sets_always_apply(lines: str, always: bool) -> None:
    assert fields(lines).always_apply is always


@pytest.mark.parametrize(
    ("lines", "question", "description"),
    [
        ("question: ' Is it? '\ndescription: ' x '", "Is it?", " x "),
        ("question: [Is it?]\ndescription: [x]", None, None),
        ("question: ' '\ndescription: ''", None, ""),
        ("question: 12\ndescription: 12", None, None),
    ],
)
def test_question_and_description_are_read_from_strings_only(
    lines: str, question: str | None, description: str | None
) -> None:
    read_fields = fields(lines)
    assert (read_fields.question.value if read_fields.question else None, read_fields.description) == (
        question,
        description,
    )


@pytest.mark.parametrize(
    ("lines", "ast"),
    [
        ("ast-condition: a\nastCondition: b", ["b"]),
        ("astCondition: b\nast-condition: a", ["a"]),
        ("ast-condition: a\nastCondition: b\nast-condition: c", ["b"]),
        ("astCondition: ['*.rs', ' foo($A) ']", ["*.rs", "foo($A)"]),
    ],
)
def test_the_later_spelling_of_ast_condition_is_effective(lines: str, ast: list[str]) -> None:
    assert [pattern.value for pattern in fields(lines).ast_conditions] == ast
