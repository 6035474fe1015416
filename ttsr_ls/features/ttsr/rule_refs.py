"""Finds the rules in force that the state of the rules names."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.lifecycle.rule_state import InjectionMark, RuleRef
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect


def rules_by_ref(rules: Iterable[Rule]) -> dict[RuleRef, Rule]:
    """The rules; of several with one name and path, the first."""
    return {RuleRef(rule.name, rule.path): rule for rule in reversed(tuple(rules))}


def omp_marks(marks: Iterable[InjectionMark], rules: RulesByDialect) -> list[InjectionMark]:
    """The marks that count for rules of oh-my-pi: all but those of rules of other dialects, which may have the same
    name. A mark whose file is in force no longer counts by its name.
    """
    others = {ref for rule_set in rules.others for ref in rules_by_ref(rule_set.rules)}
    return [mark for mark in marks if RuleRef(mark.rule, mark.path) not in others]
