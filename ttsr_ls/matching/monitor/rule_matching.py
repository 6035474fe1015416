"""Which rules match on a stream, of those that may fire there: asks as little as the last event may have changed."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.matching.evaluation import Evaluation, Hit
from ttsr_ls.matching.monitor.watched_stream import WatchedStream
from ttsr_ls.matching.repeat.gate import Gate
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted
from ttsr_ls.matching.watched_rules import WatchedRule, WatchedRules


class RuleMatching:
    """The rules of one session. Rules are named by their index into `WatchedRules.rules`."""

    __slots__ = ("_asked_always", "_evaluation", "_gate", "_is_first_only", "_rules", "gate_changes", "now")

    def __init__(self, rules: WatchedRules, evaluation: Evaluation, gate: Gate, is_first_only: bool) -> None:
        """With `is_first_only`, the first rule that fires ends the stream."""
        self._rules = rules
        self._evaluation = evaluation
        self._gate = gate
        self._is_first_only = is_first_only
        self._asked_always = rules.orders_of_rules(evaluation.asked_always())
        self.gate_changes = 0
        """How often something happened after which the gate may admit what it did not. The owner counts it up."""
        self.now = 0.0
        """The time of the event that came last, in seconds."""

    def are_open(self, stream: WatchedStream) -> bool:
        """Whether `final_hits` may find anything. Most deltas change nothing, and there are many of them."""
        return bool(stream.text.changed or stream.deferred or (stream.blocked and self.may_admit(stream)))

    def _state(self) -> tuple[int, float]:
        return self.gate_changes, self.now if self._gate.depends_on_time else 0.0

    def may_admit(self, stream: WatchedStream) -> bool:
        """Whether rules that were blocked may not be any more."""
        return stream.blocked_at != self._state()

    def final_hits(self, stream: WatchedStream) -> list[Hit]:
        """The matches that became final, of rules that may fire. Only what changed is looked at."""
        orders = self._rules.orders_of(stream.text.take_changed()) | stream.deferred
        if self.may_admit(stream):
            orders |= stream.blocked
            stream.blocked.clear()
            stream.blocked_at = self._state()
        stream.deferred = set()
        hits: list[Hit] = []
        open_from = -1
        for order in sorted(orders):
            watched = self._rules.rules[order]
            if watched.rule.path in stream.fired or stream.is_over:
                continue
            if not self._admits(stream, order):
                continue
            try:
                hit = self._evaluation.first_final(watched, stream.text)
            except BudgetExhausted as exhausted:
                stream.deferred.add(order)
                open_from = exhausted.least if open_from < 0 else min(open_from, exhausted.least)
                continue
            if hit is not None:
                hits.append(hit)
        if self._is_first_only and any(0 <= open_from <= hit.match.offset for hit in hits):
            # Which rule is the first is not known yet.
            stream.deferred.update(self._rules.orders_of_rules(hit.watched for hit in hits))
            return []
        return hits

    def hits_at_end(self, stream: WatchedStream) -> Iterator[Hit]:
        for order in sorted(self._rules.orders_of(stream.text.conditions_at_end) | self._asked_always):
            watched = self._rules.rules[order]
            if watched.rule.path not in stream.fired and not stream.is_over and self._admits(stream, order):
                hit = self._evaluation.first_at_end(watched, stream.text, stream.latest)
                if hit is not None:
                    yield hit

    def hits_now(self, stream: WatchedStream) -> Iterator[tuple[int, Hit]]:
        """How the rules that may fire match now, each with its index, in order; found one by one."""
        if stream.text.changed or self.may_admit(stream):
            stream.text.take_changed()
            stream.blocked.clear()
            stream.blocked_at = self._state()
            stream.lasting = self._rules.orders_of(stream.text.final_conditions)
        stream.deferred = set()
        now = self._rules.orders_of(stream.text.conditions_at_end) | self._asked_always
        return self._hits_of(stream, (now | stream.lasting) - stream.blocked)

    def deferred_hits(self, stream: WatchedStream) -> Iterator[tuple[int, Hit]]:
        """As `hits_now`, for what the last delta left open; that delta was the last one."""
        deferred, stream.deferred = stream.deferred, set()
        if not deferred:
            return iter(())
        stream.text.end()
        if self._is_first_only:
            # Rules behind the first one that was open have not been asked.
            deferred = set(range(min(deferred), len(self._rules.rules)))
        return self._hits_of(stream, deferred)

    def _hits_of(self, stream: WatchedStream, orders: set[int]) -> Iterator[tuple[int, Hit]]:
        for order in sorted(orders):
            if not self._admits(stream, order):
                stream.lasting.discard(order)
                continue
            try:
                hit = self._evaluation.first_at_end(self._rules.rules[order], stream.text, stream.latest)
            except BudgetExhausted:
                stream.deferred.add(order)
                if self._is_first_only:
                    return
                continue
            if hit is not None:
                yield order, hit

    def _admits(self, stream: WatchedStream, order: int) -> bool:
        """Whether a rule that may match may fire on a stream; if not, it is not asked for again before that changes."""
        watched = self._rules.rules[order]
        if stream.admits(watched) and self._gate.admits(watched.rule, self.now):
            return True
        stream.blocked.add(order)
        return False

    def may_fire(self, stream: WatchedStream, watched: WatchedRule) -> bool:
        is_open = watched.rule.path not in stream.fired and not stream.is_over
        return is_open and self._gate.admits(watched.rule, self.now)
