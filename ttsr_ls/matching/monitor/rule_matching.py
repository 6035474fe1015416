"""Finds the rules that match on a stream, among those that may fire there. Evaluates only what the last event may have
changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from ttsr_ls.matching.condition_evaluator import ConditionEvaluator, RuleMatch
from ttsr_ls.matching.monitor.stream_state import StreamState
from ttsr_ls.matching.repeat.repeat_policy import RepeatPolicy
from ttsr_ls.matching.rule_index import CompiledRule, RuleIndex
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted
from ttsr_ls.rules.stream import StreamContext


class RuleMatching:
    """Matches the rules of one session. Rules are identified by their index into `RuleIndex.rules`."""

    __slots__ = (
        "_always_evaluated",
        "_evaluator",
        "_is_first_only",
        "_repeat_policy",
        "_rules",
        "now",
        "policy_changes",
    )

    def __init__(
        self, rules: RuleIndex, evaluator: ConditionEvaluator, repeat_policy: RepeatPolicy, is_first_only: bool
    ) -> None:
        """With `is_first_only`, the first rule that fires ends the stream."""
        self._rules = rules
        self._evaluator = evaluator
        self._repeat_policy = repeat_policy
        self._is_first_only = is_first_only
        self._always_evaluated = rules.indexes_of_rules(evaluator.rules_always_evaluated())
        self.policy_changes = 0
        """The number of events after which the repeat policy may admit rules that it rejected. The owner increments
        it."""
        self.now = 0.0
        """The time of the latest event, in seconds."""

    def may_have_final_matches(self, stream: StreamState) -> bool:
        """Returns whether `final_matches` may find anything. Usually it cannot, and this check is cheap."""
        return bool(stream.text.changed or stream.deferred or (stream.blocked and self.has_unblocked_rules(stream)))

    def _state(self) -> tuple[int, float]:
        return self.policy_changes, self.now if self._repeat_policy.depends_on_time else 0.0

    def has_unblocked_rules(self, stream: StreamState) -> bool:
        """Returns whether rules that were blocked may be admitted now."""
        return stream.blocked_at != self._state()

    def final_matches(self, stream: StreamState, limit: int) -> list[RuleMatch]:
        """Returns the matches that became final, of rules that may fire. Evaluates only what changed, and `limit` rules
        at the most; others are deferred."""
        indexes = (self._rules.indexes_of(stream.text.take_changed()) - stream.waiting.keys()) | stream.postponed
        if self.has_unblocked_rules(stream):
            indexes |= stream.blocked
            stream.blocked.clear()
            stream.blocked_at = self._state()
        # The rules that were postponed at the previous delta come first.
        in_turn = sorted(indexes, key=lambda index: (index not in stream.postponed, index))
        stream.postponed = set(in_turn[limit:])
        rule_matches = list(filter(None, [self._final_match(stream, index) for index in in_turn[:limit]]))
        if stream.waiting and stream.text.can_search:
            for index in [*stream.waiting][: max(0, limit - len(in_turn))]:
                if (rule_match := self._final_match(stream, index)) is not None:
                    rule_matches.append(rule_match)
                if not stream.text.can_search:
                    break
        if self._is_first_only and rule_matches:
            open_from = 0 if stream.postponed else min(stream.waiting.values(), default=-1)
            if any(0 <= open_from <= rule_match.match.offset for rule_match in rule_matches):
                # Which rule is the first is not known yet.
                stream.postponed |= self._rules.indexes_of_rules(rule_match.compiled for rule_match in rule_matches)
                rule_matches = []
        stream.deferred = stream.postponed.union(stream.waiting)
        return rule_matches

    def _final_match(self, stream: StreamState, index: int) -> RuleMatch | None:
        """Returns the match of a rule that became final, if the rule may fire. Adds it to `stream.waiting` if its
        search did not finish."""
        stream.waiting.pop(index, None)
        compiled = self._rules.rules[index]
        if compiled.rule.path in stream.fired or stream.is_over or not self._admits(stream, index):
            return None
        try:
            return self._evaluator.first_final_match(compiled, stream.text)
        except BudgetExhausted as exhausted:
            stream.waiting[index] = exhausted.least
            return None

    def open_rules(self, stream: StreamState) -> set[int]:
        """Returns the rules for which it is still unknown whether, or where, they match."""
        unsettled = self._rules.indexes_of(stream.text.unsettled)
        return stream.deferred.union(
            [index for index in unsettled if self._rules.rules[index].rule.path not in stream.fired]
        )

    def matches_at_end(self, stream: StreamState) -> Iterator[RuleMatch]:
        for index in sorted(self._rules.indexes_of(stream.text.conditions_at_end) | self._always_evaluated):
            compiled = self._rules.rules[index]
            if compiled.rule.path not in stream.fired and not stream.is_over and self._admits(stream, index):
                rule_match = self._evaluator.first_current_match(compiled, stream.text, stream.latest)
                if rule_match is not None:
                    yield rule_match

    def matches_now(self, stream: StreamState) -> Iterator[tuple[int, RuleMatch]]:
        """Yields the current match of each rule that may fire, with the rule's index, in order."""
        if stream.text.changed or self.has_unblocked_rules(stream):
            stream.text.take_changed()
            stream.blocked.clear()
            stream.blocked_at = self._state()
            stream.lasting = self._rules.indexes_of(stream.text.final_conditions)
        deferred_before, stream.deferred = stream.deferred, set()
        now = self._rules.indexes_of(stream.text.conditions_at_end) | self._always_evaluated
        indexes = (now | stream.lasting) - stream.blocked
        stream.undecided.update(filter(self._may_be_undone, deferred_before - indexes - stream.blocked))
        return self._matches_of(stream, indexes, deferred_before)

    def deferred_matches(self, stream: StreamState) -> Iterator[tuple[int, RuleMatch]]:
        """Yields what `matches_now` left undecided at the last delta, after the end of the stream."""
        deferred, stream.deferred = stream.deferred, set()
        if not deferred:
            return iter(())
        stream.text.end()
        if self._is_first_only:
            # The rules after the first deferred one were not evaluated.
            deferred = set(range(min(deferred), len(self._rules.rules)))
        return self._matches_of(stream, deferred, set())

    def _matches_of(
        self, stream: StreamState, indexes: set[int], deferred_before: set[int]
    ) -> Iterator[tuple[int, RuleMatch]]:
        """Yields the current matches of some rules. `deferred_before` are those deferred at the previous delta."""
        for index in sorted(indexes):
            if not self._admits(stream, index):
                stream.lasting.discard(index)
                continue
            try:
                rule_match = self._evaluator.first_current_match(self._rules.rules[index], stream.text, stream.latest)
            except BudgetExhausted:
                stream.deferred.add(index)
                if self._is_first_only:
                    return
                continue
            if rule_match is not None:
                stream.undecided.discard(index)
                yield index, rule_match
            elif index in deferred_before and self._may_be_undone(index):
                stream.undecided.add(index)

    def _may_be_undone(self, index: int) -> bool:
        """Returns whether more text may undo a match of a rule."""
        compiled = self._rules.rules[index]
        return any(self._rules.conditions[number].is_end_sensitive for number in compiled.conditions)

    def _admits(self, stream: StreamState, index: int) -> bool:
        """Returns whether a rule may fire on a stream. If not, it is blocked until the context or the repeat policy
        changes."""
        compiled = self._rules.rules[index]
        if stream.admits(compiled) and self._repeat_policy.admits(compiled.rule, self.now):
            return True
        stream.blocked.add(index)
        return False

    def can_fire(self, context: StreamContext, conditions: Set[int]) -> bool:
        """Returns whether a rule that has one of these conditions may fire on a new stream."""
        rules = map(self._rules.rules.__getitem__, self._rules.indexes_of(conditions))
        return bool(self._always_evaluated) or any(
            self._repeat_policy.admits(compiled.rule, self.now) and compiled.admits(context) for compiled in rules
        )

    def may_fire(self, stream: StreamState, compiled: CompiledRule) -> bool:
        is_open = compiled.rule.path not in stream.fired and not stream.is_over
        return is_open and self._repeat_policy.admits(compiled.rule, self.now)
