"""Matching conditions on a rule's own advice takes a bounded number of steps."""

from __future__ import annotations

import pytest

from tests.lint.case_files import findings_of
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher


def test_testing_suggested_forms_is_bounded_per_file(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0
    counted = BacktrackMatcher.test_counting_steps

    def summed(matcher: BacktrackMatcher, units: str) -> tuple[bool, int]:
        nonlocal taken
        found, steps = counted(matcher, units)
        taken += steps
        return found, steps

    monkeypatch.setattr(BacktrackMatcher, "test_counting_steps", summed)
    slow = [f"  - '(?i)foo{n} .{{0,30}}bar(?:\\w+\\s?)*x(?!\\s+(?:a|b|c)*d{n})'\n" for n in range(60)]
    (findings,) = findings_of([("rule.md", f"---\ncondition:\n{''.join(slow)}---\nSay so.\n")])
    assert sum(finding.code == "end-sensitive-condition" for finding in findings) == len(slow)
    assert 0 < taken < 500_000
