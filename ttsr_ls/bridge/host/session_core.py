"""The state of a session, and the only way to change it: decide, append to the log, evolve, perform.

Also calls the hooks of features and turns their results into commands. Independent of APIs and of the host's loop,
which `answer_stream` and `turn` handle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import astuple

from ttsr_ls.bridge.host.clock import Clock as Clock
from ttsr_ls.bridge.host.events import FeatureDisabled, SessionEvent
from ttsr_ls.bridge.host.hooks.runner import FeatureRunner
from ttsr_ls.bridge.host.recorder import LogFailurePolicy, Recorder
from ttsr_ls.bridge.host.retry_wait import RetryWait
from ttsr_ls.bridge.host.turn_limits import TurnLimits
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.request_limits import RequestLimitReached, RequestLimits
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, FeatureRecorded, Output, ToolCall, TurnEvent
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.history.usage_meter import UsageMeter
from ttsr_ls.session.hooks.authority import authority_of, injections_of_feature, wrapped_message
from ttsr_ls.session.hooks.contract import (
    Append,
    DeltaContext,
    Ending,
    Feature,
    FollowUp,
    Interrupt,
    Note,
    OutputContext,
    PendingInjection,
    Prepend,
    Proceed,
    RecordableEvent,
    RequestContext,
    ToolResultContext,
)
from ttsr_ls.session.hooks.system_items import SystemItems, injections_by
from ttsr_ls.session.lifecycle import transitions
from ttsr_ls.session.lifecycle.request_budget import ReachedLimit
from ttsr_ls.session.lifecycle.session_machine import SessionMachine
from ttsr_ls.session.lifecycle.transition_table import CANCELS_RETRY, POSSIBLE_WITHOUT_LOG
from ttsr_ls.session.lifecycle.transitions import Phase
from ttsr_ls.session.output.wire_events import ResponseDelta
from ttsr_ls.store.log.turn_log import LogWriteError


class SessionCore:
    """The state of one session. Decides on each input, records the decision, and performs it."""

    def __init__(
        self,
        agent: str,
        features: Iterable[Feature],
        log: EventLog,
        clock: Clock,
        publish: Callable[[SessionEvent], None],
        on_log_failure: LogFailurePolicy,
        limits: RequestLimits,
    ) -> None:
        self.agent = agent
        self.machine = SessionMachine(agent)
        self.fold, self.usage = TurnFold(), UsageMeter(agent)
        self.features = FeatureRunner(features, lambda name, reason: publish(FeatureDisabled(name, reason)))
        self.retry_timer: transitions.StartRetryTimer | None = None
        self.limits = TurnLimits(limits, self.features.names, self._report)
        self.on_abort: Callable[[], None] = lambda: None
        self.retry_wait = RetryWait()
        self.recorder = Recorder(log, clock.now, self.evolve, publish, on_log_failure)
        self._clock, self._on_log_failure = clock, on_log_failure
        self.features.begin_session(agent)

    def resume(self, events: Iterable[TurnEvent], last_answer_at: int | None) -> None:
        """Applies the events of a log. `last_answer_at`: milliseconds since the Unix epoch; None: no answer."""
        for event in events:
            self.evolve(event)
        self.recorder.last_answer_at = last_answer_at

    def evolve(self, event: TurnEvent) -> None:
        """Applies a recorded event to the state, both at replay and when it happens."""
        self.fold.evolve(event)
        self.usage.evolve(event)
        self.machine.evolve(event)
        self.features.evolve(event)

    def handle(self, lifecycle_input: transitions.LifecycleInput) -> None:
        """Decides on an event, records the decision, and performs it.

        Raises UsageError if the phase forbids it, LogWriteError if it cannot be recorded.
        """
        try:
            for command in self._decide(lifecycle_input):
                match command:
                    case transitions.AbortRequest():
                        self.on_abort()
                    case transitions.StartRetryTimer():
                        self.retry_timer = command
            if isinstance(lifecycle_input, CANCELS_RETRY):
                self.features.stop_asking()
                self.retry_wait.end()
        finally:
            self.recorder.notify()

    def _decide(self, lifecycle_input: transitions.LifecycleInput) -> tuple[transitions.LifecycleCommand, ...]:
        decision = self.machine.decide(lifecycle_input)
        # If a failing log stops the agent, a turn that cannot be recorded does not begin either.
        needs_log = isinstance(lifecycle_input, transitions.StartTurn) and self._on_log_failure is LogFailurePolicy.STOP
        if isinstance(lifecycle_input, POSSIBLE_WITHOUT_LOG) and not needs_log:
            try:
                self.recorder.record_events(decision.records)
            finally:
                self.machine.enter(decision.transient)
        else:
            self.recorder.record_decision(decision.records)
            self.machine.enter(decision.transient)
        return decision.commands

    def try_handle(self, lifecycle_input: transitions.LifecycleInput) -> bool:
        """Calls `handle` and returns whether it was recorded. Raises LogWriteError if a failing log stops the agent."""
        try:
            self.handle(lifecycle_input)
        except LogWriteError:
            if self._on_log_failure is LogFailurePolicy.STOP:
                raise
            return False
        return True

    async def before_request(self) -> None:
        """Adds the items of features to the request."""
        handles = {}
        turn, token = self.turn, self.machine.transient.token

        def context(feature: Feature) -> RequestContext:
            handle = handles[id(feature)] = SystemItems()
            return RequestContext(turn, self.agent, handle)

        allowed = (Proceed, Append)
        answers = self.features.ask_all("on_request", allowed, lambda feature: feature.on_request(context(feature)))
        async for feature, result in answers:
            if self.is_stale(token):
                return
            if isinstance(result, Append):
                try:
                    injections = injections_by(handles[id(feature)], result.items)
                except UsageError as error:
                    self.features.disable(feature, error, "on_request")
                    continue
                self._inject(feature, injections, result.records)

    def on_delta(self, delta: ResponseDelta, text: Callable[[], str]) -> None:
        """Passes a delta of the answer to the features; `text` returns the whole text of its stream so far."""
        turn, answer, now = self.turn, self.machine.transient.answer, self._clock.seconds()
        for feature in self.features.delta_features:
            can_retry = feature.name not in self.limits.exhausted
            context = DeltaContext(turn, answer, self.agent, delta, now, text, can_retry)
            result = self.features.ask_on_delta(feature, context)
            if result is None:
                continue
            if self._try_record(result.records) and isinstance(result, Interrupt):
                self._interrupt(feature, result)
            self.recorder.notify()

    def _interrupt(self, feature: Feature, interrupt: Interrupt) -> None:
        is_allowed = feature.name not in self.limits.exhausted
        interruption = transitions.InterruptOutput(interrupt.rules, interrupt.context, interrupt.call)
        if is_allowed and self.try_handle(interruption):
            self.limits.spend_retry(feature.name, self.machine.transient.answer)

    async def on_output_end(self, output: tuple[Output, ...], ending: Ending) -> None:
        """Asks the features about an answer that none of them interrupted, and carries out their results."""
        turn, answer, token = self.turn, self.machine.transient.answer, self.machine.transient.token

        def context(feature: Feature) -> OutputContext:
            can_retry = feature.name not in self.limits.exhausted
            return OutputContext(turn, answer, self.agent, output, ending, can_retry)

        allowed = (Proceed, Note, FollowUp)
        async for feature, result in self.features.ask_all(
            "on_output_end", allowed, lambda feature: feature.on_output_end(context(feature))
        ):
            if self.is_stale(token):
                return
            if isinstance(result, Note):
                self.note(result.records)
            elif isinstance(result, FollowUp):
                if ending is Ending.COMPLETE:
                    self._follow_up(feature, result)
                else:
                    self.features.disable(
                        feature, UsageError("nothing can follow an answer that is not complete"), "on_output_end"
                    )

    async def on_tool_result(self, call: ToolCall, state: CallDone | CallRefused) -> None:
        """Records a tool's result, after the text that features prepend."""
        context = ToolResultContext(self.turn, self.machine.transient.answer, self.agent, call.id, call.tool, state)
        allowed = (Proceed, Note, Prepend)
        answers = self.features.ask_all("on_tool_result", allowed, lambda feature: feature.on_tool_result(context))
        async for feature, result in answers:
            if not self.is_pending(call):
                return
            if isinstance(result, Prepend):
                text = wrapped_message(feature.name, authority_of(feature), result.text)
                self.try_handle(transitions.AddToolReminder(call.id, text, result.rules, result.records))
            elif isinstance(result, Note):
                self.note(result.records)
        if self.is_pending(call):
            self.handle(transitions.ToolFinished(call.id, state))

    def is_stale(self, token: int) -> bool:
        """Returns whether the user stopped the turn, rewound, or closed the session while features were asked."""
        return self.machine.transient.token != token

    def is_pending(self, call: ToolCall) -> bool:
        """Returns whether a call still has no result: the user may have stopped the tools while features ran."""
        return call.id in self.machine.transient.unfinished_calls

    def on_retry_timer(self, token: int) -> None:
        """Retries after the delay of `StartRetryTimer`; without injections, if these cannot be recorded."""
        if not self.try_handle(transitions.RetryTimerFired(token)):
            self.handle(transitions.RetryWithoutInjection(token))

    def record_rules(self, events: Iterable[TurnEvent]) -> None:
        """Records the rules in force, unless the session was closed while they were read. Raises LogWriteError."""
        if self.machine.phase is not Phase.CLOSED:
            self.recorder.record_events(events)

    def note_all(self, records: Iterable[RecordableEvent]) -> None:
        """Records a feature's own data. Raises LogWriteError."""
        try:
            self.recorder.record_decision(records)
        finally:
            self.recorder.notify()

    @property
    def turn(self) -> str:
        """The running turn. Raises UsageError if there is none."""
        turn = self.machine.position.turn
        if turn is None:
            raise UsageError("the turn is over")
        return turn

    def _follow_up(self, feature: Feature, result: FollowUp) -> None:
        is_allowed = feature.name not in self.limits.exhausted
        if is_allowed and self._inject(feature, result.injections, result.records):
            self.limits.spend_retry(feature.name, self.machine.transient.answer)

    def _report(self, reached: ReachedLimit) -> None:
        try:
            self.recorder.record_events((RequestLimitReached(self.turn, self.agent, *astuple(reached)),))
        finally:
            self.recorder.notify()

    def _inject(
        self, feature: Feature, injections: tuple[PendingInjection, ...], feature_records: tuple[FeatureRecorded, ...]
    ) -> bool:
        """Injects texts of a feature. Returns whether there were any, and they could be recorded."""
        messages = injections_of_feature(feature, injections, feature_records)
        return bool(messages) and self.try_handle(transitions.Inject(messages))

    def note(self, records: tuple[RecordableEvent, ...]) -> None:
        """Records a feature's own data, unless the log fails."""
        try:
            self._try_record(records)
        finally:
            self.recorder.notify()

    def _try_record(self, records: tuple[RecordableEvent, ...]) -> bool:
        """Records a feature's own data and returns whether that succeeded. Listeners are not notified yet."""
        try:
            self.recorder.record_decision(records)
        except LogWriteError:
            if self._on_log_failure is LogFailurePolicy.STOP:
                raise
            return False
        return True
