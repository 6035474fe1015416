"""The contract between a feature and its host (spec Y1): for each hook a context type and result types of its own.

A feature decides and returns what must be on record; the host puts that on record, passes it to every feature, and only
then acts on the decision. A feature sees no log, no session and no messages, and can add nothing to a history but what
its result types contain. A feature's state is derived by `evolve` from the events of the log.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn_events import (
    CallDone,
    CallRefused,
    ConditionTooSlow,
    FeatureRecorded,
    InjectionDeferred,
    Output,
    RuleTriggered,
    StreamMatchingEnded,
    TriggersSuppressed,
    TurnEvent,
    TurnOutcome,
)
from ttsr_ls.session.hooks.feature_tools import FeatureTool
from ttsr_ls.session.hooks.system_items import SystemItem, SystemItems
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection as PendingInjection
from ttsr_ls.session.output.wire_events import ResponseDelta

RecordableEvent = (
    FeatureRecorded | RuleTriggered | InjectionDeferred | ConditionTooSlow | StreamMatchingEnded | TriggersSuppressed
)
"""The events that a feature may put on record. A `FeatureRecorded` must have the feature's own name."""


# Contexts. `turn`, `step` and `agent` are the position in the history; `step` is the number of the answer.


class RequestContext(Struct, frozen=True):
    """A request is about to be sent. `items` creates the items of `Append`."""

    turn: str
    agent: str
    items: SystemItems


class DeltaContext(Struct, frozen=True):
    """A chunk of an answer arrived, at `now` (seconds, with any origin).

    `can_retry` is False if the turn's limits allow this feature no further interruption; an `Interrupt` is then treated
    as a `Note`. `read_text` computes `accumulated`; it joins the chunks only when called.
    """

    turn: str
    step: int
    agent: str
    streamed: ResponseDelta
    now: float
    read_text: Callable[[], str]
    can_retry: bool = True

    @property
    def accumulated(self) -> str:
        """The complete text so far of the stream of this chunk, including the chunk.

        For prose that is all prose of the answer, for thinking all thinking, for a tool call the whole call.
        """
        return self.read_text()


class ToolCallContext(Struct, frozen=True):
    """The tool call `call` of a complete answer is about to run. `tool` is its tool's name on the wire.

    `arguments` is JSON text: the model's, or the replacement by an earlier feature.
    """

    turn: str
    step: int
    agent: str
    call: str
    tool: str
    arguments: str


class ToolResultContext(Struct, frozen=True):
    """The tool call `call` of the answer has a result. `tool` is its tool's name on the wire."""

    turn: str
    step: int
    agent: str
    call: str
    tool: str
    result: CallDone | CallRefused


class Ending(Enum):
    """The end of an answer that no feature interrupted."""

    COMPLETE = "complete"
    FAILED = "the provider or its stream failed"
    STOPPED = "the user stopped it"


class OutputContext(Struct, frozen=True):
    """An answer ended. A `FollowUp` is injected only after a complete one.

    `can_retry` is False if the turn's limits allow this feature no further follow-up; a `FollowUp` is then dropped.
    """

    turn: str
    step: int
    agent: str
    output: tuple[Output, ...]
    ending: Ending
    can_retry: bool = True


class AbortedContext(Struct, frozen=True):
    """Features interrupted an answer because of `rules`; `output` is the received part."""

    turn: str
    step: int
    agent: str
    output: tuple[Output, ...]
    rules: tuple[str, ...]


class TurnContext(Struct, frozen=True):
    """A turn is about to end."""

    turn: str
    agent: str
    outcome: TurnOutcome


# Results.


class Proceed(Struct, frozen=True):
    """The result of a hook that neither acts nor records anything."""


class Note(Struct, frozen=True):
    """No action, but these events are put on record."""

    records: tuple[RecordableEvent, ...]


class Append(Struct, frozen=True):
    """Inject `items`, which the context's handle created; `records` are on record with the first of them."""

    items: tuple[SystemItem, ...]
    records: tuple[FeatureRecorded, ...] = ()


class Interrupt(Struct, frozen=True):
    """Interrupt the answer because of `rules`, with `context` for its text. The host then calls `on_aborted`.

    `call` is the tool call that contains the cause; None for prose.
    """

    rules: tuple[str, ...]
    context: ContextMode
    call: str | None = None
    records: tuple[RecordableEvent, ...] = ()


class Deny(Struct, frozen=True):
    """Do not run the call; `message` is its result for the model. `records` are on record before it."""

    message: str
    records: tuple[FeatureRecorded, ...] = ()


class ChangeInput(Struct, frozen=True):
    """Run the call with `arguments`, the text of a JSON object; `records` are on record with that."""

    arguments: str
    records: tuple[FeatureRecorded, ...] = ()


class Prepend(Struct, frozen=True):
    """Prepend `text`, a reminder of `rules`, to the result; `records` are on record with it."""

    text: str
    rules: tuple[str, ...] = ()
    records: tuple[FeatureRecorded, ...] = ()


class FollowUp(Struct, frozen=True):
    """Inject `injections` and send another request, even if the model was done; `records` are on record with the first
    message.
    """

    injections: tuple[PendingInjection, ...]
    records: tuple[FeatureRecorded, ...] = ()


class Resume(Struct, frozen=True):
    """After `after` seconds (0 to 60), unless something else happens, inject `injections` and send the
    request again.
    """

    injections: tuple[PendingInjection, ...]
    after: float


RequestResult = Proceed | Append
DeltaResult = Proceed | Note | Interrupt
ToolCallResult = Proceed | Note | Deny | ChangeInput
ToolResultResult = Proceed | Note | Prepend
OutputResult = Proceed | Note | FollowUp
AbortedResult = Proceed | Resume
TurnResult = Proceed | Note


DEFAULT_TIMEOUT = 10.0
"""The time limit of a hook in seconds, if a feature sets no other.

`on_delta` has a hundredth of it. A feature may exceed that twice in a session while it waits, as on a busy machine.
"""


class Feature:
    """Base of all features: hooks without an effect. A feature that raises or takes too long is disabled.

    `name` is unique in a session and marks the feature's records. `timeout` is how long a hook may take, in seconds.
    """

    name: str = ""
    tools: tuple[FeatureTool, ...] = ()
    timeout: float = DEFAULT_TIMEOUT

    def begin_session(self, agent: str) -> None:
        """The session belongs to `agent`, as the log names it. Called once, before any event and any hook."""

    def evolve(self, event: TurnEvent) -> None:
        """An event is on record, live or at replay. Only this method may change a feature's state."""

    def can_read(self, record: FeatureRecorded) -> bool:
        """Returns whether this version understands a record of this feature in a log. If not, the log is refused."""
        return True

    async def on_request(self, context: RequestContext) -> RequestResult:
        """Called before each request, including those after tools and after an interruption."""
        return Proceed()

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        """Called at each chunk of an answer. Not a coroutine, because the stream must not wait."""
        return Proceed()

    async def before_tool_call(self, context: ToolCallContext) -> ToolCallResult:
        """Called before a tool call of a complete answer runs, or is handed to the host."""
        return Proceed()

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        """Called before the result of a tool call is on record."""
        return Proceed()

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        """Called when an answer ended and is on record."""
        return Proceed()

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        """Called when a feature interrupted an answer, and its received part is on record."""
        return Proceed()

    async def on_turn_end(self, context: TurnContext) -> TurnResult:
        """Called before the end of a turn is on record."""
        return Proceed()
