"""Fixing a file: it ends, doing it again changes nothing more, and no new finding comes of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lint.fixes.fix_promises import assert_keeps_its_promises, check_rule
from tests.lint.rule_texts import rule_texts
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.fixes.fixed_file import apply_edits, fix_file
from ttsr_ls.text import Span

SAFE = frozenset((Safety.SAFE,))
ALL = frozenset(Safety)


@given(rule_texts(), st.sampled_from([SAFE, ALL]))
@settings(deadline=None)
def test_fixes_of_any_rule_keep_the_promises(text: str, allowed: frozenset[Safety]) -> None:
    assert_keeps_its_promises(text, allowed)


@pytest.mark.parametrize(
    ("text", "safe", "unsafe"),
    [
        ('condition: "\\d+x"\nname: other\n', "condition: '\\d+x'\n", None),
        ("condition: [foo, foo, foo, bar]\n", "condition: [foo, bar]\n", None),
        ("ttsr_trigger: foo\n", "condition: foo\n", None),
        ("condition: foo\r\nname: x\r\nenabled: true\r\n", "condition: foo\r\nenabled: true\r\n", None),
        ("Condition: foo\nscope: prose\n", "condition: foo\nscope: prose\n", "condition: foo\nscope: text\n"),
        ("condition: [a-z]+x\nglobs: [b]+/*.py\n", "condition: '[a-z]+x'\nglobs: '[b]+/*.py'\n", None),
        ("condition: '\\\\bfoo\\\\b'\n", None, "condition: '\\bfoo\\b'\n"),
        ("condition: ': git\\b'\nscope: bash\n", None, "condition: ': git(?=\\W)'\nscope: bash\n"),
        ("condition: ': any\\b'\nscope: text\n", None, None),
        ("conditions: foo\n", None, "condition: foo\n"),
        ("condition: foo\ninterruptMode: prose\nscope: text\n", None,
         "condition: foo\ninterruptMode: prose-only\nscope: text\n"),
        ("condition: foo\nscope: [prose, assistant]\n", None, "condition: foo\nscope: [text]\n"),
        ("condition: foo\nscope: prose, assistant, prose, cot\n", None, "condition: foo\nscope: text, thinking\n"),
        ("condition: foo\nscope: prose, everything\n", None, "condition: foo\nscope: text, thinking, tool\n"),
        ("condition: foo\nscope: [everything, 'prose']\n", None, "condition: foo\nscope: [text, thinking, tool]\n"),
        ("condition: foo\nscope: [tool:str_replace(*.py), tool:Edit(*.py)]\n", None,
         "condition: foo\nscope: [tool:Edit(*.py)]\n"),
    ],
)  # fmt: skip
def test_fix_file_applies_safe_and_unsafe_fixes(text: str, safe: str | None, unsafe: str | None) -> None:
    def rule(frontmatter: str) -> str:
        return f"---\n{frontmatter}---\nSay so.\n"

    expected = text if safe is None else safe
    assert fix_file(rule(text), check_rule, SAFE).text == rule(expected)
    assert fix_file(rule(text), check_rule, ALL).text == rule(expected if unsafe is None else unsafe)


def finding(code: str, fix: Fix) -> Finding:
    return Finding(code, Severity.ERROR, f"{code} at {fix.edits[0].span.start}.", fix.edits[0].span, (fix,))


def replaced(start: int, end: int, text: str, title: str = "Replace", *, safety: Safety = Safety.SAFE) -> Fix:
    return Fix(title, (Edit(Span(start, end), text),), safety)


def test_edits_that_overlap_wait_for_the_next_round() -> None:
    def found(text: str) -> tuple[Finding, ...]:
        return tuple(
            finding("x", replaced(position, position + 2, "c"))
            for position in range(len(text) - 1)
            if text[position : position + 2] == "aa"
        )

    assert fix_file("aaaab", found, SAFE).text == "ccb"


def test_fix_that_makes_a_new_finding_is_not_applied_and_the_others_are() -> None:
    def found(text: str) -> tuple[Finding, ...]:
        bad = [finding("a", replaced(position, position + 1, "x")) for position, char in enumerate(text) if char == "a"]
        worse = [
            finding("b", replaced(position, position + 1, "!")) for position, char in enumerate(text) if char == "b"
        ]
        findings = [
            Finding("c", Severity.ERROR, "C.", Span(position, position))
            for position, char in enumerate(text)
            if char == "!"
        ]
        return (*bad, *worse, *findings)

    file = fix_file("abab", found, SAFE)
    assert (file.text, file.fixed) == ("xbxb", 2)


def found_with_uncovered(text: str) -> tuple[Finding, ...]:
    """An error in each `a`, and two warnings in each `b` that its fix writes."""
    errors = [
        Finding(
            "a",
            Severity.ERROR,
            "A.",
            Span(position, position + 1),
            (replaced(position, position + 1, "b", safety=Safety.UNSAFE),),
        )
        for position, char in enumerate(text)
        if char == "a"
    ]
    uncovered = [
        Finding(code, Severity.WARNING, "Less.", Span(position, position + 1))
        for position, char in enumerate(text)
        if char == "b"
        for code in ("less", "lesser")
    ]
    return (*errors, *uncovered)


def test_unsafe_fix_of_an_error_may_uncover_lesser_findings() -> None:
    file = fix_file("aba", found_with_uncovered, frozenset(Safety))
    assert (file.text, file.fixed, file.rejected) == ("bbb", 2, ())


def test_fix_of_an_error_that_uncovers_an_error_is_rejected() -> None:
    def found(text: str) -> tuple[Finding, ...]:
        code, to = ("one", "b") if text == "a" else ("two", "a")
        return (Finding(code, Severity.ERROR, "E.", Span(0, 1), (replaced(0, 1, to, safety=Safety.UNSAFE),)),)

    assert fix_file("a", found, frozenset(Safety)).text == "a"


def test_fix_that_reveals_findings_is_applied() -> None:
    def found(text: str) -> tuple[Finding, ...]:
        if text.startswith(" "):
            return (finding("frontmatter-not-recognised", replaced(0, 1, "")),)
        return tuple(
            finding("empty-body", replaced(position, position + 1, "b"))
            for position, char in enumerate(text)
            if char == "a"
        )

    assert fix_file(" aa", found, SAFE).text == "bb"


def test_fixes_that_undo_each_other_end() -> None:
    def found(text: str) -> tuple[Finding, ...]:
        other = "b" if text == "a" else "a"
        return (finding("unknown-key", replaced(0, 1, other, f"To {other}")),)

    file = fix_file("a", found, SAFE)
    assert fix_file(file.text, found, SAFE).text == file.text


def test_a_file_whose_fixes_never_converge_is_not_changed() -> None:
    def found(text: str) -> tuple[Finding, ...]:
        return (finding("unknown-key", replaced(len(text), len(text), "a", f"Add {len(text)}")),)

    assert fix_file("a", found, SAFE).text == "a"


@pytest.mark.parametrize(
    ("text", "edits", "after"),
    [
        ("abc", [], "abc"),
        ("abc", [Edit(Span(2, 3), "z"), Edit(Span(0, 1), "x")], "xbz"),
        ("abc", [Edit(Span(0, 1), ""), Edit(Span(1, 2), "")], "c"),
        ("abc", [Edit(Span(0, 1), "x"), Edit(Span(0, 1), "x")], "xbc"),
        ("a\r\nb\r\n", [Edit(Span(3, 3), "x\ny\n")], "a\r\nx\r\ny\r\nb\r\n"),
        ("a\r\nb\r\n", [Edit(Span(3, 3), "x\r\ny\r\n")], "a\r\nx\r\ny\r\nb\r\n"),
        ("a\nb\r\nc\n", [Edit(Span(0, 0), "x\n")], "x\na\nb\r\nc\n"),
        ("a\rb", [Edit(Span(0, 0), "x\n")], "x\ra\rb"),
        ("a", [Edit(Span(1, 1), "\n")], "a\n"),
    ],
)
def test_apply_edits(text: str, edits: list[Edit], after: str) -> None:
    assert apply_edits(text, edits) == after
