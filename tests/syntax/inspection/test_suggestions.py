"""Suggestions for wrong words, tokens, and globs."""

from __future__ import annotations

import re

import pytest

from ttsr_ls.syntax.frontmatter.quoting import escapes, intended_pattern, single_quoted
from ttsr_ls.syntax.inspection.globs import joined_in_braces, split_at_commas
from ttsr_ls.syntax.inspection.key_names import suggest_key
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.scope.repair import repair_scope_token


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("condtion", "condition"),
        ("conditoin", "condition"),
        ("CONDITION", "condition"),
        ("conndittion", "condition"),
        ("connndittion", None),
        ("scpoe", "scope"),
        ("scop", "scope"),
        ("sco", None),
        ("hat", None),
        ("a", None),
        ("", None),
        ("x" * 100, None),
    ],
)
def test_the_nearest_word_is_suggested(word: str, meant: str | None) -> None:
    assert nearest_word(word, ("condition", "scope", "globs")) == meant


def test_no_words_have_no_nearest_word() -> None:
    assert nearest_word("condition", ()) is None


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("Condition", "condition"),
        ("CONDITIONS", "condition"),
        ("trigger", "condition"),
        ("regex", "condition"),
        ("ast_condition", "astCondition"),
        ("AstCondition", "astCondition"),
        ("interrupt_mode", "interruptMode"),
        ("always_apply", "alwaysApply"),
        ("glob", "globs"),
        ("paths", "globs"),
        ("enabeld", "enabled"),
        ("TTSR-TRIGGER", "condition"),
        ("author", None),
        ("version", None),
    ],
)
def test_a_wrong_key_has_a_suggestion(spelling: str, key: str | None) -> None:
    suggestion = suggest_key(spelling)
    assert (suggestion.name if suggestion else None) == key


@pytest.mark.parametrize(
    ("token", "meant"),
    [
        ("*", "text, thinking, tool"),
        ("tool:*", "tool"),
        ("tool:", "tool"),
        ("tool()", "tool"),
        ("tool:()", "tool"),
        ("tool:edit()", "tool:edit"),
        ("tool:(*.ts)", "tool(*.ts)"),
        ("tool: edit", "tool:edit"),
        ("tool :edit (*.ts)", "tool:edit(*.ts)"),
        ("edit (*.ts)", "edit(*.ts)"),
        ("toolcall:edit", "tool:edit"),
        ("tools:edit(*.ts)", "tool:edit(*.ts)"),
        ("text:foo", "text"),
        ("tool:edit|write", "tool:edit, tool:write"),
        ("edit|write(*.ts)", "tool:edit(*.ts), tool:write(*.ts)"),
        ("tool:edit|tool:write", "tool:edit, tool:write"),
        ("text thinking", "text, thinking"),
        ("text;thinking", "text, thinking"),
        ("[text, thinking]", "text, thinking"),
        ("tool:edit(*.ts", "tool:edit(*.ts)"),
        ("tool:edit(*.ts, text", "tool:edit(*.ts), text"),
        ("tool:edit(*.{ts,tsx}", "tool:edit(*.{ts,tsx})"),
        ("tool:edit(*.{ts,tsx, text", None),
        ("tool:edit(*.ts, text, *.md", None),
        ("tool:edit(*.ts, *.md", "tool:edit(*.ts), tool:edit(*.md)"),
        ("it's,text", None),
        ("tool:edit(@(a|b))", None),
        ("tool:edit(a)(b)", None),
        ("tool:mcp__a.b", None),
        ("when it streams", None),
        ("mcp__github__*", None),
        ("tool:mcp__*", None),
        ("bash*", None),
        ("*_file", None),
        ("*.py", "tool:edit(*.py), tool:write(*.py)"),
        ("src/*", "tool:edit(src/*), tool:write(src/*)"),
    ],
)
def test_a_wrong_scope_token_has_a_repair(token: str, meant: str | None) -> None:
    reason, replacement = repair_scope_token(token)
    assert replacement == meant
    assert re.fullmatch(r"[A-Z`].*\.", reason)


@pytest.mark.parametrize(
    ("glob", "parts", "braces"),
    [
        ("*.ts,*.tsx", ["*.ts", "*.tsx"], "*.{ts,tsx}"),
        ("*.ts, *.js", ["*.ts", "*.js"], "*.{ts,js}"),
        ("src/a.ts,src/b.ts", ["src/a.ts", "src/b.ts"], "src/{a.ts,b.ts}"),
        ("*.{a,b},*.{a,c}", ["*.{a,b}", "*.{a,c}"], "*.{{a,b},{a,c}}"),
        ("a,b", ["a", "b"], "{a,b}"),
    ],
)
def test_globs_are_split_at_commas_and_joined_in_braces(glob: str, parts: list[str], braces: str) -> None:
    assert split_at_commas(glob) == parts
    assert joined_in_braces(parts) == braces


@pytest.mark.parametrize("glob", ["*.{a,b}", "[,]", "a\\,b", "a,", ",", "a"])
def test_commas_that_do_not_separate_do_not_split_a_glob(glob: str) -> None:
    assert split_at_commas(glob) == [glob]


@pytest.mark.parametrize(
    ("body", "pattern"),
    [
        ("\\d+", "\\d+"),
        ("\\bany\\b", "\\bany\\b"),
        ('say \\"hi\\"', 'say "hi"'),
        ("a\\\\.b", "a\\.b"),
        ("\\x2e\\u0041", "\\x2e\\u0041"),
        ("\\U0001F600", "😀"),
        ("a\\ b", "a b"),
        ("\\", "\\"),
        ("a\nb", None),
    ],
)
def test_the_intended_pattern_of_a_double_quoted_text_is_recovered(body: str, pattern: str | None) -> None:
    assert intended_pattern(body) == pattern


def test_escapes_have_their_yaml_values() -> None:
    found = [(escape.written, escape.value) for escape in escapes('a\\d\\n\\x41\\x4\\u00e9\\U00110000\\"\\')]
    assert found == [
        ("\\d", None), ("\\n", "\n"), ("\\x41", "A"), ("\\x", None), ("\\u00e9", "é"), ("\\U00110000", None),
        ('\\"', '"'), ("\\", None),
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "quoted"), [("it's", "'it''s'"), ("", "''"), ("a\nb", None), ("a\rb", None)])
def test_texts_are_quoted_with_single_quotes(text: str, quoted: str | None) -> None:
    assert single_quoted(text) == quoted


@pytest.mark.parametrize(
    ("key", "named"), [("flags", "(?i)"), ("maxFirings", "repeatMode"), ("repeat_gap", "repeatGap")]
)
def test_keys_of_other_programs_are_explained_and_not_renamed(key: str, named: str) -> None:
    file = read_rule(f"---\ncondition: foo\n{key}: 1\n---\nBody", name="rule", path="rule.md")
    [problem] = file.problems
    assert (problem.code, problem.replacement) == ("unknown-key", None)
    assert named in problem.message
