"""What every provider's stream is turned into, however the provider spells it.

A decoder reads one answer of one provider and nothing else: no rules, no log, no clock. What it reads may come as plain
values or as the objects of the provider's SDK, in any split; what it does not know it skips.
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
    """The answer begins. `model` is what the provider calls the model, blank where it does not say."""

    model: str


class ResponseDelta(Struct, frozen=True, gc=False):
    """A piece of the answer, for rules. `call` is the id of the tool call that it belongs to; None for prose.

    `write` is None where nothing is written to a file, or not known to which.
    """

    event: StreamEvent
    call: str | None = None
    write: FileWrite | None = None


class PartFinished(Struct, frozen=True):
    """A part of the answer is complete: `output` is all of it. Parts come in the order of the answer."""

    output: Output


class PartTruncated(Struct, frozen=True):
    """A part of the answer will not be completed: `output` is as much of it as came. A call of these must not run."""

    output: Output


class UsageReported(Struct, frozen=True):
    """The provider reports the usage of the answer so far. A later report replaces an earlier one."""

    usage: Usage


class ResponseFinished(Struct, frozen=True):
    """The answer is complete, after all its parts. `reason` is the provider's stop reason, such as `end_turn`."""

    reason: str


class WireFailed(Struct, frozen=True):
    """The provider or its stream failed, and the answer ends. `message` is a full sentence for people."""

    message: str


WireEvent = (
    ResponseStarted | ResponseDelta | PartFinished | PartTruncated | UsageReported | ResponseFinished | WireFailed
)


class Decoder(Protocol):
    """Reads one answer. Never raises, whatever the input is."""

    def feed(self, event: object) -> tuple[WireEvent, ...]:
        """What one event of the provider tells. After `ResponseFinished` or `WireFailed` only `UsageReported` may
        follow."""

    def finish(self) -> tuple[WireEvent, ...]:
        """No more events come, as the stream is over or was cut off: what is still open, as far as it came.

        An answer for which `feed` never told `ResponseFinished`, nor this does, is not complete.
        """
