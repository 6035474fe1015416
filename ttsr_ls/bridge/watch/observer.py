"""Observes an agent without affecting it: agent events in; turn events into the log, and notices for the user out.

A trigger is recorded before its notice is returned (spec U1). If the log fails, the agent continues, the user is
notified, and a trigger that is not recorded does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ttsr_ls.bridge.watch.agent_monitors import AgentMonitors, RulesFor
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.join_deltas import join_deltas
from ttsr_ls.bridge.watch.notices import (
    LogFailedNotice,
    LogRecoveredNotice,
    Notice,
    RulesReplacedNotice,
    SessionJoinedNotice,
    SkippedInputNotice,
    SuppressedTriggerNotice,
    TriggerNotice,
    TurnFinishedNotice,
    UndecidedRuleNotice,
    UnloggedTriggerNotice,
)
from ttsr_ls.bridge.watch.quiet_texts import without_quiet_texts
from ttsr_ls.bridge.watch.turn_translator import StepPosition, TurnTranslator
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.rules.settings.settings import ContextMode, Matching, Settings
from ttsr_ls.rules.stream import Trigger
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    RuleChanges,
    RuleInForce,
    RulesLoaded,
    TurnEnded,
    TurnEvent,
    UnseenTrigger,
)
from ttsr_ls.session.lifecycle.noise_budget import FixedNoise, NoiseBudget, NoiseSource
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    SessionSeen,
    StreamDamaged,
    TurnClosed,
    TurnOpened,
)
from ttsr_ls.session.output.trigger_recorder import FileText, TriggerPosition, TriggerRecorder
from ttsr_ls.session.rules.rules_by_dialect import reload_changes
from ttsr_ls.store.log.turn_log import LogWriteError


class Observer:
    """Observes one session. `rules_for` returns the rules for a kind of agent (`main`, `sub`, or a subagent's kind).

    Without `ast_search`, AST conditions are not evaluated, and the user is notified. `file_text` reads the files that
    the agent edits, to locate triggers in them. `noise_limits` has the current limits, `budget` counts to share.
    `injected_before` returns the rules that the main agent has from earlier programs, by the agent's id of the session.
    """

    def __init__(
        self,
        rules_for: RulesFor,
        log: EventLog,
        *,
        settings: Settings,
        matching: Matching,
        ast_search: AstSearch | None = None,
        file_text: FileText | None = None,
        noise_limits: NoiseSource = FixedNoise(),  # noqa: B008 - frozen
        matchers: MatcherCache | None = None,
        budget: NoiseBudget | None = None,
        injected_before: Callable[[str], tuple[RuleRef, ...]] = lambda _: (),
    ) -> None:
        self._log = log
        self._injected_before = injected_before
        self._matching = matching
        self._monitors = AgentMonitors(rules_for, settings, matching, ast_search, file_text, matchers)
        self._noise, self._budget = noise_limits, NoiseBudget() if budget is None else budget
        self._history, self._failing = TurnTranslator(), False
        self.lost = 0
        """The number of records that could not be written. They are not written later."""

    def resume(self, events: Iterable[TurnEvent]) -> None:
        """Continues a log with these events: turn numbers continue, and an open turn is ended."""
        for event in events:
            self._history.evolve(event)

    def start(self, now: int, changes: RuleChanges | None = None) -> list[Notice]:
        """Records the active rules, and their changes since they were last loaded.

        `now` is in milliseconds since the Unix epoch, also in the methods below.
        """
        dialect = self._monitors.rules_for(MAIN_AGENT)
        rules = tuple(RuleInForce(rule.name, rule.path, rule.provider) for rule in dialect.rules)
        return self._record([RulesLoaded(rules, self._matching.value, dialect.problems, changes)], now)

    def replace_rules(self, rules_for: RulesFor, settings: Settings, now: int) -> list[Notice]:
        """Uses other rules from the next answer of each agent on. Injected rules stay marked."""
        before = self._monitors.rules_for(MAIN_AGENT)
        self._monitors.replace_rules(rules_for, settings, self._history.is_answering)
        changes = reload_changes(before, rules_for(MAIN_AGENT))
        return [*self.start(now, changes), RulesReplacedNotice(changes)]

    def mark_injected(self, rules: Iterable[RuleRef], agent: str | None = None) -> None:
        """Marks these rules as injected, for all agents or for one; their repeat policy counts from here."""
        self._monitors.mark_injected(rules, agent)

    def position(self, agent: str) -> StepPosition:
        """The position of the current output of `agent` in the history."""
        return self._history.position(agent)

    def reserve_step(self) -> StepPosition:
        """Reserves a step number for an event of the host. Raises LogWriteError if no turn is on record."""
        position = self._history.reserve_step()
        if position is None:
            raise LogWriteError("the turn that it belongs to is not on record")
        return position

    def step_of_pending_call(self, call_id: str) -> int | None:
        """Returns the step that contains the tool call, if the call has no result yet; else None."""
        return self._history.step_of_pending_call(call_id)

    def note(self, event: TurnEvent, now: int) -> list[Notice]:
        """Records an event that does not affect the turns."""
        return self._record([event], now)

    def commit(self, event: TurnEvent, now: int) -> None:
        """Records an event of the host. Raises LogWriteError if that failed."""
        self._log.append(event, now)
        self._history.evolve(event)

    def interrupt(self, rules: tuple[str, ...], context: ContextMode, now: int) -> tuple[bool, list[Notice]]:
        """Records that the answer of the main agent is about to be interrupted; False: it is not on record."""
        return self._put_on_record([self._history.interruption_event(rules, context)], now)

    def inject(
        self, kind: InjectionKind, text: str, rules: tuple[RuleRef, ...], attempt: int, now: int
    ) -> tuple[bool, list[Notice]]:
        """Records that `text` is about to be sent to the main agent; False: it is not on record, and marks no rules.

        `attempt` counts the interrupts of the turn; 0 if the agent continues by itself.
        """
        injection = Injection(MAIN_AGENT, kind, Role.USER, text)
        events: list[TurnEvent | None] = [self._history.injection_event(injection, rules)]
        if attempt:
            events.append(self._history.retry_event(attempt))
        is_recorded, notices = self._put_on_record(events, now)
        if is_recorded:
            self.mark_injected(rules)
        return is_recorded, notices

    def _put_on_record(self, events: list[TurnEvent | None], now: int) -> tuple[bool, list[Notice]]:
        possible_events = [event for event in events if event is not None]
        if len(possible_events) < len(events):
            return False, []
        lost_count, notices = self.lost, self._record(possible_events, now)
        return self.lost == lost_count, notices

    def prewarm(self, text: str) -> None:
        """Prepares for output like `text`, before the main agent writes anything."""
        self._monitors.of_agent(MAIN_AGENT).monitor.prewarm(text)

    def feed(self, events: Iterable[AgentEvent], now: int) -> list[Notice]:
        """The notices that follow from the events of an adapter."""
        if self._matching is Matching.STABLE:
            events = without_quiet_texts(join_deltas(events), lambda text: self._monitors.is_quiet(text, now))
        return [notice for event in events for notice in self.feed_event(event, now)]

    def feed_event(self, event: AgentEvent, now: int) -> list[Notice]:
        """The notices that follow from one event."""
        if isinstance(event, AgentDelta):
            return self._streamed(event, now)
        suppressed = self._history.suppression_events(self._budget.end_turn()) if isinstance(event, TurnClosed) else []
        return [*self._record([*suppressed, *self._history.decide(event)], now), *self._other(event)]

    def _other(self, event: AgentEvent) -> list[Notice]:
        self._monitors.follow(event)
        match event:
            case SessionSeen():
                self._noise.join(event.session)
                if earlier := self._injected_before(event.session):
                    self.mark_injected(earlier, MAIN_AGENT)
                return [SessionJoinedNotice(event.session, event.cwd)]
            case StreamDamaged():
                return [SkippedInputNotice(event.message)]
            case _:
                return []

    def _streamed(self, delta: AgentDelta, now: int) -> list[Notice]:
        watched = self._monitors.of_agent(delta.agent)
        notices: list[Notice] = []
        for trigger in watched.recorder.feed(watched.monitor, delta.event, now / 1000):
            notices += self._triggered(watched.recorder, trigger, delta, now)
        watched.recorder.finish(delta.event)
        for disabled in watched.recorder.disabled(watched.monitor):
            notices += [disabled, *self._record([watched.recorder.disabled_event(disabled)], now)]
        if self._matching is Matching.REFERENCE:
            for name in watched.monitor.undecided_rules:
                if name not in watched.undecided:
                    watched.undecided.add(name)
                    notices.append(UndecidedRuleNotice(name, delta.agent))
        return notices

    def _triggered(self, recorder: TriggerRecorder, trigger: Trigger, delta: AgentDelta, now: int) -> list[Notice]:
        rule, notices = trigger.rule, list[Notice]()
        if (reason := self._budget.spend(rule.name, self._noise(), now)) is not None:
            return [SuppressedTriggerNotice(rule, reason, delta.agent)]
        if not self._history.in_turn:  # The start of the turn could not be recorded, but the log may work again.
            notices += self._record(self._history.decide(TurnOpened(UnseenTrigger())), now)
        position = self._history.position(delta.agent)
        trigger_position = TriggerPosition(position.turn, position.step, delta.agent, delta.call, delta.write)
        (event,) = recorder.events((trigger,), delta.event.context, trigger_position)
        if not self._history.in_turn:
            self.lost += 1
            return [*notices, UnloggedTriggerNotice(event, rule, now, "the turn that it belongs to is not on record")]
        try:
            self._log.append(event, now)
        except LogWriteError as error:
            return [*notices, *self._failed(error, 1), UnloggedTriggerNotice(event, rule, now, str(error))]
        return [*notices, *self._succeeded(), TriggerNotice(event, rule, now)]

    def _record(self, events: list[TurnEvent], now: int) -> list[Notice]:
        """Appends the events and evolves by each. After a failure, the remaining events are not appended."""
        notices: list[Notice] = []
        for position, event in enumerate(events):
            try:
                self._log.append(event, now)
            except LogWriteError as error:
                notices += self._failed(error, len(events) - position)
                break
            notices += self._succeeded()
            self._history.evolve(event)
            if isinstance(event, TurnEnded):
                notices.append(TurnFinishedNotice(event.outcome))
        return notices

    def _failed(self, error: LogWriteError, lost_count: int) -> list[Notice]:
        self.lost += lost_count
        was_failing, self._failing = self._failing, True
        return [] if was_failing else [LogFailedNotice(str(error))]

    def _succeeded(self) -> list[Notice]:
        was_failing, self._failing = self._failing, False
        return [LogRecoveredNotice(self.lost)] if was_failing else []
