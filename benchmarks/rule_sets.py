"""Rule sets for the benchmarks: a rule for each condition."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice

from benchmarks.real_conditions import all_conditions, rare_conditions, real_conditions
from benchmarks.texts import prose
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.syntax.reader import read_rule

_BODY_LENGTH = 300
_EARLY = 4_000
"""Conditions that fire early match in the first so many units of a text."""


def rule_set(conditions: Sequence[str], scope: str = "text") -> RuleSet:
    """A rule for each condition. Raises `ValueError` if one is refused."""
    registrations = []
    for number, condition in enumerate(conditions):
        # Comments of HTML are taken out of a rule file before it is read.
        quoted = json.dumps(condition).replace("<", r"\u003c")
        frontmatter = f"condition: {quoted}\nscope: {scope}"
        text = f"---\n{frontmatter}\n---\n{prose(_BODY_LENGTH, number)}\n"
        registration = register(read_rule(text, name=f"rule-{number}", path=f"rule-{number}.md"), "native")
        if registration.rule is None:
            raise ValueError(f"no rule has the condition {condition!r}")
        registrations.append(registration)
    return RuleSet.build(registrations, Settings())


def with_early_matches(count: int, early: int, text: str) -> list[str]:
    """`count` real conditions: `early` that match in the first units of `text`, and others that rarely match."""
    rare = real_conditions(count, rare=True)
    rarely = set(rare_conditions())
    common = (condition for condition in real_conditions(len(all_conditions())) if condition not in rarely)
    matching = (condition for condition in common if _matches(condition, text[:_EARLY]))
    chosen = list(islice(matching, early))
    return [*chosen, *rare[: count - len(chosen)]]


def _matches(condition: str, text: str) -> bool:
    try:
        return compile_condition(condition).matcher.test(text)
    except MatchLimitExceeded:
        return False
