"""What a feature and its host agree on (spec Y1): a context and a choice of results for each hook, shared by no other.

A feature decides and says what must be on record for it; the host puts that on record, shows it to every feature, and
only then does what was decided. A feature sees no log, no session and no messages, and can put nothing into a history
but what its result types name. What a feature remembers is what `evolve` made of the events of the log.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from typing import Any

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
from ttsr_ls.session.hooks.system_items import SystemItem, SystemItems
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection as PendingInjection
from ttsr_ls.session.output.wire_events import ResponseDelta

RecordableEvent = (
    FeatureRecorded | RuleTriggered | InjectionDeferred | ConditionTooSlow | StreamMatchingEnded | TriggersSuppressed
)
"""What a feature may have put on record. `FeatureRecorded` must bear the feature's own name."""


# Contexts. `turn`, `step` and `agent` say where in the history it happens; `step` is that of the answer.


class RequestContext(Struct, frozen=True):
    """The model is about to be asked. `items` makes what `Append` takes."""

    turn: str
    agent: str
    items: SystemItems


class DeltaContext(Struct, frozen=True):
    """A piece of an answer came, at `now` (seconds, from wherever the host counts).

    `can_retry` is False where the turn's limits let this feature interrupt no more; an `Interrupt` counts as a `Note`.
    `read_text` gives `accumulated`; it joins what came only when it is called.
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
        """All text so far of the stream that the piece belongs to, the piece included.

        For prose that is all prose of the answer, for thinking all thinking of it, for a tool call all of that call.
        """
        return self.read_text()


class ToolCallContext(Struct, frozen=True):
    """The tool call `call` of a complete answer is about to run. `tool` is its tool's name on the wire.

    `arguments` is JSON text: what the model gave, or what a feature before this one changed that to.
    """

    turn: str
    step: int
    agent: str
    call: str
    tool: str
    arguments: str


class ToolResultContext(Struct, frozen=True):
    """The tool call `call` of the answer, of the tool with that name on the wire, came to its result."""

    turn: str
    step: int
    agent: str
    call: str
    tool: str
    result: CallDone | CallRefused


class Ending(Enum):
    """How an answer ended that no feature cut off."""

    COMPLETE = "complete"
    FAILED = "the provider or its stream failed"
    STOPPED = "a person stopped it"


class OutputContext(Struct, frozen=True):
    """An answer is over. Only after a complete one a `FollowUp` is injected.

    `can_retry` is False where the turn's limits let this feature follow up no more; a `FollowUp` is dropped then.
    """

    turn: str
    step: int
    agent: str
    output: tuple[Output, ...]
    ending: Ending
    can_retry: bool = True


class AbortedContext(Struct, frozen=True):
    """An answer was cut off by features, which named `rules`; `output` is as much of it as came."""

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
    """The feature has nothing to say."""


class Note(Struct, frozen=True):
    """The feature changes nothing and has these put on record."""

    records: tuple[RecordableEvent, ...]


class Append(Struct, frozen=True):
    """`items`, made by the context's handle, are injected; `records` are on record with the first of them."""

    items: tuple[SystemItem, ...]
    records: tuple[FeatureRecorded, ...] = ()


class Interrupt(Struct, frozen=True):
    """The answer is interrupted by `rules`, as `context` says. `on_aborted` is asked how to go on.

    `call` is the tool call in which the reason was found; None for prose.
    """

    rules: tuple[str, ...]
    context: ContextMode
    call: str | None = None
    records: tuple[RecordableEvent, ...] = ()


class Deny(Struct, frozen=True):
    """The call does not run; `message` is its result for the model. `records` are on record before it."""

    message: str
    records: tuple[FeatureRecorded, ...] = ()


class ChangeInput(Struct, frozen=True):
    """The call runs with `arguments`, the text of a JSON object; `records` are on record with that."""

    arguments: str
    records: tuple[FeatureRecorded, ...] = ()


class Prepend(Struct, frozen=True):
    """The result carries `text`, a reminder of `rules`, in front of it; `records` are on record with it."""

    text: str
    rules: tuple[str, ...] = ()
    records: tuple[FeatureRecorded, ...] = ()


class FollowUp(Struct, frozen=True):
    """`injections` are injected and the model is asked again, even if it was done; `records` are on record with the
    first message."""

    injections: tuple[PendingInjection, ...]
    records: tuple[FeatureRecorded, ...] = ()


class Resume(Struct, frozen=True):
    """After `after` seconds (0 to 60), if nothing came between, `injections` are injected and the model is asked
    again."""

    injections: tuple[PendingInjection, ...]
    after: float


RequestResult = Proceed | Append
DeltaResult = Proceed | Note | Interrupt
ToolCallResult = Proceed | Note | Deny | ChangeInput
ToolResultResult = Proceed | Note | Prepend
OutputResult = Proceed | Note | FollowUp
AbortedResult = Proceed | Resume
TurnResult = Proceed | Note


# Tools.


class ToolDone(Struct, frozen=True):
    """The tool did what it should: `text` is for the model, once `records` are on record."""

    text: str
    records: tuple[FeatureRecorded, ...] = ()


class ToolFailed(Struct, frozen=True):
    """The tool did nothing; `text` tells the model why. `records` are put on record all the same."""

    text: str
    records: tuple[FeatureRecorded, ...] = ()


class FeatureTool(Struct, frozen=True):
    """A tool as the model is offered it. `run` gets the arguments as a JSON value; `schema` is their JSON schema."""

    name: str
    description: str
    schema: Mapping[str, Any]
    run: Callable[[Any], Awaitable[ToolDone | ToolFailed]]


PATIENCE = 10.0
"""Seconds that a feature has for a hook, if it asks for no others; `on_delta` has a hundredth of them."""


class Feature:
    """Base of all features: hooks that do nothing. A feature that raises or takes too long is switched off.

    `name` is what its records bear and is unique in a session. `patience` is how long a hook may take, in seconds.
    """

    name: str = ""
    tools: tuple[FeatureTool, ...] = ()
    patience: float = PATIENCE

    def begin_session(self, agent: str) -> None:
        """The session is one of `agent`, as the log names it. Called once, before any event and any hook."""

    def evolve(self, event: TurnEvent) -> None:
        """An event is on record: at replay as when it happens. The only place where a feature's state may change."""

    def can_read(self, record: FeatureRecorded) -> bool:
        """Whether this version understands a record of its own in a log. A log with one that it does not is refused."""
        return True

    async def on_request(self, context: RequestContext) -> RequestResult:
        """Before each request, those after tools and after an interrupt among them."""
        return Proceed()

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        """At each piece of an answer. Not a coroutine: nobody may make the stream wait."""
        return Proceed()

    async def before_tool_call(self, context: ToolCallContext) -> ToolCallResult:
        """Before a tool call of a complete answer is run, or handed to the host to be run."""
        return Proceed()

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        """Before the result of a tool call is on record."""
        return Proceed()

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        """When an answer is over and on record."""
        return Proceed()

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        """When an answer was cut off by a feature, and what came of it is on record."""
        return Proceed()

    async def on_turn_end(self, context: TurnContext) -> TurnResult:
        """Before the end of a turn is on record."""
        return Proceed()
