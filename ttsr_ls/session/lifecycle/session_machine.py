"""The state machine of a session: what must be on record, and the commands, for each input.

Pure: `decide` changes nothing. The host appends the records and calls `evolve` for each, then calls `enter`, then
performs the commands; if a record cannot be appended, none of the rest happens (spec U1).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from ttsr_ls.errors import UsageError
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.abandoned import MAY_HAVE_RUN, OTHER_CALL, STOPPED, abandoned_by_rules
from ttsr_ls.session.history.turn import (
    CompactionRehydration,
    CompactionSummary,
    Injection,
    InterruptedByRules,
    InterruptedByUser,
    Interruption,
    InterruptionCause,
    Step,
    TurnCancelled,
)
from ttsr_ls.session.history.turn_events import (
    CallAbandoned,
    CallRunning,
    HistoryCleared,
    HistoryCompacted,
    HistoryRewound,
    InjectionCommitted,
    ModelCall,
    Output,
    OutputInterrupted,
    ReminderFolded,
    RetryStarted,
    StepAppended,
    StepUpdated,
    ToolBatch,
    ToolCall,
    ToolInputChanged,
    ToolItem,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.lifecycle.history_position import HistoryPosition
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.transition_table import TABLE
from ttsr_ls.session.lifecycle.transitions import (
    AbortRequest,
    AddToolReminder,
    ChangeToolInput,
    ClearHistory,
    CloseSession,
    CompactHistory,
    Decision,
    EndTurn,
    Inject,
    InterruptOutput,
    LifecycleCommand,
    LifecycleInput,
    OutputFailed,
    OutputFinished,
    Phase,
    RequestSent,
    RetryTimerFired,
    RetryWithoutInjection,
    RewindHistory,
    ScheduleRetry,
    StartRetryTimer,
    StartTurn,
    StopTurn,
    ToolFinished,
    TransientState,
)

SESSION_CLOSED = TurnCancelled("the session was closed")


class SessionMachine:
    """State machine of one session: returns the events to record and the commands for each input."""

    __slots__ = ("_agent", "position", "transient")

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self.position = HistoryPosition()
        self.transient = TransientState()

    @property
    def phase(self) -> Phase:
        """The current phase of the session."""
        return self.transient.phase

    def evolve(self, event: TurnEvent) -> None:
        """Updates the state by an event that is on record."""
        self.position = self.position.after(event)

    def enter(self, transient: TransientState) -> None:
        """Enters the transient state of a decision whose records are all on record."""
        self.transient = transient

    def decide(self, action: LifecycleInput) -> Decision:
        """Returns the decision for an input. Raises UsageError if the input is not valid in the current phase."""
        allowed_phases = TABLE[type(action)].get(self.phase)
        if allowed_phases is None:
            raise UsageError(f"{type(action).__name__} cannot happen while the session is {self.phase.value}")
        decision = self._decide(action)
        assert decision.transient.phase in allowed_phases, (
            f"the table does not know {self.phase} to {decision.transient.phase}"
        )
        return decision

    def _decide(self, action: LifecycleInput) -> Decision:
        match action:
            case StartTurn():
                turn_started = TurnStarted(self.position.next_turn, action.trigger)
                return Decision((turn_started,), TransientState(Phase.READY, token=self.transient.token))
            case RequestSent():
                answer = self.position.step
                state = replace(self.transient, phase=Phase.ANSWERING, answer=answer, batch=answer + 1)
                state = replace(state, unfinished_calls=(), matched_calls=(), user_interrupted=False)
                return Decision((), state)
            case InterruptOutput():
                return self._interrupt(action)
            case OutputFinished():
                return self._output_failed(action) if self.phase is Phase.ABORTING else self._output_finished(action)
            case OutputFailed():
                return self._output_failed(action)
            case ScheduleRetry():
                token = self.transient.token + 1
                waiting = replace(
                    self.transient, phase=Phase.WAITING, token=token, pending_injections=action.injections
                )
                return Decision((), waiting, (StartRetryTimer(token, action.after),))
            case RetryTimerFired() | RetryWithoutInjection():
                return self._retry(action)
            case Inject():
                phase = Phase.TOOLS if self.phase is Phase.TOOLS else Phase.READY
                return Decision(self._injection_records(action.injections), replace(self.transient, phase=phase))
            case AddToolReminder() | ToolFinished() | ChangeToolInput():
                return self._decide_on_call(action)
            case StopTurn():
                return self._stop_turn()
            case CompactHistory():
                return self._compact(action)
            case EndTurn():
                return Decision((TurnEnded(self._turn, action.outcome),), self._fresh_state(Phase.IDLE))
            case RewindHistory():
                return Decision((HistoryRewound(action.turn),), self._fresh_state(Phase.IDLE), self._abort_commands())
            case ClearHistory():
                return Decision((HistoryCleared(),), self._fresh_state(Phase.IDLE), self._abort_commands())
            case CloseSession():
                ended = () if self.position.turn is None else (TurnEnded(self.position.turn, SESSION_CLOSED),)
                return Decision(ended, self._fresh_state(Phase.CLOSED), self._abort_commands())
            case _:
                assert_never(action)

    @property
    def _turn(self) -> str:
        assert self.position.turn is not None, "the table allows these inputs within a turn only"
        return self.position.turn

    def _interrupt(self, interrupt: InterruptOutput) -> Decision:
        first = self.phase is Phase.ANSWERING
        transient = replace(
            self.transient,
            phase=Phase.ABORTING,
            interruptions=self.transient.interruptions + first,
            matched_calls=(*self.transient.matched_calls, (interrupt.call, interrupt.rules)),
        )
        return Decision(
            (self._interruption_record(InterruptedByRules(interrupt.rules), interrupt.context),),
            transient,
            (AbortRequest(),) if first else (),
        )

    def _interruption_record(self, cause: InterruptionCause, context: ContextMode) -> OutputInterrupted:
        # The numbers of the answer and of its tool batch are reserved: both are recorded later.
        step = max(self.position.step, self.transient.batch + 1)
        return OutputInterrupted(self._turn, step, Interruption(self._agent, self.transient.answer, cause, context))

    def _output_finished(self, answer: OutputFinished) -> Decision:
        calls = _calls(answer.output)
        items = tuple(ToolItem(call.id, call.tool, CallRunning()) for call in calls)
        phase = Phase.TOOLS if calls else Phase.DONE
        transient = replace(self.transient, phase=phase, unfinished_calls=tuple(call.id for call in calls))
        call = ModelCall(self._agent, answer.model, answer.output, complete=True, usage=answer.usage)
        return Decision(self._answer_records(call, items), transient)

    def _output_failed(self, answer: OutputFailed | OutputFinished) -> Decision:
        items = tuple(
            ToolItem(call.id, call.tool, CallAbandoned(self._abandonment_reason(call.id)))
            for call in _calls(answer.output)
        )
        aborted = self.phase is Phase.ABORTING and not self.transient.user_interrupted
        transient = replace(self.transient, phase=Phase.ABORTED if aborted else Phase.DONE)
        call = ModelCall(self._agent, answer.model, answer.output, complete=False, usage=answer.usage)
        return Decision(self._answer_records(call, items), transient)

    def _abandonment_reason(self, call: str) -> str:
        """Returns why a call of an incomplete answer never ran: a rule matched in it, or in another call."""
        if self.transient.user_interrupted or not self.transient.matched_calls:
            return STOPPED
        own = tuple(rule for blamed, rules in self.transient.matched_calls if blamed in (call, None) for rule in rules)
        return abandoned_by_rules(own) if own else OTHER_CALL

    def _answer_records(self, answer: ModelCall, items: tuple[ToolItem, ...]) -> tuple[TurnEvent, ...]:
        steps: list[tuple[int, Step]] = [(self.transient.answer, answer)]
        if items:
            steps.append((self.transient.batch, ToolBatch(self._agent, items)))
        return tuple(StepAppended(self._turn, number, step) for number, step in steps)

    def _retry(self, action: RetryTimerFired | RetryWithoutInjection) -> Decision:
        """Sends the request again. An outdated token does nothing: another input cancelled its retry (spec U2)."""
        if self.phase is not Phase.WAITING or action.token != self.transient.token:
            return Decision((), self.transient)
        transient = replace(self.transient, phase=Phase.READY, pending_injections=())
        if isinstance(action, RetryWithoutInjection):
            return Decision((), transient)
        injections = self._injection_records(self.transient.pending_injections)
        step = self.position.step + len(injections)
        retry = RetryStarted(self._turn, step, self._agent, self.transient.interruptions)
        return Decision((*injections, retry), transient)

    def _injection_records(self, messages: Iterable[PendingInjection]) -> tuple[TurnEvent, ...]:
        return tuple(
            InjectionCommitted(
                self._turn,
                step,
                Injection(self._agent, message.purpose, message.role, message.text),
                message.rules,
                message.feature_records,
            )
            for step, message in enumerate(messages, self.position.step)
        )

    def _decide_on_call(self, action: AddToolReminder | ToolFinished | ChangeToolInput) -> Decision:
        batch, waiting = self.transient.batch, self.transient.unfinished_calls
        if action.call not in waiting:
            raise UsageError(f"no tool call {action.call!r} waits for a result")
        if isinstance(action, AddToolReminder):
            call, rules, text = action.call, action.rules, action.text
            return Decision(
                (ReminderFolded(self._turn, batch, call, rules, text, action.feature_records),), self.transient
            )
        if isinstance(action, ChangeToolInput):
            call, feature, arguments = action.call, action.feature, action.arguments
            return Decision(
                (ToolInputChanged(self._turn, batch, call, feature, arguments, action.feature_records),), self.transient
            )
        unfinished = tuple(call for call in waiting if call != action.call)
        phase = Phase.TOOLS if unfinished else Phase.READY
        transient = replace(self.transient, phase=phase, unfinished_calls=unfinished)
        return Decision((StepUpdated(self._turn, batch, action.call, action.state),), transient)

    def _stop_turn(self) -> Decision:
        if self.phase is Phase.IDLE:
            return Decision((), self.transient)
        token = self.transient.token + 1
        transient = replace(self.transient, token=token, pending_injections=(), user_interrupted=True)
        if self.phase in (Phase.ANSWERING, Phase.ABORTING):
            interruption = self._interruption_record(InterruptedByUser(), ContextMode.KEEP)
            records = () if self.transient.user_interrupted else (interruption,)
            return Decision(records, replace(transient, phase=Phase.ABORTING), self._abort_commands())
        abandoned = tuple(
            StepUpdated(self._turn, self.transient.batch, call, CallAbandoned(MAY_HAVE_RUN))
            for call in self.transient.unfinished_calls
        )
        return Decision(abandoned, replace(transient, phase=Phase.DONE, unfinished_calls=()))

    def _compact(self, compact: CompactHistory) -> Decision:
        """Returns one record, so that no failure leaves half of it. Between turns, the record is a turn of its own."""
        current = self.position.turn
        turn, step = (current, self.position.step) if current is not None else (self.position.next_turn, 0)
        summary = CompactionSummary(self._agent, compact.summary, compact.acknowledgement, compact.usage)
        files = (CompactionRehydration(self._agent, compact.tool, compact.files),) if compact.files else ()
        return Decision((HistoryCompacted(turn, step, (summary, *files)),), self.transient)

    def _fresh_state(self, phase: Phase) -> TransientState:
        """Returns an empty transient state whose token makes all earlier retry timers outdated."""
        return TransientState(phase, token=self.transient.token + 1)

    def _abort_commands(self) -> tuple[LifecycleCommand, ...]:
        return (AbortRequest(),) if self.phase is Phase.ANSWERING else ()


def _calls(output: Iterable[Output]) -> tuple[ToolCall, ...]:
    """The tool calls of an answer; of two with one id the first."""
    calls: dict[str, ToolCall] = {}
    for part in output:
        if isinstance(part, ToolCall):
            calls.setdefault(part.id, part)
    return tuple(calls.values())
