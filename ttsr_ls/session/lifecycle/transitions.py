"""The phases, inputs and commands of the session machine.

`table` says what may happen in which phase, `flow` what comes of it.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn import RehydratedFile, TurnCancelled, TurnOutcome, TurnTrigger
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, FeatureRecorded, Output, TurnEvent, Usage
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection

CANCELLED_BY_USER = TurnCancelled("a person stopped it")
"""How a turn ends that a person stopped. Pending injections are dropped then (spec U2)."""


class Phase(StrEnum):
    """Where a session is."""

    IDLE = "idle"
    """No turn is under way."""
    READY = "ready"
    """The model must be asked."""
    ANSWERING = "answering"
    """The answer streams."""
    ABORTING = "aborting"
    """The answer was interrupted, and its stream is being closed."""
    ABORTED = "aborted"
    """The interrupted answer is on record; the next step is not decided yet."""
    WAITING = "waiting"
    """The request is made again after a while, if nothing comes between."""
    TOOLS = "tools"
    """Tool calls of a complete answer have no result yet."""
    DONE = "done"
    """The turn has nothing more to do; something can be injected, or it ends."""
    CLOSED = "closed"
    """The session is over."""


# What can happen.


class StartTurn(Struct, frozen=True):
    """Something sets the agent off."""

    trigger: TurnTrigger


class RequestSent(Struct, frozen=True):
    """The model is asked."""


class InterruptOutput(Struct, frozen=True):
    """Rules interrupted the answer. `call` is the tool call in which they matched; None for prose."""

    rules: tuple[str, ...]
    context: ContextMode
    call: str | None


class OutputFinished(Struct, frozen=True):
    """The answer is complete. `usage` is None where the provider did not report it."""

    model: str
    output: tuple[Output, ...]
    usage: Usage | None = None


class OutputFailed(Struct, frozen=True):
    """The answer ended early: it was interrupted, or the provider failed. `output` is the received part."""

    model: str
    output: tuple[Output, ...]
    usage: Usage | None = None


class ScheduleRetry(Struct, frozen=True):
    """Inject `injections` and send the request again, `after` seconds from now."""

    injections: tuple[PendingInjection, ...]
    after: float


class RetryTimerFired(Struct, frozen=True):
    """The time of the `StartRetryTimer` with that token has come."""

    token: int


class RetryWithoutInjection(Struct, frozen=True):
    """The request is made again without the pending injections, which cannot be put on record."""

    token: int


class Inject(Struct, frozen=True):
    """Inject `injections`; where the agent was done, the model is asked again for that."""

    injections: tuple[PendingInjection, ...]


class AddToolReminder(Struct, frozen=True):
    """The result of a tool call is to carry `text`."""

    call: str
    text: str
    rules: tuple[str, ...] = ()
    feature_records: tuple[FeatureRecorded, ...] = ()


class ChangeToolInput(Struct, frozen=True):
    """A feature changes the arguments of a tool call before it runs."""

    call: str
    feature: str
    arguments: str
    feature_records: tuple[FeatureRecorded, ...] = ()


class ToolFinished(Struct, frozen=True):
    """A tool call came to its result."""

    call: str
    state: CallDone | CallRefused


class StopTurn(Struct, frozen=True):
    """A person stops what the agent is doing."""


class CompactHistory(Struct, frozen=True):
    """`summary` replaces the history. The next request contains `files` as if the model had read them with `tool`."""

    summary: str
    acknowledgement: str
    tool: str
    files: tuple[RehydratedFile, ...]
    usage: Usage | None = None


class EndTurn(Struct, frozen=True):
    """The turn is over."""

    outcome: TurnOutcome


class RewindHistory(Struct, frozen=True):
    """Rewinds the history to the state before the turn `turn`."""

    turn: str


class ClearHistory(Struct, frozen=True):
    """The history is to be empty."""


class CloseSession(Struct, frozen=True):
    """The session is over, or another takes its place."""


LifecycleInput = (
    StartTurn
    | RequestSent
    | InterruptOutput
    | OutputFinished
    | OutputFailed
    | ScheduleRetry
    | RetryTimerFired
    | RetryWithoutInjection
    | Inject
    | AddToolReminder
    | ChangeToolInput
    | ToolFinished
    | StopTurn
    | CompactHistory
    | EndTurn
    | RewindHistory
    | ClearHistory
    | CloseSession
)


# What is to be done.


class AbortRequest(Struct, frozen=True):
    """Close the stream of the answer immediately, without asking features."""


class StartRetryTimer(Struct, frozen=True):
    """In `after` seconds, say `RetryTimerFired(token)`."""

    token: int
    after: float


LifecycleCommand = AbortRequest | StartRetryTimer


# Where a session is.


class TransientState(Struct, frozen=True):
    """The state of a session that ends with the program and is in no log.

    `answer` and `batch` are the numbers of the steps that the last answer and its tool calls are, `unfinished_calls`
    its calls without a result. `token` tells one waiting from another: it rises whenever something comes between.
    `pending_injections` is what the model is to be told then. `interruptions` counts the answers of the turn that were
    cut off, `user_interrupted` tells that the last one was by a person, `matched_calls` in which tool calls rules
    matched."""

    phase: Phase = Phase.IDLE
    answer: int = 0
    batch: int = 0
    unfinished_calls: tuple[str, ...] = ()
    token: int = 0
    pending_injections: tuple[PendingInjection, ...] = ()
    interruptions: int = 0
    user_interrupted: bool = False
    matched_calls: tuple[tuple[str | None, tuple[str, ...]], ...] = ()


class Decision(Struct, frozen=True):
    """The records to append, in order; then the new transient state; then the commands to carry out."""

    records: tuple[TurnEvent, ...]
    transient: TransientState
    commands: tuple[LifecycleCommand, ...] = ()
