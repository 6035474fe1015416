"""The words of the lifecycle: its phases, what can happen, and what is to be done about it.

`table` says what may happen in which phase, `flow` what comes of it.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.retry import Role
from ttsr_ls.session.history.turn import Cancelled, InjectionKind, Outcome, RehydratedFile, TurnTrigger
from ttsr_ls.session.history.turn_events import Done, FeatureRecorded, Output, Refused, TurnEvent, Usage

BY_A_PERSON = Cancelled("a person stopped it")
"""How a turn ends that a person stopped. What was to be told because of a cut is dropped then (spec U2)."""


class Phase(StrEnum):
    """Where a session is."""

    IDLE = "idle"
    """No turn is under way."""
    READY = "ready"
    """The model must be asked."""
    ANSWERING = "answering"
    """The answer streams."""
    ABORTING = "aborting"
    """The answer is cut off, and its stream is being closed."""
    ABORTED = "aborted"
    """What came of an answer that was cut off is on record; nobody has said yet how to go on."""
    WAITING = "waiting"
    """The request is made again after a while, if nothing comes between."""
    TOOLS = "tools"
    """Tool calls of a complete answer have no result yet."""
    DONE = "done"
    """The turn has nothing more to do; it can be told something, or end."""
    CLOSED = "closed"
    """The session is over."""


# What can happen.


class Start(Struct, frozen=True):
    """Something sets the agent off."""

    trigger: TurnTrigger


class Ask(Struct, frozen=True):
    """The model is asked."""


class Cut(Struct, frozen=True):
    """Rules cut the answer off. `call` is the tool call in which they matched; None for prose."""

    rules: tuple[str, ...]
    context: ContextMode
    call: str | None


class Answered(Struct, frozen=True):
    """The answer is complete. `usage` is None where the provider did not report it."""

    model: str
    output: tuple[Output, ...]
    usage: Usage | None = None


class Broken(Struct, frozen=True):
    """The answer ended early: it was cut off, or the provider failed. `output` is as much of it as came."""

    model: str
    output: tuple[Output, ...]
    usage: Usage | None = None


class Message(Struct, frozen=True):
    """What the model is to be told, of which rules, and what a feature notes of it."""

    purpose: InjectionKind
    role: Role
    text: str
    rules: tuple[str, ...] = ()
    noted: tuple[FeatureRecorded, ...] = ()


class Hold(Struct, frozen=True):
    """The model is to be told `messages` and asked again, `after` seconds from now."""

    messages: tuple[Message, ...]
    after: float


class Due(Struct, frozen=True):
    """The time of the `Wake` with that token has come."""

    token: int


class GoOn(Struct, frozen=True):
    """The request is made again without telling the model anything: what it should be told cannot be put on record."""

    token: int


class Tell(Struct, frozen=True):
    """The model is told; where the agent was done, it is asked again for that."""

    messages: tuple[Message, ...]


class Remind(Struct, frozen=True):
    """The result of a tool call is to carry `text`."""

    call: str
    text: str
    rules: tuple[str, ...] = ()
    noted: tuple[FeatureRecorded, ...] = ()


class ChangeToolInput(Struct, frozen=True):
    """A tool call is to run with other arguments, because the feature of that name says so."""

    call: str
    feature: str
    arguments: str
    noted: tuple[FeatureRecorded, ...] = ()


class Settle(Struct, frozen=True):
    """A tool call came to its result."""

    call: str
    state: Done | Refused


class Stop(Struct, frozen=True):
    """A person stops what the agent is doing."""


class Compact(Struct, frozen=True):
    """`summary` stands for all before, and the model is shown `files` again as if it had read them with `tool`."""

    summary: str
    acknowledgement: str
    tool: str
    files: tuple[RehydratedFile, ...]
    usage: Usage | None = None


class End(Struct, frozen=True):
    """The turn is over."""

    outcome: Outcome


class Rewind(Struct, frozen=True):
    """The history is to be what it was before the turn `turn` began."""

    turn: str


class Clear(Struct, frozen=True):
    """The history is to be empty."""


class Close(Struct, frozen=True):
    """The session is over, or another takes its place."""


Input = (
    Start
    | Ask
    | Cut
    | Answered
    | Broken
    | Hold
    | Due
    | GoOn
    | Tell
    | Remind
    | ChangeToolInput
    | Settle
    | Stop
    | Compact
    | End
    | Rewind
    | Clear
    | Close
)


# What is to be done.


class Abort(Struct, frozen=True):
    """Close the stream of the answer, at once: nobody is asked before."""


class Wake(Struct, frozen=True):
    """In `after` seconds, say `Due(token)`."""

    token: int
    after: float


Command = Abort | Wake


# Where a session is.


class Flight(Struct, frozen=True):
    """What no log can tell, because it ends with the program.

    `answer` and `batch` are the numbers of the steps that the last answer and its tool calls are, `waiting` its calls
    without a result. `token` tells one waiting from another: it rises whenever something comes between. `held` is what
    the model is to be told then. `cuts` counts the answers of the turn that were cut off, `by_person` tells that the
    last one was by a person, `blamed` in which tool calls rules matched.
    """

    phase: Phase = Phase.IDLE
    answer: int = 0
    batch: int = 0
    waiting: tuple[str, ...] = ()
    token: int = 0
    held: tuple[Message, ...] = ()
    cuts: int = 0
    by_person: bool = False
    blamed: tuple[tuple[str | None, tuple[str, ...]], ...] = ()


class Decision(Struct, frozen=True):
    """What has to be on record, in order; then where the session is; then what is to be done."""

    records: tuple[TurnEvent, ...]
    flight: Flight
    commands: tuple[Command, ...] = ()
