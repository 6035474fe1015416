"""Translation of patterns that do not compile, and patterns without a known translation."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.analysis.slips.repair import (
    close_class,
    close_group,
    remove_parenthesis,
    translate_from_other_dialect,
)
from ttsr_ls.rules.condition import compile_condition


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("foo(?i)bar", "foo(?i:bar)"),
        ("(?i)a(?m)^b", "(?i)a(?m:^b)"),
        ("((?i)a)", "((?i:a))"),
        ("(?u)é", "é"),
        ("(?iu)é", "(?i)é"),
        (r"(?P<x>a)(?P=x)", r"(?<x>a)\k<x>"),
        ("a++b*+", "a+b*"),
        ("x{2}+", "x{2}"),
        ("(?>ab)c", "(?:ab)c"),
        ("(?#note)a", "a"),
        ("(?:a|b", "(?:a|b)"),
        ("(?<x>a(?=b)", "(?<x>a(?=b))"),
    ],
)
def test_syntax_of_other_dialects_is_translated(source: str, fixed: str) -> None:
    assert translate_from_other_dialect(source) == fixed
    compile_condition(fixed)
    assert translate_from_other_dialect(fixed) is None


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("console.log(", r"console.log\("),
        ("(", r"\("),
        ("foo)", r"foo\)"),
        ("a[0", r"a\[0"),
        ("x|+y", r"x|\+y"),
        ("(?i)(*a)", r"(?i)(\*a)"),
        ("a\\", "a\\\\"),
        ("eval((a", r"eval\(\(a"),
    ],
)
def test_unmatched_brackets_and_quantifiers_become_literals(source: str, fixed: str) -> None:
    assert translate_from_other_dialect(source) == fixed


@pytest.mark.parametrize(
    "source", ["(?", "**", "*a", "(?x)a b", "a(?i)b|c", "(?R)", "a" * 3000 + "++", "(?P=x)", "(?i)a"]
)
def test_patterns_without_a_known_translation(source: str) -> None:
    assert translate_from_other_dialect(source) is None


@pytest.mark.parametrize(
    ("written", "closed"),
    [
        ("(as any", "(as any)"),
        (r"x|\b(as any", r"x|\b(as any)"),
        ("(?i)(as any", "(?i)(as any)"),
        ("eval(", None),
        ("eval(x", None),
        ("(", None),
        ("(a|(b", None),
        ("(as any)", None),
    ],
)
def test_close_group_closes_a_group_unless_it_is_a_call(written: str, closed: str | None) -> None:
    assert close_group(written) == closed


@pytest.mark.parametrize(
    ("written", "closed"),
    [
        ("[a-z", "[a-z]"),
        ("(?i)x[^,", "(?i)x[^,]"),
        (r"\b[\w.", r"\b[\w.]"),
        ("items[0", None),
        ("[", None),
        ("[a-z](", None),
    ],
)
def test_close_class_closes_a_class_unless_the_bracket_may_be_literal(written: str, closed: str | None) -> None:
    assert close_class(written) == closed


@pytest.mark.parametrize(
    ("written", "without"),
    [
        (r"log\()", r"log\("),
        ("(?i)foo)", "(?i)foo"),
        (")", None),
        ("a)b)", None),
        ("(a)", None),
    ],
)
def test_remove_parenthesis_removes_the_only_unmatched_one(written: str, without: str | None) -> None:
    assert remove_parenthesis(written) == without
