"""A lifecycle machine on its way: an example of all that can happen, and how to get into each phase."""

from __future__ import annotations

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.retry import Role
from ttsr_ls.session.history.turn import InjectionKind, RehydratedFile
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    Completed,
    Done,
    Text,
    ToolCall,
    TurnEvent,
    UserInput,
)
from ttsr_ls.session.lifecycle.flow import Flow
from ttsr_ls.session.lifecycle.phases import (
    Answered,
    Ask,
    Broken,
    ChangeToolInput,
    Clear,
    Close,
    Command,
    Compact,
    Cut,
    Due,
    End,
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
)

A, B = ToolCall("a", "write", "{}"), ToolCall("b", "read", "{}")
TOLD = Message(InjectionKind.INTERRUPT, Role.USER, "do not", ("r",))
CUT = Cut(("r",), ContextMode.DISCARD, "a")
EXAMPLES: tuple[Input, ...] = (
    Start(UserInput("go")),
    Ask(),
    CUT,
    Answered("m", (A,)),
    Broken("m", (Text("half"),)),
    Hold((TOLD,), 0.05),
    Due(1),
    GoOn(1),
    Tell((TOLD,)),
    Remind("a", "careful", ("r",)),
    ChangeToolInput("a", "guard", "{}"),
    Settle("a", Done("ok")),
    Stop(),
    Compact("all", "yes", "read", (RehydratedFile("{}", "x"),)),
    End(Completed()),
    Rewind("t1"),
    Clear(),
    Close(),
)
WAY: dict[Phase, tuple[Input, ...]] = {
    Phase.IDLE: (),
    Phase.READY: (Start(UserInput("go")),),
    Phase.ANSWERING: (Start(UserInput("go")), Ask()),
    Phase.ABORTING: (Start(UserInput("go")), Ask(), CUT),
    Phase.ABORTED: (Start(UserInput("go")), Ask(), CUT, Broken("m", (A,))),
    Phase.WAITING: (Start(UserInput("go")), Ask(), CUT, Broken("m", (A,)), Hold((TOLD,), 0.05)),
    Phase.TOOLS: (Start(UserInput("go")), Ask(), Answered("m", (A, B))),
    Phase.DONE: (Start(UserInput("go")), Ask(), Answered("m", (Text("hello"),))),
    Phase.CLOSED: (Close(),),
}


class Tried:
    """A flow with its log and what it was told to do."""

    def __init__(self, *happened: Input) -> None:
        self.flow = Flow(MAIN_AGENT)
        self.log: list[TurnEvent] = []
        self.done: list[Command] = []
        for each in happened:
            self.tr(each)

    def tr(self, happened: Input) -> tuple[TurnEvent, ...]:
        decision = self.flow.decide(happened)
        for event in decision.records:
            self.log.append(event)
            self.flow.evolve(event)
        self.flow.enter(decision.flight)
        self.done += decision.commands
        return decision.records

    @property
    def phase(self) -> Phase:
        return self.flow.phase
