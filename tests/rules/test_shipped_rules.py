"""The shipped rules fire on each invalid case of their test files and on no valid one, however the text is streamed."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from ttsr_ls.rule_tests.case import CaseKind, RuleTestCase
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.case_run import CaseStatus, RuleUnderTest
from ttsr_ls.rules.providers import BUILTIN_RULES
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.store.discovery.local_rules import load_rule
from ttsr_ls.store.discovery.shipped_rules import shipped_rules

RULES = sorted(shipped_rules().glob("*.md"))


@cache
def load(path: Path) -> RuleUnderTest:
    rule = load_rule(path, "shipped").rule
    assert rule is not None
    return RuleUnderTest(rule)


def cases(path: Path) -> tuple[RuleTestCase, ...]:
    file = read_case_file(path.with_suffix(".test.yml").read_text("utf-8"))
    assert file.problems == ()
    return file.cases


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_shipped_rule_has_enough_cases_of_both_kinds(path: Path) -> None:
    kinds = [case.kind for case in cases(path)]
    assert all(kinds.count(kind) >= 5 for kind in CaseKind)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_shipped_rule_replaces_no_built_in_rule_of_the_reference_agent(path: Path) -> None:
    assert BUILTIN_RULES
    assert path.stem not in BUILTIN_RULES


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_shipped_rule_fires_on_invalid_cases_only(path: Path) -> None:
    rule = load(path)
    for case in cases(path):
        assert rule.run(case).status is CaseStatus.PASSED, case
        is_call = case.stream.source is Source.TOOL
        for matching, (tool, deltas) in product(Matching, (("edit", case.deltas), ("write", tuple(case.text)))):
            stream = replace(case.stream, tool=tool if is_call else None, matching=matching)
            ran = rule.run(replace(case, stream=stream, deltas=deltas))
            assert ran.status is CaseStatus.PASSED, (case, tool, matching)
