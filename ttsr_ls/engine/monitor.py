"""The monitor: which rules a stream of deltas, snapshots and block ends triggers (spec M, Z).

Owns the life of the buffers, the order of the gates (repeat, scope, globs, conditions) and when an answer counts. How
a text is matched stands behind `watcher`; what is done about a trigger is the session's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import assert_never

from ttsr_ls.engine.ast_search import AstSearch, NoAstSearch
from ttsr_ls.engine.ast_watch import AstWatch
from ttsr_ls.engine.confirmation import STREAMING, Bounds
from ttsr_ls.engine.discipline import OMP, Buffers, Discipline, Selection
from ttsr_ls.engine.evaluation import Hit, SlowCondition
from ttsr_ls.engine.excerpt import code_point_span, code_points_before, excerpt
from ttsr_ls.engine.gate import JUST_NOW, Elapsed
from ttsr_ls.engine.joined_streams import JoinedStreams
from ttsr_ls.engine.rule_set import RuleSet
from ttsr_ls.engine.settings import Matching, Settings
from ttsr_ls.engine.stream import BlockEnd, Delta, Snapshot, Source, StreamContext, StreamEvent, Trigger
from ttsr_ls.engine.watched_rules import WatchedRule, WatchedRules
from ttsr_ls.engine.watcher import StreamWatcher
from ttsr_ls.engine.watchers import Watchers
from ttsr_ls.esregex.units import to_units

MAXIMUM_STREAM = 4 * 1024 * 1024
"""The most that is watched of one stream, in units; what comes after is not looked at, and that is reported."""

_EVERYTHING = ""
"""The key of the one buffer that some disciplines have."""


class _Stream:
    """The state of one stream. `is_cut` tells that it outgrew `MAXIMUM_STREAM`, so that its end is not known.

    `latest` is the piece that came last, in units; `is_over` tells that a rule cut the answer off.
    """

    __slots__ = ("_admitted", "context", "fired", "is_cut", "is_over", "latest", "text")

    def __init__(self, text: StreamWatcher, context: StreamContext) -> None:
        self.text = text
        self.context = context
        self._admitted: dict[str, bool] = {}
        self.fired: set[str] = set()
        self.is_cut = False
        self.is_over = False
        self.latest = ""

    def move_to(self, context: StreamContext) -> None:
        """More is known of the stream: the paths of a tool call, say."""
        self.context = context
        self._admitted.clear()

    def admits(self, watched: WatchedRule) -> bool:
        """Whether a rule watches the stream; asked only of rules of which a condition matches."""
        known = self._admitted.get(watched.rule.name)
        if known is None:
            known = self._admitted[watched.rule.name] = watched.admits(self.context)
        return known


class Monitor:
    """Watches the streams of one agent's session with one rule set.

    Not for use by several threads at once. With `Matching.STABLE` a rule fires at most once a stream, and any way to
    cut the same text into deltas and snapshots gives the same triggers. With `Matching.REFERENCE` it answers at each
    delta and snapshot as omp does: again and again while the buffer matches (spec M2, M3; who shows triggers drops
    repetitions, M8), the end of a block says nothing, and the next block on the same key goes on in the same buffer.
    AST conditions are asked at the end of a tool call, after the others and by `ast_search`; without one, never.
    A `discipline` other than `OMP` makes it run the rules of another dialect as the program of that dialect does.
    Monitors of one thread that have the same conditions share what is large by `watchers`.
    """

    def __init__(
        self,
        rule_set: RuleSet,
        settings: Settings | None = None,
        matching: Matching = Matching.STABLE,
        discipline: Discipline = OMP,
        ast_search: AstSearch | None = None,
        bounds: Bounds = STREAMING,
        watchers: Watchers | None = None,
    ) -> None:
        self._settings = Settings() if settings is None else settings
        self._matching = matching
        self._discipline = discipline
        self._gate = discipline.gate(self._settings)
        self._now = 0.0
        self._rules = WatchedRules.of(rule_set.rules)
        self._ast = AstWatch(rule_set.rules, NoAstSearch() if ast_search is None else ast_search)
        self._order = {rule.path: order for order, rule in enumerate(rule_set.rules)}
        self._evaluation = discipline.evaluation(self._rules, matching)
        self._watcher = (Watchers() if watchers is None else watchers).of(self._rules.conditions, bounds)
        self._streams: dict[str, _Stream] = {}
        self._joined = JoinedStreams()
        self._unwatched: dict[str, None] = {}

    @property
    def slow_conditions(self) -> tuple[SlowCondition, ...]:
        """The conditions that exceeded their bound so far; they are not evaluated any more."""
        return (*self._evaluation.slow_conditions, *self._ast.given_up)

    @property
    def unwatched_streams(self) -> tuple[str, ...]:
        """The keys of the streams that grew beyond `MAXIMUM_STREAM`, or were too much to parse."""
        return tuple(self._unwatched)

    @property
    def injected(self) -> tuple[str, ...]:
        """The names of the rules that were marked or restored as injected."""
        return self._gate.injected

    def feed(self, event: StreamEvent, now: float = 0.0) -> tuple[Trigger, ...]:
        """What the event triggers: in `stable` matching in order of the text, in `reference` in that of the rules.

        `now` is the time of the event in seconds, from wherever the host counts; rules of omp do not ask for it.
        """
        if not self.watches(event.context):
            return ()
        self._now = now
        key = stream_key(event.context)
        if self._discipline.buffers is Buffers.ONE and self._matching is Matching.REFERENCE:
            key, event = _EVERYTHING, self._joined.joined(key, event)
        stream = self._stream(key, event.context)
        match event:
            case Delta():
                self._append(key, stream, to_units(event.text))
            case Snapshot():
                self._replace(key, stream, to_units(event.text))
            case BlockEnd():
                return self._end(key, stream)
            case _:
                assert_never(event)
        match self._matching:
            case Matching.STABLE:
                # Most deltas find nothing, and there are many of them.
                return self._fire_in_order(stream, self._final_hits(stream)) if stream.text.final_conditions else ()
            case Matching.REFERENCE:
                return tuple(self._trigger(stream, hit) for hit in self._selected(self._hits_now(stream)))
        assert_never(self._matching)

    def watches(self, context: StreamContext) -> bool:
        """Whether some rule could fire on a stream: the sources and tools of their scopes, not yet their paths."""
        return context.source in self._rules.sources or self._ast.watches(context)

    def prewarm(self, text: str) -> None:
        """Use idle time to get ready for output like `text`; some 50 KB of it are enough."""
        self._watcher.prewarm(to_units(text))

    def reset(self) -> None:
        """Forget all streams: a turn or an assistant message starts, or a response starts anew (spec M5)."""
        self._streams.clear()
        self._joined.reset()
        self._ast.reset()

    def mark_injected(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """The injections of these rules were committed; `since` is what ended after that (spec I5)."""
        self._gate.mark(names, since)

    def restore_injected(self, names: Iterable[str]) -> None:
        """The injections of these rules were committed before the session was resumed (spec I6)."""
        self._gate.restore(names)

    def end_answer(self) -> None:
        """An answer of the agent ended, with the results of its tool calls; `repeat_gap` may count it."""
        self._gate.end_answer()

    def end_turn(self) -> None:
        """A turn was completed; `repeat_gap` may count it."""
        self._gate.end_turn()

    def _stream(self, key: str, context: StreamContext) -> _Stream:
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = _Stream(self._watcher.open(), context)
        elif stream.context is not context and stream.context != context:
            stream.move_to(context)
        return stream

    def _append(self, key: str, stream: _Stream, units: str) -> None:
        room = MAXIMUM_STREAM - stream.text.length
        if len(units) > room:
            self._cut(key, stream)
        stream.latest = units[:room]
        stream.text.append(stream.latest)

    def _replace(self, key: str, stream: _Stream, units: str) -> None:
        if len(units) > MAXIMUM_STREAM:
            self._cut(key, stream)
        else:
            stream.is_cut = False
        kept = units[:MAXIMUM_STREAM]
        before = stream.text.prefix(stream.text.length)
        stream.latest = kept[len(before) :] if kept.startswith(before) else kept
        stream.text.replace(kept)

    def _cut(self, key: str, stream: _Stream) -> None:
        stream.is_cut = True
        self._unwatched[key] = None

    def _end(self, key: str, stream: _Stream) -> tuple[Trigger, ...]:
        match self._matching:
            case Matching.REFERENCE:
                return tuple(self._trigger(stream, hit) for hit in self._ast_hits(key, stream))
            case Matching.STABLE:
                del self._streams[key]
                stream.text.end()
                # A path may have become known only now, and what it lets fire was final long before.
                final = self._fire_in_order(stream, self._final_hits(stream))
                at_end = () if stream.is_cut else self._fire_in_order(stream, self._hits_now(stream))
                return final + at_end + self._fire_in_order(stream, self._ast_hits(key, stream))
        assert_never(self._matching)

    def _ast_hits(self, key: str, stream: _Stream) -> tuple[Hit, ...]:
        if stream.is_cut:
            return ()
        rules = tuple(self._open(stream, self._ast.admitted(stream.context)))
        if not rules:
            return ()
        units = stream.text.prefix(stream.text.length)
        if self._matching is Matching.REFERENCE and not self._ast.is_news(key, units):
            return ()
        hits = self._ast.hits(rules, stream.context, units)
        if self._ast.unparsed:
            self._unwatched[key] = None
        return hits

    def _final_hits(self, stream: _Stream) -> Iterator[Hit]:
        for watched in self._watching(stream, stream.text.final_conditions):
            hit = self._evaluation.first_final(watched, stream.text)
            if hit is not None:
                yield hit

    def _hits_now(self, stream: _Stream) -> Iterator[Hit]:
        always = self._evaluation.asked_always()
        conditions = stream.text.conditions_at_end.union(*(each.conditions for each in always))
        for watched in self._watching(stream, conditions):
            hit = self._evaluation.first_at_end(watched, stream.text, stream.latest)
            if hit is not None:
                yield hit

    def _watching(self, stream: _Stream, conditions: Iterable[int]) -> Iterator[WatchedRule]:
        """The rules that have one of some conditions, watch the stream, and may fire."""
        return self._open(stream, filter(stream.admits, self._rules.having(conditions)))

    def _open(self, stream: _Stream, rules: Iterable[WatchedRule]) -> Iterator[WatchedRule]:
        for watched in () if stream.is_over else rules:
            if watched.rule.path not in stream.fired and self._gate.admits(watched.rule, self._now):
                yield watched

    def _selected(self, hits: Iterable[Hit]) -> Iterable[Hit]:
        match self._discipline.selection:
            case Selection.ALL:
                return hits
            case Selection.FIRST:
                return islice(hits, 1)
        assert_never(self._discipline.selection)

    def _fire_in_order(self, stream: _Stream, hits: Iterable[Hit]) -> tuple[Trigger, ...]:
        """Triggers in order of the prefixes on which they fire, as if the text had come unit by unit."""
        ordered = sorted(hits, key=lambda hit: (hit.match.offset, self._order[hit.watched.rule.path]))
        fired = tuple(self._selected(ordered))
        stream.fired.update(hit.watched.rule.path for hit in fired)
        stream.is_over |= bool(fired) and self._discipline.selection is Selection.FIRST
        return tuple(self._trigger(stream, hit) for hit in fired)

    def _trigger(self, stream: _Stream, hit: Hit) -> Trigger:
        match, rule = hit.match, hit.watched.rule
        self._gate.fired(rule, self._now)
        units = stream.text.prefix(match.offset)
        start, end = code_point_span(units, match.start, match.end)
        return Trigger(
            rule=rule.name,
            path=rule.path,
            context=stream.context,
            condition=hit.condition,
            start=start,
            end=end,
            offset=code_points_before(units, match.offset),
            excerpt=excerpt(units, match.start, match.end),
            interrupts=self._settings.interrupts(rule.interrupt_mode, stream.context.source),
        )


def stream_key(context: StreamContext) -> str:
    """The name of the buffer that a context's text goes into (spec M1)."""
    if context.key is not None and context.key.strip():
        return context.key
    if context.source is not Source.TOOL:
        return context.source.value
    return "tool" if context.tool_name is None else f"tool:{context.tool_name}"
