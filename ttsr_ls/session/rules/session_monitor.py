"""Matches an agent's output against the rules of all dialects, each set as its profile says."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.repeat.repeat_policy import JUST_NOW, Elapsed
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.rules.dialects.dialect_profile import TriggerSelection
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Delta, Snapshot, StreamContext, StreamEvent, Trigger
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect


class DialectMonitor:
    """The rules of one dialect in a session.

    If the first match interrupts the answer, no rule fires until the next `reset`, because the rest of the answer would
    not exist; this holds even if the observer cannot interrupt.
    """

    __slots__ = ("_is_over", "_selection", "monitor")

    def __init__(
        self,
        rules: RuleSet,
        settings: Settings,
        mode: Matching,
        ast_search: AstSearch | None = None,
        matchers: MatcherCache | None = None,
        limits: SearchLimits = LIVE,
    ) -> None:
        self.monitor = Monitor(rules, settings, mode, ast_search, limits, matchers)
        self._selection = rules.profile.selection
        self._is_over = False

    def feed(self, event: StreamEvent, now: float) -> tuple[Trigger, ...]:
        """Returns the triggers of the event; `now` is in seconds."""
        if self._is_over:
            return ()
        triggers = self.monitor.feed(event, now)
        if not triggers:
            return ()  # The case of nearly every delta.
        self._is_over = self._selection is TriggerSelection.FIRST
        return triggers

    def is_quiet(self, event: Delta | Snapshot, now: float) -> bool:
        """Returns whether no rule fires on a new stream that has this text and then ends."""
        return self._is_over or self.monitor.is_quiet(event, now)

    def reset(self) -> None:
        """Clears the state of all streams, at the start of a response."""
        self._is_over = False
        self.monitor.reset()


class SessionMonitor:
    """Matches the rules of one agent's session. Not thread-safe. Monitors of concurrent agents share large data by
    `matchers`.
    """

    __slots__ = ("_last_can_match", "_last_context", "_monitors", "_other_rules")

    def __init__(
        self,
        rules: RulesByDialect,
        settings: Settings,
        mode: Matching,
        ast_search: AstSearch | None = None,
        matchers: MatcherCache | None = None,
    ) -> None:
        shared = MatcherCache() if matchers is None else matchers
        self._last_context: StreamContext | None = None
        self._last_can_match = False
        """The result of `can_match` for `_last_context`: consecutive events usually have the same context object."""
        self._monitors = tuple(
            DialectMonitor(rule_set, settings, mode, ast_search, shared)
            for rule_set in (rules.omp.streamed, *rules.others)
        )
        self._other_rules = frozenset(
            RuleRef(rule.name, rule.path) for rule_set in rules.others for rule in rule_set.rules
        )

    def can_match(self, context: StreamContext) -> bool:
        """Returns whether some rule could fire on a stream. If not, its events need not be fed."""
        if context is not self._last_context:
            self._last_context = context
            self._last_can_match = any(monitor.monitor.can_match(context) for monitor in self._monitors)
        return self._last_can_match

    @property
    def disabled_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that are not evaluated any more."""
        conditions = self._monitors[0].monitor.disabled_conditions
        for monitor in self._monitors[1:]:
            conditions += monitor.monitor.disabled_conditions
        return conditions

    @property
    def disabled_streams(self) -> tuple[str, ...]:
        """The keys of the streams that are no longer matched, or were too large to parse."""
        streams = self._monitors[0].monitor.disabled_streams
        for monitor in self._monitors[1:]:
            streams += monitor.monitor.disabled_streams
        return tuple(dict.fromkeys(streams)) if streams else ()

    @property
    def undecided_rules(self) -> tuple[str, ...]:
        """The names of the rules for which it remains unknown whether they matched at an earlier delta."""
        rules = self._monitors[0].monitor.undecided_rules
        for monitor in self._monitors[1:]:
            rules += monitor.monitor.undecided_rules
        return rules

    def feed(self, event: StreamEvent, now: float = 0.0) -> tuple[Trigger, ...]:
        """Returns the triggers of the event; `now` is in seconds, with any origin."""
        triggers = self._monitors[0].feed(event, now)
        for monitor in self._monitors[1:]:
            triggers += monitor.feed(event, now)
        return triggers

    def is_quiet(self, event: Delta | Snapshot, now: float = 0.0) -> bool:
        """Returns whether it is certain that no rule fires on a new stream that has this text and then ends. Then
        neither need be fed."""
        return all(monitor.is_quiet(event, now) for monitor in self._monitors)

    def prewarm(self, text: str) -> None:
        """Builds the states for output like `text` in idle time."""
        for monitor in self._monitors:
            monitor.monitor.prewarm(text)

    def reset(self) -> None:
        """Starts a response: resets all streams."""
        for monitor in self._monitors:
            monitor.reset()

    def mark_injected(self, rules: Iterable[RuleRef], since: Elapsed = JUST_NOW) -> None:
        """Records that the injections of these rules were committed. `since` counts what ended after that.

        Only rules of oh-my-pi are marked, by name, as their files may move. Rules of other dialects count at their
        match, and must not mark a rule of oh-my-pi with the same name.
        """
        names = [rule.name for rule in rules if rule not in self._other_rules]
        if names:
            self._monitors[0].monitor.mark_injected(names, since)

    def end_answer(self) -> None:
        """Records that an answer of the agent ended."""
        for monitor in self._monitors:
            monitor.monitor.end_answer()

    def end_turn(self) -> None:
        """Records that a turn was completed."""
        for monitor in self._monitors:
            monitor.monitor.end_turn()
