"""Advice for hookify rules makes them work: hookify's published engine was asked before and after it was followed.

The vectors are recorded by `tests/recorders/record_hookify_advice.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lint.case_files import findings_of
from ttsr_ls.lint.finding import Finding, Severity

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "hookify-advice.json").read_text())
CASES = pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])


def findings(text: str) -> tuple[Finding, ...]:
    (found_findings,) = findings_of([("/project/.claude/hookify.rule.local.md", text)])
    return found_findings


@CASES
def test_rule_with_the_finding_does_not_do_what_it_says(case: dict[str, Any]) -> None:
    assert case["fires_before"] != case["expected"]
    found_findings = findings(case["before"])
    assert {finding.code for finding in found_findings} == set(case["codes"])
    assert all(case["says"] in finding.message for finding in found_findings)


@CASES
def test_rule_that_follows_the_advice_works_and_has_no_finding(case: dict[str, Any]) -> None:
    assert case["fires_after"] == case["expected"]
    assert findings(case["after"]) == ()


@CASES
def test_only_hookify_rules_that_never_fire_are_reported_as_such(case: dict[str, Any]) -> None:
    says_never = any(
        finding.severity is Severity.ERROR and "never" in finding.message for finding in findings(case["before"])
    )
    if says_never:
        assert not any(case["fires_before"])
