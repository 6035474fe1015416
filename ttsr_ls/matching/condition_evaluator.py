"""Evaluates the conditions of rules on a stream, except the disabled ones."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.rule_index import CompiledRule, RuleIndex
from ttsr_ls.matching.streams.condition_matcher import Match, StreamMatcher
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted


class RuleMatch(Struct, frozen=True):
    """A rule that matched. `condition` is an index into its `Rule.condition_texts`."""

    compiled: CompiledRule
    condition: int
    match: Match


class ConditionEvaluator:
    """Evaluates the rules of one session, and records the disabled conditions."""

    __slots__ = ("_disabled", "_rules")

    def __init__(self, rules: RuleIndex) -> None:
        self._rules = rules
        self._disabled: set[int] = set()

    @property
    def disabled_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that exceeded their limit, once for every rule that has them."""
        if not self._disabled:
            # Observers ask after each delta.
            return ()
        return tuple(
            DisabledCondition(compiled.rule, index)
            for compiled in self._rules.rules
            for index, number in enumerate(compiled.conditions)
            if number in self._disabled
        )

    def rules_always_evaluated(self) -> tuple[CompiledRule, ...]:
        """Returns the rules for which `first_current_match` must be called whatever the matcher reports."""
        return ()

    def first_final_match(self, compiled: CompiledRule, text: StreamMatcher) -> RuleMatch | None:
        """Returns the match that became final on the shortest prefix; of several conditions with that prefix, the
        first.

        Raises `BudgetExhausted` while it is unknown whether a condition has such a match.
        """
        best: RuleMatch | None = None
        open_from: int | None = None
        for index, number in enumerate(compiled.conditions):
            try:
                match = self._evaluated(number, text.final_match)
            except BudgetExhausted as exhausted:
                open_from = exhausted.least if open_from is None else min(open_from, exhausted.least)
                continue
            if match is not None and (best is None or match.offset < best.match.offset):
                best = RuleMatch(compiled, index, match)
        if open_from is not None and (best is None or open_from <= best.match.offset):
            raise BudgetExhausted(open_from)
        return best

    def first_current_match(self, compiled: CompiledRule, text: StreamMatcher, latest: str) -> RuleMatch | None:
        """Returns the match of the first condition that matches the current text; `latest` is the latest delta.

        Raises `BudgetExhausted` while that is unknown.
        """
        for index, number in enumerate(compiled.conditions):
            match = self._evaluated(number, text.match_at_end)
            if match is not None:
                return RuleMatch(compiled, index, match)
        return None

    def disable_all(self, compiled: CompiledRule) -> None:
        """Disables all conditions of a rule, because one exceeded its limit of steps or time."""
        self._disabled.update(compiled.conditions)

    def _evaluated(self, number: int, match_of: Callable[[int], Match | None]) -> Match | None:
        """Returns the match of a condition; None if it is disabled. Disables it if it exceeds its limit."""
        if number in self._disabled:
            return None
        try:
            return match_of(number)
        except MatchLimitExceeded:
            self._disabled.add(number)
            return None
