"""Which conditions match a whole text, for rules that are tried together: within a bound for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ttsr_ls.engine.rule import Rule
from ttsr_ls.esregex.allowance import Allowance
from ttsr_ls.esregex.errors import MatchLimitExceeded

_ALL_SECONDS = 0.5
"""How much processor time all conditions may take, in seconds."""
_FIRST_SECONDS = 0.005
"""How much of it each may take before all others had their turn: one slow condition must not use up all of it."""


class MatchedConditions(Struct, frozen=True):
    """The regular expressions of a rule that match a text, and those for which it was not decided in time.

    Both are indexes into `Rule.conditions`.
    """

    matched: tuple[int, ...] = ()
    slow: tuple[int, ...] = ()


def matched_conditions(rules: Sequence[Rule], units: str) -> tuple[MatchedConditions, ...]:
    """What conditions match the text `units`, for each rule, in the order of `rules`."""
    undecided = [(number, index) for number, rule in enumerate(rules) for index in range(len(rule.conditions))]
    matched: dict[int, list[int]] = {}
    left = _ALL_SECONDS
    for seconds in (_FIRST_SECONDS, _ALL_SECONDS):
        again = []
        for number, index in undecided:
            granted = min(seconds, left)
            allowance = Allowance(granted)
            try:
                if rules[number].conditions[index].matcher.sharing(allowance).test(units):
                    matched.setdefault(number, []).append(index)
            except MatchLimitExceeded:
                again.append((number, index))
            left -= granted - allowance.left
        undecided = again
    slow: dict[int, list[int]] = {}
    for number, index in undecided:
        slow.setdefault(number, []).append(index)
    return tuple(
        MatchedConditions(tuple(sorted(matched.get(number, ()))), tuple(slow.get(number, ())))
        for number in range(len(rules))
    )
