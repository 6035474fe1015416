"""Asking a watcher about conditions, with the conditions that proved too slow left out."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted
from ttsr_ls.matching.streams.watcher import Match, StreamWatcher
from ttsr_ls.matching.watched_rules import WatchedRule, WatchedRules


class Hit(Struct, frozen=True):
    """A rule that matched; `condition` is an index into its `Rule.condition_texts`."""

    watched: WatchedRule
    condition: int
    match: Match


class Evaluation:
    """The answers for the rules of one session; remembers which conditions are not asked any more."""

    __slots__ = ("_rules", "_slow")

    def __init__(self, rules: WatchedRules) -> None:
        self._rules = rules
        self._slow: set[int] = set()

    @property
    def disabled_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that exceeded their bound, for every rule that has them."""
        if not self._slow:
            # Observers ask after each delta.
            return ()
        return tuple(
            DisabledCondition(watched.rule, index)
            for watched in self._rules.rules
            for index, number in enumerate(watched.conditions)
            if number in self._slow
        )

    def asked_always(self) -> tuple[WatchedRule, ...]:
        """The rules that `first_at_end` has to be asked for whatever the watcher says of their conditions."""
        return ()

    def first_final(self, watched: WatchedRule, text: StreamWatcher) -> Hit | None:
        """The match that became final on the least prefix; of several conditions with that prefix, the first.

        Raises `BudgetExhausted` as long as a condition may be that one of which it is not known yet.
        """
        best: Hit | None = None
        open_from: int | None = None
        for index, number in enumerate(watched.conditions):
            try:
                match = self._final_match(number, text)
            except BudgetExhausted as exhausted:
                open_from = exhausted.least if open_from is None else min(open_from, exhausted.least)
                continue
            if match is not None and (best is None or match.offset < best.match.offset):
                best = Hit(watched, index, match)
        if open_from is not None and (best is None or open_from <= best.match.offset):
            raise BudgetExhausted(open_from)
        return best

    def first_at_end(self, watched: WatchedRule, text: StreamWatcher, latest: str) -> Hit | None:
        """The match of the first condition that matches the text as it is now; `latest` is the piece that came last.

        Raises `BudgetExhausted` as long as that is not known.
        """
        for index, number in enumerate(watched.conditions):
            match = self._match_at_end(number, text)
            if match is not None:
                return Hit(watched, index, match)
        return None

    def give_up(self, watched: WatchedRule) -> None:
        """All conditions of a rule exceeded their bound."""
        self._slow.update(watched.conditions)

    def _final_match(self, number: int, text: StreamWatcher) -> Match | None:
        if number in self._slow:
            return None
        try:
            return text.final_match(number)
        except MatchLimitExceeded:
            self._slow.add(number)
            return None

    def _match_at_end(self, number: int, text: StreamWatcher) -> Match | None:
        if number in self._slow:
            return None
        try:
            return text.match_at_end(number)
        except MatchLimitExceeded:
            self._slow.add(number)
            return None
