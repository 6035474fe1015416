"""Tries the conditions of several rules on a whole text, within one search budget."""

from __future__ import annotations

from collections.abc import Container, Sequence

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.rule_index import RuleIndex
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.matching.streams.search_limits import OFFLINE, SearchLimits
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule


class MatchedConditions(Struct, frozen=True):
    """The regular expressions of a rule that match a text, and those that take too many steps to tell.

    Both are indexes into `Rule.conditions`.
    """

    matched: tuple[int, ...] = ()
    slow: tuple[int, ...] = ()


def matched_conditions(
    rules: Sequence[Rule],
    units: str,
    matchers: MatcherCache | None = None,
    limits: SearchLimits = OFFLINE,
    known_slow: Container[Condition] = frozenset(),
) -> tuple[MatchedConditions, ...]:
    """The conditions that match the text `units`, for each rule, in the order of `rules`.

    With the `matchers` and `limits` of a monitor that has the same rules, the automaton is not built again. The
    conditions `known_slow`, which that monitor disabled on this text, are not searched again.
    """
    rule_index = RuleIndex.build(rules)
    matcher = (MatcherCache() if matchers is None else matchers).of(rule_index.conditions, limits)
    matcher.renew_total()
    stream = matcher.open()
    stream.append(units)
    stream.end()
    conditions: set[Condition] = set()
    slow: set[Condition] = set()
    for number, condition in enumerate(rule_index.conditions):
        if condition in known_slow:
            slow.add(condition)
            continue
        try:
            if stream.matches_at_end(number):
                conditions.add(condition)
        except MatchLimitExceeded:
            slow.add(condition)
    return tuple(MatchedConditions(_indexes(rule, conditions), _indexes(rule, slow)) for rule in rules)


def _indexes(rule: Rule, conditions: Container[Condition]) -> tuple[int, ...]:
    return tuple(index for index, condition in enumerate(rule.conditions) if condition in conditions)
