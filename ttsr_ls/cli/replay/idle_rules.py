"""Finds the rules that have no row in the report of `replay` because they cannot fire in it."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.cli.list.rule_status import ListedRule, RuleStatus, list_rules
from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.store.discovery.local_rules import LocalRules

_NO_JUDGE = "replay asks no judge its question"


class IdleRule(Struct, frozen=True):
    """A rule that cannot fire in a replay, and the reason as a phrase. `bucket` is that of `list`."""

    name: str
    path: str
    bucket: str
    why: str
    is_shadowed: bool = False

    @property
    def label(self) -> str:
        """The name; for a shadowed rule with the reason, as the other rule of that name may fire."""
        return f"{self.name} ({self.why})" if self.is_shadowed else self.name


def idle_rules(rules: LocalRules, folder: str) -> tuple[IdleRule, ...]:
    """Returns the rules that are not in force, that never fire, and those with a question, in order of discovery."""
    with PatternShapeCache() as patterns:
        listed_rules = list_rules(rules, folder, patterns)
    reasons = ((rule, rule.rule.found, _reason(rule)) for rule in listed_rules)
    return tuple(
        IdleRule(found.name, str(found.path), str(rule.status), reason, rule.shadowed_by is not None)
        for rule, found, reason in reasons
        if reason is not None
    )


def _reason(listed: ListedRule) -> str | None:
    if listed.status is not RuleStatus.TTSR or listed.never_fires:
        return listed.why
    rule = listed.rule.rule
    return _NO_JUDGE if rule is not None and rule.question is not None else None
