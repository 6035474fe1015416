"""A session machine in a test: an example of each input, and a path of inputs into each phase."""

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
INJECTION = PendingInjection(InjectionKind.INTERRUPT, Role.USER, "do not", ("r",))
INTERRUPT = InterruptOutput(("r",), ContextMode.DISCARD, "a")
EXAMPLES: tuple[LifecycleInput, ...] = (
    StartTurn(UserInput("go")),
    RequestSent(),
    INTERRUPT,
    OutputFinished("m", (A,)),
    OutputFailed("m", (Text("half"),)),
    ScheduleRetry((INJECTION,), 0.05),
    RetryTimerFired(1),
    RetryWithoutInjection(1),
    Inject((INJECTION,)),
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
PATHS: dict[Phase, tuple[LifecycleInput, ...]] = {
    Phase.IDLE: (),
    Phase.READY: (StartTurn(UserInput("go")),),
    Phase.ANSWERING: (StartTurn(UserInput("go")), RequestSent()),
    Phase.ABORTING: (StartTurn(UserInput("go")), RequestSent(), INTERRUPT),
    Phase.ABORTED: (StartTurn(UserInput("go")), RequestSent(), INTERRUPT, OutputFailed("m", (A,))),
    Phase.WAITING: (
        StartTurn(UserInput("go")),
        RequestSent(),
        INTERRUPT,
        OutputFailed("m", (A,)),
        ScheduleRetry((INJECTION,), 0.05),
    ),
    Phase.TOOLS: (StartTurn(UserInput("go")), RequestSent(), OutputFinished("m", (A, B))),
    Phase.DONE: (StartTurn(UserInput("go")), RequestSent(), OutputFinished("m", (Text("hello"),))),
    Phase.CLOSED: (CloseSession(),),
}


class DrivenMachine:
    """A session machine with its log and its commands."""

    def __init__(self, *actions: LifecycleInput) -> None:
        self.machine = SessionMachine(MAIN_AGENT)
        self.log: list[TurnEvent] = []
        self.commands: list[LifecycleCommand] = []
        for action in actions:
            self.tr(action)

    def tr(self, action: LifecycleInput) -> tuple[TurnEvent, ...]:
        """Performs a transition (h11's name for it). Returns the records."""
        decision = self.machine.decide(action)
        for event in decision.records:
            self.log.append(event)
            self.machine.evolve(event)
        self.machine.enter(decision.transient)
        self.commands += decision.commands
        return decision.records

    @property
    def phase(self) -> Phase:
        return self.machine.phase
