"""A lifecycle machine on its way: an example of all that can happen, and how to get into each phase."""

from __future__ import annotations

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind, RehydratedFile
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    Text,
    ToolCall,
    TurnCompleted,
    TurnEvent,
    UserInput,
)
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.session_machine import SessionMachine
from ttsr_ls.session.lifecycle.transitions import (
    AddToolReminder,
    ChangeToolInput,
    ClearHistory,
    CloseSession,
    CompactHistory,
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
    StartTurn,
    StopTurn,
    ToolFinished,
)

A, B = ToolCall("a", "write", "{}"), ToolCall("b", "read", "{}")
TOLD = PendingInjection(InjectionKind.INTERRUPT, Role.USER, "do not", ("r",))
CUT = InterruptOutput(("r",), ContextMode.DISCARD, "a")
EXAMPLES: tuple[LifecycleInput, ...] = (
    StartTurn(UserInput("go")),
    RequestSent(),
    CUT,
    OutputFinished("m", (A,)),
    OutputFailed("m", (Text("half"),)),
    ScheduleRetry((TOLD,), 0.05),
    RetryTimerFired(1),
    RetryWithoutInjection(1),
    Inject((TOLD,)),
    AddToolReminder("a", "careful", ("r",)),
    ChangeToolInput("a", "guard", "{}"),
    ToolFinished("a", CallDone("ok")),
    StopTurn(),
    CompactHistory("all", "yes", "read", (RehydratedFile("{}", "x"),)),
    EndTurn(TurnCompleted()),
    RewindHistory("t1"),
    ClearHistory(),
    CloseSession(),
)
WAY: dict[Phase, tuple[LifecycleInput, ...]] = {
    Phase.IDLE: (),
    Phase.READY: (StartTurn(UserInput("go")),),
    Phase.ANSWERING: (StartTurn(UserInput("go")), RequestSent()),
    Phase.ABORTING: (StartTurn(UserInput("go")), RequestSent(), CUT),
    Phase.ABORTED: (StartTurn(UserInput("go")), RequestSent(), CUT, OutputFailed("m", (A,))),
    Phase.WAITING: (
        StartTurn(UserInput("go")),
        RequestSent(),
        CUT,
        OutputFailed("m", (A,)),
        ScheduleRetry((TOLD,), 0.05),
    ),
    Phase.TOOLS: (StartTurn(UserInput("go")), RequestSent(), OutputFinished("m", (A, B))),
    Phase.DONE: (StartTurn(UserInput("go")), RequestSent(), OutputFinished("m", (Text("hello"),))),
    Phase.CLOSED: (CloseSession(),),
}


class Tried:
    """A flow with its log and what it was told to do."""

    def __init__(self, *happened: LifecycleInput) -> None:
        self.machine = SessionMachine(MAIN_AGENT)
        self.log: list[TurnEvent] = []
        self.done: list[LifecycleCommand] = []
        for item in happened:
            self.tr(item)

    def tr(self, happened: LifecycleInput) -> tuple[TurnEvent, ...]:
        decision = self.machine.decide(happened)
        for event in decision.records:
            self.log.append(event)
            self.machine.evolve(event)
        self.machine.enter(decision.transient)
        self.done += decision.commands
        return decision.records

    @property
    def phase(self) -> Phase:
        return self.machine.phase
