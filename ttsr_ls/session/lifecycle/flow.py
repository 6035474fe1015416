"""The lifecycle machine: what has to be on record, and what is to be done, because of something that happens.

Pure. `decide` changes nothing. Who runs a session appends the records and calls `evolve` for each, then `enter`s the
decision's flight, then performs its commands; where a record cannot be appended, none of the rest happens (spec
U1). What the program before had under way is gone after a replay, by `evolve` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from ttsr_ls.errors import UsageError
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.abandoned import MAY_HAVE_RUN, OTHER_CALL, STOPPED, by_rules
from ttsr_ls.session.history.turn import (
    Cancelled,
    CompactionRehydration,
    CompactionSummary,
    Injection,
    Interruption,
    PersonCut,
    RuleCut,
    Step,
)
from ttsr_ls.session.history.turn_events import (
    Abandoned,
    Cleared,
    Compacted,
    InjectionCommitted,
    ModelCall,
    Output,
    OutputInterrupted,
    ReminderFolded,
    RetryStarted,
    Rewound,
    Running,
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
from ttsr_ls.session.lifecycle.phases import (
    Abort,
    Answered,
    Ask,
    Broken,
    ChangeToolInput,
    Clear,
    Close,
    Command,
    Compact,
    Cut,
    Decision,
    Due,
    End,
    Flight,
    GoOn,
    Hold,
    Input,
    Message,
    Phase,
    Remind,
    Rewind,
    Settle,
    Start,
    Stop,
    Tell,
    Wake,
)
from ttsr_ls.session.lifecycle.place import Place
from ttsr_ls.session.lifecycle.table import TABLE

SESSION_CLOSED = Cancelled("the session was closed")


class Flow:
    """One session of one agent."""

    __slots__ = ("_agent", "flight", "place")

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self.place = Place()
        self.flight = Flight()

    @property
    def phase(self) -> Phase:
        """Where the session is."""
        return self.flight.phase

    def evolve(self, event: TurnEvent) -> None:
        """The state after an event that is on record."""
        self.place = self.place.after(event)

    def enter(self, flight: Flight) -> None:
        """The state after a decision of which all is on record."""
        self.flight = flight

    def decide(self, happened: Input) -> Decision:
        """What comes of it. Raises UsageError where that cannot happen now."""
        leads_to = TABLE[type(happened)].get(self.phase)
        if leads_to is None:
            raise UsageError(f"{type(happened).__name__} cannot happen while the session is {self.phase.value}")
        decision = self._decide(happened)
        assert decision.flight.phase in leads_to, f"the table does not know {self.phase} to {decision.flight.phase}"
        return decision

    def _decide(self, happened: Input) -> Decision:
        match happened:
            case Start():
                started = TurnStarted(self.place.next_turn, happened.trigger)
                return Decision((started,), Flight(Phase.READY, token=self.flight.token))
            case Ask():
                at = self.place.step
                flight = replace(self.flight, phase=Phase.ANSWERING, answer=at, batch=at + 1, waiting=(), blamed=())
                return Decision((), replace(flight, by_person=False))
            case Cut():
                return self._cut(happened)
            case Answered():
                return self._broken(happened) if self.phase is Phase.ABORTING else self._answered(happened)
            case Broken():
                return self._broken(happened)
            case Hold():
                token = self.flight.token + 1
                flight = replace(self.flight, phase=Phase.WAITING, token=token, held=happened.messages)
                return Decision((), flight, (Wake(token, happened.after),))
            case Due() | GoOn():
                return self._go_on(happened)
            case Tell():
                phase = Phase.TOOLS if self.phase is Phase.TOOLS else Phase.READY
                return Decision(self._told(happened.messages), replace(self.flight, phase=phase))
            case Remind() | Settle() | ChangeToolInput():
                return self._of_call(happened)
            case Stop():
                return self._stopped()
            case Compact():
                return self._compacted(happened)
            case End():
                return Decision((TurnEnded(self._turn, happened.outcome),), self._elsewhere(Phase.IDLE))
            case Rewind():
                return Decision((Rewound(happened.turn),), self._elsewhere(Phase.IDLE), self._closing())
            case Clear():
                return Decision((Cleared(),), self._elsewhere(Phase.IDLE), self._closing())
            case Close():
                ended = () if self.place.turn is None else (TurnEnded(self.place.turn, SESSION_CLOSED),)
                return Decision(ended, self._elsewhere(Phase.CLOSED), self._closing())
            case _:
                assert_never(happened)

    @property
    def _turn(self) -> str:
        assert self.place.turn is not None, "the table lets this happen in a turn only"
        return self.place.turn

    def _cut(self, cut: Cut) -> Decision:
        first = self.phase is Phase.ANSWERING
        flight = replace(
            self.flight,
            phase=Phase.ABORTING,
            cuts=self.flight.cuts + first,
            blamed=(*self.flight.blamed, (cut.call, cut.rules)),
        )
        return Decision((self._interrupted(RuleCut(cut.rules), cut.context),), flight, (Abort(),) if first else ())

    def _interrupted(self, cut: RuleCut | PersonCut, context: ContextMode) -> OutputInterrupted:
        answer = self.flight.answer
        step = max(self.place.step, self.flight.batch + 1)  # The answer and its calls come first, though known later.
        return OutputInterrupted(self._turn, step, Interruption(self._agent, answer, cut, context))

    def _answered(self, answer: Answered) -> Decision:
        calls = _calls(answer.output)
        items = tuple(ToolItem(call.id, call.tool, Running()) for call in calls)
        phase = Phase.TOOLS if calls else Phase.DONE
        flight = replace(self.flight, phase=phase, waiting=tuple(call.id for call in calls))
        call = ModelCall(self._agent, answer.model, answer.output, complete=True, usage=answer.usage)
        return Decision(self._on_record(call, items), flight)

    def _broken(self, answer: Broken | Answered) -> Decision:
        items = tuple(ToolItem(call.id, call.tool, Abandoned(self._why(call.id))) for call in _calls(answer.output))
        aborted = self.phase is Phase.ABORTING and not self.flight.by_person
        flight = replace(self.flight, phase=Phase.ABORTED if aborted else Phase.DONE)
        call = ModelCall(self._agent, answer.model, answer.output, complete=False, usage=answer.usage)
        return Decision(self._on_record(call, items), flight)

    def _why(self, call: str) -> str:
        """Why a call of a broken answer never ran: the rules that matched in it, or that it stood beside another."""
        if self.flight.by_person or not self.flight.blamed:
            return STOPPED
        own = tuple(rule for blamed, rules in self.flight.blamed if blamed in (call, None) for rule in rules)
        return by_rules(own) if own else OTHER_CALL

    def _on_record(self, answer: ModelCall, items: tuple[ToolItem, ...]) -> tuple[TurnEvent, ...]:
        steps: list[tuple[int, Step]] = [(self.flight.answer, answer)]
        if items:
            steps.append((self.flight.batch, ToolBatch(self._agent, items)))
        return tuple(StepAppended(self._turn, number, step) for number, step in steps)

    def _go_on(self, happened: Due | GoOn) -> Decision:
        """A `Due` that is not the last one's comes too late: something came between (spec U2)."""
        if self.phase is not Phase.WAITING or happened.token != self.flight.token:
            return Decision((), self.flight)
        told = self._told(self.flight.held) if isinstance(happened, Due) else ()
        retry = RetryStarted(self._turn, self.place.step + len(told), self._agent, self.flight.cuts)
        records = (*told, retry) if isinstance(happened, Due) else ()
        return Decision(records, replace(self.flight, phase=Phase.READY, held=()))

    def _told(self, messages: Iterable[Message]) -> tuple[TurnEvent, ...]:
        return tuple(
            InjectionCommitted(
                self._turn,
                step,
                Injection(self._agent, message.purpose, message.role, message.text),
                message.rules,
                message.noted,
            )
            for step, message in enumerate(messages, self.place.step)
        )

    def _of_call(self, happened: Remind | Settle | ChangeToolInput) -> Decision:
        batch, waiting = self.flight.batch, self.flight.waiting
        if happened.call not in waiting:
            raise UsageError(f"no tool call {happened.call!r} waits for a result")
        if isinstance(happened, Remind):
            folded = ReminderFolded(self._turn, batch, happened.call, happened.rules, happened.text, happened.noted)
            return Decision((folded,), self.flight)
        if isinstance(happened, ChangeToolInput):
            call, feature, arguments = happened.call, happened.feature, happened.arguments
            changed = ToolInputChanged(self._turn, batch, call, feature, arguments, happened.noted)
            return Decision((changed,), self.flight)
        left = tuple(call for call in waiting if call != happened.call)
        flight = replace(self.flight, phase=Phase.TOOLS if left else Phase.READY, waiting=left)
        return Decision((StepUpdated(self._turn, batch, happened.call, happened.state),), flight)

    def _stopped(self) -> Decision:
        if self.phase is Phase.IDLE:
            return Decision((), self.flight)
        flight = replace(self.flight, token=self.flight.token + 1, held=(), by_person=True)
        if self.phase in (Phase.ANSWERING, Phase.ABORTING):
            records = () if self.flight.by_person else (self._interrupted(PersonCut(), ContextMode.KEEP),)
            commands = self._closing()
            return Decision(records, replace(flight, phase=Phase.ABORTING), commands)
        left = tuple(
            StepUpdated(self._turn, self.flight.batch, call, Abandoned(MAY_HAVE_RUN)) for call in self.flight.waiting
        )
        return Decision(left, replace(flight, phase=Phase.DONE, waiting=()))

    def _compacted(self, compact: Compact) -> Decision:
        """One record, so that no failure leaves half of it. Where no turn is under way, it is one by itself."""
        here = self.place.turn
        turn, step = (here, self.place.step) if here is not None else (self.place.next_turn, 0)
        summary = CompactionSummary(self._agent, compact.summary, compact.acknowledgement, compact.usage)
        files = (CompactionRehydration(self._agent, compact.tool, compact.files),) if compact.files else ()
        return Decision((Compacted(turn, step, (summary, *files)),), self.flight)

    def _elsewhere(self, phase: Phase) -> Flight:
        """Whatever waits, waits in vain."""
        return Flight(phase, token=self.flight.token + 1)

    def _closing(self) -> tuple[Command, ...]:
        return (Abort(),) if self.phase is Phase.ANSWERING else ()


def _calls(output: Iterable[Output]) -> tuple[ToolCall, ...]:
    """The tool calls of an answer; of two with one id the first."""
    calls: dict[str, ToolCall] = {}
    for part in output:
        if isinstance(part, ToolCall):
            calls.setdefault(part.id, part)
    return tuple(calls.values())
