"""The monitor: which rules a stream of deltas, snapshots and block ends triggers (spec M, Z).

Owns the lifetime of the buffers, and decides when the matches of a stream are evaluated and which become triggers. The
matcher evaluates conditions; the session acts on triggers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import TypeVar, assert_never

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.ast.ast_matcher import AstMatcher
from ttsr_ls.matching.ast.search import AstSearch, NoAstSearch
from ttsr_ls.matching.condition_evaluator import RuleMatch
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.monitor.profile_parts import evaluator_for, repeat_policy_for
from ttsr_ls.matching.monitor.rule_matching import RuleMatching
from ttsr_ls.matching.monitor.stream_state import StreamState
from ttsr_ls.matching.monitor.whole_text_matching import WholeTextMatching
from ttsr_ls.matching.repeat.repeat_policy import JUST_NOW, Elapsed
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.matching.streams.snapshot_deltas import SnapshotDeltas
from ttsr_ls.rules.dialects.dialect_profile import BufferScope, TriggerSelection
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamContext, StreamEvent, Trigger, stream_key

_Found = TypeVar("_Found")

_JOINED_STREAMS = ""
"""The key of the buffer in which some dialects join all streams."""


class Monitor:
    """Matches one rule set on the streams of one agent's session. Not thread-safe.

    With `Matching.STABLE` a rule fires at most once on a stream, and any way to split the same text into deltas and
    snapshots gives the same triggers. With `Matching.REFERENCE` it answers at each delta and snapshot as omp does:
    again and again while the buffer matches (spec M2, M3; the display drops repetitions, M8), the end of a block only
    reports what its last delta left undecided, and the next block with the same key continues the same buffer.

    AST conditions are evaluated at the end of a tool call, after the others, by `ast_search`; without it, never. The
    rules' profile decides how they run: as in the program of their dialect. Monitors of one thread that have the same
    conditions share large data by `matchers`.
    """

    def __init__(
        self,
        rule_set: RuleSet,
        settings: Settings | None = None,
        mode: Matching = Matching.STABLE,
        ast_search: AstSearch | None = None,
        limits: SearchLimits = LIVE,
        matchers: MatcherCache | None = None,
    ) -> None:
        self._settings = Settings() if settings is None else settings
        self._matching = mode
        self._profile = rule_set.profile
        self._repeat_policy = repeat_policy_for(rule_set, self._settings)
        shared = MatcherCache() if matchers is None else matchers
        self._rules = shared.index_of(rule_set.rules)
        self._ast = AstMatcher(rule_set.rules, NoAstSearch() if ast_search is None else ast_search)
        self._stream_length, self._rules_evaluated = limits.stream_length, limits.rules
        self._order = {rule.path: order for order, rule in enumerate(rule_set.rules)}
        self._evaluator = evaluator_for(self._rules, mode)
        is_first_only = self._profile.selection is TriggerSelection.FIRST
        self._rule_matching = RuleMatching(self._rules, self._evaluator, self._repeat_policy, is_first_only)
        self._matcher = shared.of(self._rules.conditions, limits)
        self._whole_texts = WholeTextMatching(self._matcher, self._rule_matching, limits.stream_length)
        self._streams: dict[str, StreamState] = {}
        self._latest: StreamState | None = None
        """The stream of the latest event, with `stable` matching."""
        self._joined = SnapshotDeltas()
        self._disabled_streams: dict[str, None] = {}

    @property
    def disabled_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that exceeded their limit so far. They are not evaluated any more."""
        return (*self._evaluator.disabled_conditions, *self._ast.disabled_conditions)

    @property
    def deferred_rules(self) -> tuple[str, ...]:
        """The names of the rules for which it is still unknown whether, or where, they match on a stream.

        They are evaluated again with the next event of that stream, until the answer is known or a condition is too
        slow.
        """
        indexes = {index for stream in self._streams.values() for index in self._rule_matching.open_rules(stream)}
        return tuple(self._rules.rules[index].rule.name for index in sorted(indexes))

    @property
    def undecided_rules(self) -> tuple[str, ...]:
        """The names of the rules for which it remains unknown whether they matched at an earlier delta of a stream.

        Only with `reference` matching: the search was deferred, and more text arrived, which undoes such a match.
        """
        indexes = sorted({index for stream in self._streams.values() for index in stream.undecided})
        return tuple(self._rules.rules[index].rule.name for index in indexes)

    @property
    def disabled_streams(self) -> tuple[str, ...]:
        """The keys of the streams that exceeded `SearchLimits.stream_length`, or were too large to parse."""
        return tuple(self._disabled_streams)

    def feed(self, event: StreamEvent, now: float = 0.0) -> tuple[Trigger, ...]:
        """Returns the triggers of the event: in `stable` matching in text order, in `reference` in the order of the
        rules.

        `now` is the time of the event in seconds, with any origin; rules of omp do not use it.
        """
        self._rule_matching.now = now
        stream = self._latest
        if stream is not None and event.context is stream.context and isinstance(event, Delta):
            # The fast path of nearly every event.
            units = event.text if event.text.isascii() else to_units(event.text)
            if len(units) <= stream.room:
                if stream.append(units) or stream.deferred or stream.blocked:
                    return self._final_triggers(stream)
                return ()
        if not self.can_match(event.context):
            return ()
        key = stream_key(event.context)
        if self._profile.buffers is BufferScope.ONE and self._matching is Matching.REFERENCE:
            key, event = _JOINED_STREAMS, self._joined.joined(key, event)
        stream = self._stream(key, event)
        match event:
            case Delta():
                self._append(key, stream, to_units(event.text))
            case Snapshot():
                self._replace(key, stream, stream.to_units(event.text))
            case BlockEnd():
                return self._end(key, stream)
            case _:
                assert_never(event)
        match self._matching:
            case Matching.STABLE:
                self._latest = stream
                return self._final_triggers(stream)
            case Matching.REFERENCE:
                rule_matches = self._selected(self._rule_matching.matches_now(stream))
                return tuple(self._trigger_again(stream, index, rule_match) for index, rule_match in rule_matches)
        assert_never(self._matching)

    def can_match(self, context: StreamContext) -> bool:
        """Returns whether some rule could fire on a stream, by the sources and tools of the scopes. Paths are not
        considered."""
        return context.source in self._rules.sources or self._ast.can_match(context)

    def is_quiet(self, event: Delta | Snapshot, now: float = 0.0) -> bool:
        """Returns whether it is certain that no rule fires on a new stream with this text alone, from start to end."""
        context = event.context
        if self._matching is Matching.REFERENCE or stream_key(context) in self._streams:
            return False
        if not self.can_match(context):
            return True
        units, self._rule_matching.now = to_units(event.text), now
        return not self._whole_texts.can_fire(event, units) and not self._ast.can_match(context)

    def prewarm(self, text: str) -> None:
        """Builds the states for output like `text` in idle time. About 50 KB of text are enough."""
        self._matcher.prewarm(to_units(text))

    def reset(self) -> None:
        """Forgets all streams: a turn or an assistant message starts, or a response restarts (spec M5). Builds the
        automaton, which the first delta needs: with 1,000 rules, that takes half a second.
        """
        self._matcher.build()
        self._latest = None
        self._streams.clear()
        self._joined.reset()
        self._ast.reset()

    def mark_injected(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """Records that the injections of these rules were committed. `since` counts the answers and turns that ended
        after that (spec I5)."""
        self._rule_matching.policy_changes += 1
        self._repeat_policy.mark(names, since)

    def end_answer(self) -> None:
        """Records that an answer of the agent ended, with the results of its tool calls. `repeat_gap` may count
        answers.
        """
        self._rule_matching.policy_changes += 1
        self._repeat_policy.end_answer()

    def end_turn(self) -> None:
        """Records that a turn was completed. `repeat_gap` may count turns."""
        self._rule_matching.policy_changes += 1
        self._repeat_policy.end_turn()

    def _stream(self, key: str, event: StreamEvent) -> StreamState:
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = StreamState(self._whole_texts.open(event), event.context, self._stream_length)
        elif stream.context is not event.context and stream.context != event.context:
            stream.update_context(event.context)
        return stream

    def _append(self, key: str, stream: StreamState, units: str) -> None:
        if len(units) > stream.room:
            self._truncate(key, stream)
            units = units[: stream.room]
        stream.append(units)
        if self._matching is Matching.REFERENCE:
            stream.count_code_points(units)

    def _replace(self, key: str, stream: StreamState, units: str) -> None:
        if len(units) > self._stream_length:
            self._truncate(key, stream)
        else:
            stream.is_truncated = False
        stream.replace(units[: self._stream_length])

    def _truncate(self, key: str, stream: StreamState) -> None:
        stream.is_truncated = True
        self._disabled_streams[key] = None

    def _end(self, key: str, stream: StreamState) -> tuple[Trigger, ...]:
        match self._matching:
            case Matching.REFERENCE:
                rule_matches = self._selected(self._rule_matching.deferred_matches(stream))
                late = tuple(self._trigger_again(stream, index, rule_match) for index, rule_match in rule_matches)
                return late + tuple(self._trigger(stream, rule_match) for rule_match in self._ast_matches(key, stream))
            case Matching.STABLE:
                self._latest = None
                del self._streams[key]
                stream.text.end()
                final = self._fire_in_order(stream, self._rule_matching.final_matches(stream, len(self._order)))
                at_end = (
                    ()
                    if stream.is_truncated
                    else self._fire_in_order(stream, self._rule_matching.matches_at_end(stream))
                )
                return final + at_end + self._fire_in_order(stream, self._ast_matches(key, stream))
        assert_never(self._matching)

    def _ast_matches(self, key: str, stream: StreamState) -> tuple[RuleMatch, ...]:
        if stream.is_truncated:
            return ()
        rules = tuple(filter(partial(self._rule_matching.may_fire, stream), self._ast.admitted(stream.context)))
        if not rules:
            return ()
        units = stream.text.prefix(stream.text.length)
        if self._matching is Matching.REFERENCE and not self._ast.is_new_text(key, units):
            return ()
        rule_matches = self._ast.matches(rules, stream.context, units)
        if self._ast.unparsed:
            self._disabled_streams[key] = None
        return rule_matches

    def _selected(self, found: Iterable[_Found]) -> Iterable[_Found]:
        match self._profile.selection:
            case TriggerSelection.ALL:
                return found
            case TriggerSelection.FIRST:
                return islice(found, 1)
        assert_never(self._profile.selection)

    def _final_triggers(self, stream: StreamState) -> tuple[Trigger, ...]:
        if not self._rule_matching.may_have_final_matches(stream):
            return ()
        return self._fire_in_order(stream, self._rule_matching.final_matches(stream, self._rules_evaluated))

    def _fire_in_order(self, stream: StreamState, rule_matches: Iterable[RuleMatch]) -> tuple[Trigger, ...]:
        """Triggers in order of the prefixes on which they fire, as if the text had come unit by unit."""
        sorted_items = sorted(
            rule_matches, key=lambda rule_match: (rule_match.match.offset, self._order[rule_match.compiled.rule.path])
        )
        fired = tuple(self._selected(sorted_items))
        stream.fired.update(rule_match.compiled.rule.path for rule_match in fired)
        stream.is_over |= bool(fired) and self._profile.selection is TriggerSelection.FIRST
        return tuple(self._trigger(stream, rule_match) for rule_match in fired)

    def _trigger_again(self, stream: StreamState, index: int, rule_match: RuleMatch) -> Trigger:
        before = stream.shown.get(index)
        if (
            before is not None
            and before[0].match.span == rule_match.match.span
            and before[0].condition == rule_match.condition
        ):
            self._repeat_policy.record_firing(rule_match.compiled.rule, self._rule_matching.now)
            return stream.repeated_trigger(before[1])
        trigger = self._trigger(stream, rule_match)
        stream.shown[index] = rule_match, trigger
        return trigger

    def _trigger(self, stream: StreamState, rule_match: RuleMatch) -> Trigger:
        rule = rule_match.compiled.rule
        self._repeat_policy.record_firing(rule, self._rule_matching.now)
        return stream.trigger(rule_match, self._settings.interrupts(rule.interrupt_mode, stream.context.source))
