"""What every agent's stream is turned into, however the agent spells it.

An adapter knows one agent's wire and nothing else: no rules, no log, no clock. `observer` knows these events and no
wire. Everything is told of an `agent`: the top-level one, or a subagent by the tool call that started it.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from ttsr_ls.rules.stream import StreamEvent
from ttsr_ls.session.history.turn_events import Extent, Output, ToolState, TurnOutcome, TurnTrigger, Usage


class SessionSeen(Struct, frozen=True):
    """The stream names its session and the folder that the agent runs in."""

    session: str
    cwd: str


class SubagentSeen(Struct, frozen=True):
    """From here on `agent` is a subagent of that kind (the `agents` of rules speak of kinds)."""

    agent: str
    kind: str


class TurnOpened(Struct, frozen=True):
    """Something set the agent off."""

    trigger: TurnTrigger


class AnswerStarted(Struct, frozen=True):
    """A model starts to answer; all streams of that agent start anew (spec M5)."""

    agent: str
    model: str


class ReplacedPiece(Struct, frozen=True, gc=False):
    """The piece that begins at `start` of what a call writes, in code points, takes the place of `text` in the file."""

    start: int
    text: str


class FileWrite(Struct, frozen=True, gc=False):
    """The tool call whose stream this is writes that part of the file `path`, which is as the agent gave it.

    `replaced` is what its pieces replace, as far as the call says so, in their order.
    """

    path: str
    extent: Extent
    replaced: tuple[ReplacedPiece, ...] = ()


class AgentDelta(Struct, frozen=True, gc=False):
    """A piece of an answer. `call` is the id of the tool call that it belongs to; None for prose.

    `write` is None where nothing is written to a file, or not known to which.
    """

    agent: str
    event: StreamEvent
    call: str | None = None
    write: FileWrite | None = None


class BlockFinished(Struct, frozen=True):
    """A block of the answer is over; `output` is all of it."""

    agent: str
    output: Output


class AnswerEnded(Struct, frozen=True):
    """The answer ended; `complete` is false if it was interrupted. `usage` is None if it was not reported."""

    agent: str
    complete: bool
    usage: Usage | None = None


class ToolResultSeen(Struct, frozen=True):
    """A tool call of `agent` came to its result."""

    agent: str
    call: str
    state: ToolState


class TurnClosed(Struct, frozen=True):
    """The agent is done with what set it off."""

    outcome: TurnOutcome


class StreamDamaged(Struct, frozen=True):
    """Something in the stream could not be read and was skipped; `message` is a full sentence for people."""

    message: str


AgentEvent = (
    SessionSeen
    | SubagentSeen
    | TurnOpened
    | AnswerStarted
    | AgentDelta
    | BlockFinished
    | AnswerEnded
    | ToolResultSeen
    | TurnClosed
    | StreamDamaged
)


class Adapter(Protocol):
    """Reads the stream of one session of one kind of agent. Never raises, whatever the input is."""

    def feed(self, data: bytes) -> list[AgentEvent]:
        """The events that `data`, a chunk of any size, completes."""

    def finish(self) -> list[AgentEvent]:
        """Ends the stream and everything that is still open."""
