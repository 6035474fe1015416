"""The phases, inputs and commands of the session machine.

`transition_table` has the valid inputs of each phase, `session_machine` their effects.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn import RehydratedFile, TurnCancelled, TurnOutcome, TurnTrigger
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, FeatureRecorded, Output, TurnEvent, Usage
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection

CANCELLED_BY_USER = TurnCancelled("the user stopped it")
"""The outcome of a turn that the user stopped, which drops pending injections (spec U2). Logs contain its text."""


class Phase(StrEnum):
    """The phase of a session: the stage of its current turn, or that there is none."""

    IDLE = "idle"
    """There is no current turn."""
    READY = "ready"
    """A request must be sent."""
    ANSWERING = "answering"
    """The answer streams."""
    ABORTING = "aborting"
    """The answer was interrupted, and its stream is being closed."""
    ABORTED = "aborted"
    """The interrupted answer is on record; the next step is not decided yet."""
    WAITING = "waiting"
    """The request is sent again when the retry timer fires, unless another input comes first."""
    TOOLS = "tools"
    """Tool calls of a complete answer have no result yet."""
    DONE = "done"
    """The turn has nothing more to do; something can be injected, or it ends."""
    CLOSED = "closed"
    """The session has ended."""


# Inputs.


class StartTurn(Struct, frozen=True):
    """Start a turn, because of `trigger`."""

    trigger: TurnTrigger


class RequestSent(Struct, frozen=True):
    """A request was sent to the model."""


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
    """The `StartRetryTimer` with that token fired."""

    token: int


class RetryWithoutInjection(Struct, frozen=True):
    """Send the request again without the pending injections, which cannot be put on record."""

    token: int


class Inject(Struct, frozen=True):
    """Inject `injections`; if the agent was done, send another request."""

    injections: tuple[PendingInjection, ...]


class AddToolReminder(Struct, frozen=True):
    """Add `text` to the result of a tool call."""

    call: str
    text: str
    rules: tuple[str, ...] = ()
    feature_records: tuple[FeatureRecorded, ...] = ()


class ChangeToolInput(Struct, frozen=True):
    """Replace the arguments of a tool call before it runs, on behalf of a feature."""

    call: str
    feature: str
    arguments: str
    feature_records: tuple[FeatureRecorded, ...] = ()


class ToolFinished(Struct, frozen=True):
    """A tool call has a result."""

    call: str
    state: CallDone | CallRefused


class StopTurn(Struct, frozen=True):
    """A user stops the agent."""


class CompactHistory(Struct, frozen=True):
    """Replace the history by `summary`. The next request contains `files` as if the model had read them with `tool`."""

    summary: str
    acknowledgement: str
    tool: str
    files: tuple[RehydratedFile, ...]
    usage: Usage | None = None


class EndTurn(Struct, frozen=True):
    """End the turn in progress with `outcome`."""

    outcome: TurnOutcome


class RewindHistory(Struct, frozen=True):
    """Rewind the history to the state before the turn `turn`."""

    turn: str


class ClearHistory(Struct, frozen=True):
    """Remove all turns from the history."""


class CloseSession(Struct, frozen=True):
    """Close the session, or replace it by another one."""


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


# Commands.


class AbortRequest(Struct, frozen=True):
    """Close the stream of the answer immediately, without asking features."""


class StartRetryTimer(Struct, frozen=True):
    """After `after` seconds, pass `RetryTimerFired(token)` to the machine."""

    token: int
    after: float


LifecycleCommand = AbortRequest | StartRetryTimer


# States.


class TransientState(Struct, frozen=True):
    """The state of a session that ends with the program and is in no log.

    `answer` and `batch` are the step numbers of the last answer and of its tool calls, `unfinished_calls` its calls
    without a result. `token` identifies a retry timer: it increases whenever something else happens.
    `pending_injections` are injected when the timer fires. `interruptions` counts the interrupted answers of the turn,
    `user_interrupted` is true if a user interrupted the last one, `matched_calls` has the rules that matched in each
    tool call.
    """

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
