"""What checks keep in memory for an editor, in which each keystroke makes another condition."""

from __future__ import annotations

import gc

import pytest

from ttsr_ls.esregex.analysis.effect.redundant_parts import redundant_parts
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.rules.condition import Condition
from ttsr_ls.syntax.reader import read_rule

PATH = "/home/me/shop/.omp/rules/a.md"
LONG = 5_000
KEYSTROKES = 20


@pytest.mark.parametrize("part", [r"\b", "x|", "(?!a)", r"\bfoo(?!bar)"])
def test_versions_of_a_long_condition_are_forgotten(part: str) -> None:
    for number in range(KEYSTROKES):
        text = f"---\ncondition: 'version{number}{part * (LONG // len(part))}y'\nscope: text\n---\nDo not.\n"
        check_file(read_rule(text, name="a", path=PATH), LintContext(location=PATH))
    kept = {
        found.source for found in gc.get_objects() if type(found) is Condition and found.source.startswith("version")
    }
    assert len(kept) < KEYSTROKES / 2


def test_findings_are_not_tracked_by_the_collector() -> None:
    """A pattern can have thousands, for which each full pass of the collector would delay a request."""
    pattern = parse(r"\b" * 100)
    text = "---\ncondition: '" + r"\b" * 100 + "'\n---\nDo not.\n"
    findings = check_file(read_rule(text, name="a", path=PATH), LintContext(location=PATH))
    parts = tuple(redundant_parts(pattern))
    assert len(findings) > 50 < len(parts)
    assert not any(map(gc.is_tracked, (*findings, *parts)))
    assert not any(gc.is_tracked(fix) or any(map(gc.is_tracked, fix.edits)) for one in findings for fix in one.fixes)
