"""Finds the rules in force that the state of the rules names."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.lifecycle.rule_state import RuleRef


def rules_by_ref(rules: Iterable[Rule]) -> dict[RuleRef, Rule]:
    """The rules; of several with one name and path, the first."""
    return {RuleRef(rule.name, rule.path): rule for rule in reversed(tuple(rules))}
