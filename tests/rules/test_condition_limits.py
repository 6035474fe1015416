"""The number and length of a rule file's conditions are limited. Conditions beyond that are ignored, with a reason."""

from __future__ import annotations

import json

import pytest

from tests.rules.rule_files import registration_of, rule_set_of
from ttsr_ls.esregex.tree.pattern_size import MAX_UNITS
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Severity
from ttsr_ls.rules.condition_limits import MAX_CONDITIONS, indexes_beyond_limits
from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.session.rules.rule_problems import rule_problems
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule

HUGE = "(?:^|a)" * (MAX_UNITS // 7 + 1)
PLAIN = "word-" * (MAX_UNITS // 4)


def registered(*conditions: str) -> Registration:
    return registration_of(f"condition: {json.dumps(conditions)}")


def matched(registration: Registration) -> list[str]:
    return [] if registration.rule is None else [condition.source for condition in registration.rule.conditions]


def test_a_huge_condition_is_ignored_and_the_others_are_kept() -> None:
    registration = registered(HUGE, "foo.", PLAIN)
    assert matched(registration) == ["foo.", PLAIN]
    [left_out] = registration.ignored_parts
    assert left_out.text == HUGE
    assert "too large to match within the limits" in left_out.reason


def test_conditions_share_the_limits_of_their_file() -> None:
    conditions = [f"x{number}" + r"\w+\s*" * 100 for number in range(60)]
    registration = registered(*conditions)
    assert matched(registration) == conditions[: len(matched(registration))]
    assert 30 <= len(matched(registration)) < 60
    assert sum(map(len, matched(registration))) <= MAX_UNITS
    assert [part.text for part in registration.ignored_parts] == conditions[len(matched(registration)) :]
    [problem] = registration.problems
    assert f"and {len(registration.ignored_parts) - 1} more are never matched" in problem.message


def test_the_number_of_conditions_is_limited() -> None:
    registration = registered(*[f"word{number}" for number in range(MAX_CONDITIONS + 10)])
    assert len(matched(registration)) == MAX_CONDITIONS
    assert len(registration.ignored_parts) == 10


def test_conditions_within_the_limits_are_kept() -> None:
    assert indexes_beyond_limits(["a" * 100 + "."] * 100) == frozenset()
    assert registered(*["a" * 100 + "."] * 100).problems == ()


def test_a_rule_with_only_huge_conditions_is_reported_as_not_in_force() -> None:
    registration = registered(HUGE)
    assert registration.bucket is Bucket.DROPPED
    [problem] = rule_problems([registration], rule_set_of(registration))
    assert not problem.in_force
    assert "too large to match within the limits" in problem.reason


def test_a_rule_with_some_ignored_conditions_is_reported_as_in_force() -> None:
    registration = registered("foo", HUGE)
    [problem] = rule_problems([registration], rule_set_of(registration))
    assert problem.in_force
    assert "too large to match within the limits" in problem.reason


@pytest.mark.parametrize("conditions", [[HUGE], ["foo.", HUGE]])
def test_check_warns_about_conditions_beyond_the_limits(conditions: list[str]) -> None:
    file = read_rule(f"---\ncondition: {json.dumps(conditions)}\nscope: text\n---\nSay so.\n", name="r", path="r.md")
    [finding] = [finding for finding in check_file(file, LintContext()) if "never matched" in finding.message]
    assert finding.severity is Severity.WARNING


def test_rules_of_other_dialects_have_the_same_limit() -> None:
    old = register_legacy(read_rule(f"---\nttsrTrigger: '{HUGE}'\n---\nSay so.\n", name="r", path="r.md"), "native")
    pi = register_pi(read_pi_rule(f"---\ntrigger: '{HUGE}'\n---\nSay so.\n", name="r", path="r.md"))
    for registration in (old, pi):
        assert registration.rule is None
        [problem] = registration.problems
        assert "never matched" in problem.message
