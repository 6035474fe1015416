"""Watches an agent with the rules of all dialects side by side, each set by a monitor of its own discipline."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.monitor.discipline import OMP, OMP_LEGACY, Selection
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.repeat.gate import JUST_NOW, Elapsed
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.matching.streams.watchers import Watchers
from ttsr_ls.rules.dialects.pi_rule import PiRule
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import StreamContext, StreamEvent, Trigger
from ttsr_ls.session.rules.session_rules import SessionRules


class Fired(Struct, frozen=True):
    """A rule that fired, and how."""

    rule: Rule
    trigger: Trigger


class Voice:
    """The rules of one discipline in a session.

    Where the first match cuts the answer off, the rest of the answer would never have come: until the next `reset`
    nothing fires, even if whoever watches cannot cut anything off.
    """

    __slots__ = ("_by_path", "_is_over", "_selection", "monitor")

    def __init__(self, monitor: Monitor, rules: Iterable[Rule], selection: Selection) -> None:
        self.monitor = monitor
        self._by_path = {rule.path: rule for rule in rules}
        self._selection = selection
        self._is_over = False

    def feed(self, event: StreamEvent, now: float) -> tuple[Fired, ...]:
        """What the event triggers; `now` is in seconds."""
        if self._is_over:
            return ()
        triggers = self.monitor.feed(event, now)
        if not triggers:
            # As after nearly every delta.
            return ()
        self._is_over = self._selection is Selection.FIRST
        return tuple(Fired(self._by_path[trigger.path], trigger) for trigger in triggers)

    def reset(self) -> None:
        """A response starts."""
        self._is_over = False
        self.monitor.reset()


def omp_voice(
    rules: RuleSet,
    settings: Settings,
    matching: Matching,
    ast_search: AstSearch | None,
    watchers: Watchers | None = None,
    limits: SearchLimits = LIVE,
) -> Voice:
    """Rules of oh-my-pi."""
    monitor = Monitor(rules, settings, matching, OMP, ast_search, limits, watchers)
    return Voice(monitor, rules.rules, OMP.selection)


def legacy_voice(
    rules: RuleSet,
    settings: Settings,
    matching: Matching,
    watchers: Watchers | None = None,
    limits: SearchLimits = LIVE,
) -> Voice:
    """Rules of oh-my-pi before `condition`."""
    monitor = Monitor(rules, settings, matching, OMP_LEGACY, limits=limits, watchers=watchers)
    return Voice(monitor, rules.rules, OMP_LEGACY.selection)


def pi_voice(
    rules: tuple[PiRule, ...], matching: Matching, watchers: Watchers | None = None, limits: SearchLimits = LIVE
) -> Voice:
    """Rules of pi-ttsr."""
    # Here and not above: few have such rules, and every start would wait for the modules.
    from ttsr_ls.matching.monitor.pi import pi_monitor

    return Voice(pi_monitor(rules, matching, watchers, limits), (each.rule for each in rules), Selection.FIRST)


class SessionMonitor:
    """The session of one agent. Not for use by several threads at once.

    Those of agents that work side by side share what is large by `watchers`.
    """

    __slots__ = ("_asked", "_voices", "_watched")

    def __init__(
        self,
        rules: SessionRules,
        settings: Settings,
        matching: Matching,
        ast_search: AstSearch | None = None,
        watchers: Watchers | None = None,
    ) -> None:
        shared = Watchers() if watchers is None else watchers
        self._asked: StreamContext | None = None
        self._watched = False
        """What `watches` said about the context that was asked last: nearly always the next one is the same object."""
        self._voices = [omp_voice(rules.omp.streamed, settings, matching, ast_search, shared)]
        if rules.legacy.rules:
            self._voices.append(legacy_voice(rules.legacy, settings, matching, shared))
        if rules.pi:
            self._voices.append(pi_voice(rules.pi, matching, shared))

    def watches(self, context: StreamContext) -> bool:
        """Whether some rule could fire on a stream; where none can, its events need not be fed."""
        if context is not self._asked:
            self._asked = context
            self._watched = any(voice.monitor.watches(context) for voice in self._voices)
        return self._watched

    @property
    def disabled_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that are not evaluated any more."""
        found = self._voices[0].monitor.disabled_conditions
        for voice in self._voices[1:]:
            found += voice.monitor.disabled_conditions
        return found

    @property
    def unwatched_streams(self) -> tuple[str, ...]:
        """The keys of the streams of which no more is looked at, or which were too much to parse."""
        found = self._voices[0].monitor.unwatched_streams
        for voice in self._voices[1:]:
            found += voice.monitor.unwatched_streams
        return tuple(dict.fromkeys(found)) if found else ()

    def feed(self, event: StreamEvent, now: float = 0.0) -> tuple[Fired, ...]:
        """What the event triggers, `now` in seconds from wherever the host counts."""
        fired = self._voices[0].feed(event, now)
        for voice in self._voices[1:]:
            fired += voice.feed(event, now)
        return fired

    def prewarm(self, text: str) -> None:
        """Use idle time to get ready for output like `text`."""
        for voice in self._voices:
            voice.monitor.prewarm(text)

    def reset(self) -> None:
        """A response starts: all streams start anew."""
        for voice in self._voices:
            voice.reset()

    def mark_injected(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """The injections of these rules of oh-my-pi were committed; `since` is what ended after that."""
        self._voices[0].monitor.mark_injected(names, since)

    def end_answer(self) -> None:
        """An answer of the agent ended."""
        for voice in self._voices:
            voice.monitor.end_answer()

    def end_turn(self) -> None:
        """A turn was completed."""
        for voice in self._voices:
            voice.monitor.end_turn()
