"""The common events of all providers' streams.

A decoder parses one answer of one provider and knows nothing else: no rules, no log, no clock. Its input may be plain
values or the objects of the provider's SDK, in any split; it skips unknown events.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from ttsr_ls.rules.stream import StreamEvent
from ttsr_ls.session.history.turn_output import Output
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import FileWrite


class Api(StrEnum):
    """The wires that can be read."""

    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"
    GEMINI = "gemini"


class ResponseStarted(Struct, frozen=True):
    """The answer begins. `model` is the provider's name of the model, blank if unknown."""

    model: str


class ResponseDelta(Struct, frozen=True, gc=False):
    """A chunk of the answer, for matching.

    `call` is the id of its tool call; None for prose. `write` is None if no file is written, or if the file is unknown.
    """

    event: StreamEvent
    call: str | None = None
    write: FileWrite | None = None


class PartFinished(Struct, frozen=True):
    """A part of the answer is complete: `output` is its content. Parts come in the order of the answer."""

    output: Output


class PartTruncated(Struct, frozen=True):
    """A part of the answer will not be completed: `output` is the received part. A truncated call must not run."""

    output: Output


class UsageReported(Struct, frozen=True):
    """The provider reports the usage of the answer so far. A later report replaces an earlier one."""

    usage: Usage


class ResponseFinished(Struct, frozen=True):
    """The answer is complete, after all its parts. `reason` is the provider's stop reason, such as `end_turn`."""

    reason: str


class WireFailed(Struct, frozen=True):
    """The provider or its stream failed, and the answer ends. `message` is a full sentence for users."""

    message: str


WireEvent = (
    ResponseStarted | ResponseDelta | PartFinished | PartTruncated | UsageReported | ResponseFinished | WireFailed
)


class Decoder(Protocol):
    """Parses one answer. Never raises, whatever the input is."""

    def feed(self, event: object) -> tuple[WireEvent, ...]:
        """Returns the events of one event of the provider. After `ResponseFinished` or `WireFailed` only
        `UsageReported` may follow.
        """

    def finish(self) -> tuple[WireEvent, ...]:
        """Ends the stream, which is complete or was interrupted. Returns the events for everything that is still open.

        An answer is incomplete if neither `feed` nor `finish` returned `ResponseFinished`.
        """
