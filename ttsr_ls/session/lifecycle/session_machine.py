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

    def decide(self, happened: LifecycleInput) -> Decision:
        """Returns the decision for an input. Raises UsageError if the input is not valid in the current phase."""
        leads_to = TABLE[type(happened)].get(self.phase)
        if leads_to is None:
            raise UsageError(f"{type(happened).__name__} cannot happen while the session is {self.phase.value}")
        decision = self._decide(happened)
        assert decision.transient.phase in leads_to, (
            f"the table does not know {self.phase} to {decision.transient.phase}"
        )
        return decision

    def _decide(self, happened: LifecycleInput) -> Decision:
        match happened:
            case StartTurn():
                turn_started = TurnStarted(self.position.next_turn, happened.trigger)
                return Decision((turn_started,), TransientState(Phase.READY, token=self.transient.token))
            case RequestSent():
                position = self.position.step
                transient = replace(
                    self.transient,
                    phase=Phase.ANSWERING,
                    answer=position,
                    batch=position + 1,
                    unfinished_calls=(),
                    matched_calls=(),
                )
                return Decision((), replace(transient, user_interrupted=False))
            case InterruptOutput():
                return self._cut(happened)
            case OutputFinished():
                return self._broken(happened) if self.phase is Phase.ABORTING else self._answered(happened)
            case OutputFailed():
                return self._broken(happened)
            case ScheduleRetry():
                token = self.transient.token + 1
                transient = replace(
                    self.transient, phase=Phase.WAITING, token=token, pending_injections=happened.injections
                )
                return Decision((), transient, (StartRetryTimer(token, happened.after),))
            case RetryTimerFired() | RetryWithoutInjection():
                return self._go_on(happened)
            case Inject():
                phase = Phase.TOOLS if self.phase is Phase.TOOLS else Phase.READY
                return Decision(self._commits_of(happened.injections), replace(self.transient, phase=phase))
            case AddToolReminder() | ToolFinished() | ChangeToolInput():
                return self._decide_on_call(happened)
            case StopTurn():
                return self._stopped()
            case CompactHistory():
                return self._compacted(happened)
            case EndTurn():
                return Decision((TurnEnded(self._turn, happened.outcome),), self._elsewhere(Phase.IDLE))
            case RewindHistory():
                return Decision((HistoryRewound(happened.turn),), self._elsewhere(Phase.IDLE), self._closing())
            case ClearHistory():
                return Decision((HistoryCleared(),), self._elsewhere(Phase.IDLE), self._closing())
            case CloseSession():
                ended = () if self.position.turn is None else (TurnEnded(self.position.turn, SESSION_CLOSED),)
                return Decision(ended, self._elsewhere(Phase.CLOSED), self._closing())
            case _:
                assert_never(happened)

    @property
    def _turn(self) -> str:
        assert self.position.turn is not None, "the table lets this happen in a turn only"
        return self.position.turn

    def _cut(self, cut: InterruptOutput) -> Decision:
        first = self.phase is Phase.ANSWERING
        transient = replace(
            self.transient,
            phase=Phase.ABORTING,
            interruptions=self.transient.interruptions + first,
            matched_calls=(*self.transient.matched_calls, (cut.call, cut.rules)),
        )
        return Decision(
            (self._interrupted(InterruptedByRules(cut.rules), cut.context),),
            transient,
            (AbortRequest(),) if first else (),
        )

    def _interrupted(self, cut: InterruptedByRules | InterruptedByUser, context: ContextMode) -> OutputInterrupted:
        answer = self.transient.answer
        step = max(
            self.position.step, self.transient.batch + 1
        )  # The answer and its calls come first, though known later.
        return OutputInterrupted(self._turn, step, Interruption(self._agent, answer, cut, context))

    def _answered(self, answer: OutputFinished) -> Decision:
        calls = _calls(answer.output)
        items = tuple(ToolItem(call.id, call.tool, CallRunning()) for call in calls)
        phase = Phase.TOOLS if calls else Phase.DONE
        transient = replace(self.transient, phase=phase, unfinished_calls=tuple(call.id for call in calls))
        call = ModelCall(self._agent, answer.model, answer.output, complete=True, usage=answer.usage)
        return Decision(self._on_record(call, items), transient)

    def _broken(self, answer: OutputFailed | OutputFinished) -> Decision:
        items = tuple(ToolItem(call.id, call.tool, CallAbandoned(self._why(call.id))) for call in _calls(answer.output))
        aborted = self.phase is Phase.ABORTING and not self.transient.user_interrupted
        transient = replace(self.transient, phase=Phase.ABORTED if aborted else Phase.DONE)
        call = ModelCall(self._agent, answer.model, answer.output, complete=False, usage=answer.usage)
        return Decision(self._on_record(call, items), transient)

    def _why(self, call: str) -> str:
        """Returns why a call of a broken answer never ran: a rule matched in it, or in another call."""
        if self.transient.user_interrupted or not self.transient.matched_calls:
            return STOPPED
        own = tuple(rule for blamed, rules in self.transient.matched_calls if blamed in (call, None) for rule in rules)
        return abandoned_by_rules(own) if own else OTHER_CALL

    def _on_record(self, answer: ModelCall, items: tuple[ToolItem, ...]) -> tuple[TurnEvent, ...]:
        steps: list[tuple[int, Step]] = [(self.transient.answer, answer)]
        if items:
            steps.append((self.transient.batch, ToolBatch(self._agent, items)))
        return tuple(StepAppended(self._turn, number, step) for number, step in steps)

    def _go_on(self, happened: RetryTimerFired | RetryWithoutInjection) -> Decision:
        """A `RetryTimerFired` that is not the last one's comes too late: something came between (spec U2)."""
        if self.phase is not Phase.WAITING or happened.token != self.transient.token:
            return Decision((), self.transient)
        commits = self._commits_of(self.transient.pending_injections) if isinstance(happened, RetryTimerFired) else ()
        retry = RetryStarted(self._turn, self.position.step + len(commits), self._agent, self.transient.interruptions)
        records = (*commits, retry) if isinstance(happened, RetryTimerFired) else ()
        return Decision(records, replace(self.transient, phase=Phase.READY, pending_injections=()))

    def _commits_of(self, messages: Iterable[PendingInjection]) -> tuple[TurnEvent, ...]:
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

    def _decide_on_call(self, happened: AddToolReminder | ToolFinished | ChangeToolInput) -> Decision:
        batch, waiting = self.transient.batch, self.transient.unfinished_calls
        if happened.call not in waiting:
            raise UsageError(f"no tool call {happened.call!r} waits for a result")
        if isinstance(happened, AddToolReminder):
            reminder_folded = ReminderFolded(
                self._turn, batch, happened.call, happened.rules, happened.text, happened.feature_records
            )
            return Decision((reminder_folded,), self.transient)
        if isinstance(happened, ChangeToolInput):
            call, feature, arguments = happened.call, happened.feature, happened.arguments
            tool_input_changed = ToolInputChanged(self._turn, batch, call, feature, arguments, happened.feature_records)
            return Decision((tool_input_changed,), self.transient)
        left = tuple(call for call in waiting if call != happened.call)
        transient = replace(self.transient, phase=Phase.TOOLS if left else Phase.READY, unfinished_calls=left)
        return Decision((StepUpdated(self._turn, batch, happened.call, happened.state),), transient)

    def _stopped(self) -> Decision:
        if self.phase is Phase.IDLE:
            return Decision((), self.transient)
        transient = replace(
            self.transient, token=self.transient.token + 1, pending_injections=(), user_interrupted=True
        )
        if self.phase in (Phase.ANSWERING, Phase.ABORTING):
            records = (
                () if self.transient.user_interrupted else (self._interrupted(InterruptedByUser(), ContextMode.KEEP),)
            )
            commands = self._closing()
            return Decision(records, replace(transient, phase=Phase.ABORTING), commands)
        left = tuple(
            StepUpdated(self._turn, self.transient.batch, call, CallAbandoned(MAY_HAVE_RUN))
            for call in self.transient.unfinished_calls
        )
        return Decision(left, replace(transient, phase=Phase.DONE, unfinished_calls=()))

    def _compacted(self, compact: CompactHistory) -> Decision:
        """One record, so that no failure leaves half of it. Where no turn is under way, it is one by itself."""
        here_turn = self.position.turn
        turn, step = (here_turn, self.position.step) if here_turn is not None else (self.position.next_turn, 0)
        summary = CompactionSummary(self._agent, compact.summary, compact.acknowledgement, compact.usage)
        files = (CompactionRehydration(self._agent, compact.tool, compact.files),) if compact.files else ()
        return Decision((HistoryCompacted(turn, step, (summary, *files)),), self.transient)

    def _elsewhere(self, phase: Phase) -> TransientState:
        """Pending retries are cancelled."""
        return TransientState(phase, token=self.transient.token + 1)

    def _closing(self) -> tuple[LifecycleCommand, ...]:
        return (AbortRequest(),) if self.phase is Phase.ANSWERING else ()


def _calls(output: Iterable[Output]) -> tuple[ToolCall, ...]:
    """The tool calls of an answer; of two with one id the first."""
    calls: dict[str, ToolCall] = {}
    for part in output:
        if isinstance(part, ToolCall):
            calls.setdefault(part.id, part)
    return tuple(calls.values())
