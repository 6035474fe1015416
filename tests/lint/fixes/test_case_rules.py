"""Fixes of the rules of all cases, pages and published files keep their promises.

The tests of one file share what checks find, which takes longest.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.lint.case_files import apply
from tests.lint.demonstrations import published
from tests.lint.fixes.fix_promises import PATH, assert_each_fix_removes_its_finding, assert_keeps_its_promises, check
from tests.lint.rule_texts import WRITTEN
from ttsr_ls.lint.finding import Safety
from ttsr_ls.lint.fixes.fixed_file import REVEALING

UNREAD = REVEALING | {"invalid-interrupt-mode"}
"""Fixing findings with these codes may reveal findings of text that was not read before."""


def test_each_fix_of_the_case_rules_removes_its_finding_and_adds_none() -> None:
    rules = [(PATH, text) for text in WRITTEN] + [(rule.path, rule.text) for rule in published()]
    assert sum(assert_each_fix_removes_its_finding(path, text) for path, text in rules) > 200
    for path, text in rules:
        findings = check(path, text)
        for finding in findings:
            for fix in finding.fixes if finding.code not in UNREAD else ():
                after = check(path, apply(text, fix))
                had, has = (Counter(finding.code for finding in among) for among in (findings, after))
                assert not has - had, (finding, apply(text, fix))


@pytest.mark.parametrize("allowed", [frozenset((Safety.SAFE,)), frozenset(Safety)], ids=["safe", "all"])
def test_fixes_of_the_case_rules_keep_the_promises(allowed: frozenset[Safety]) -> None:
    assert len(WRITTEN) > 150
    for text in WRITTEN:
        assert_keeps_its_promises(text, allowed)
