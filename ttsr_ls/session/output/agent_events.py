"""The common events of all agents' streams.

An adapter knows one agent's wire format and nothing else: no rules, no log, no clock. `observer` knows these events and
no wire format. Each event names its `agent`: the top-level one, or a subagent by the tool call that started it.
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
    """From here on `agent` is a subagent of that kind (the `agents` of rules are kinds)."""

    agent: str
    kind: str


class TurnOpened(Struct, frozen=True):
    """A turn started."""

    trigger: TurnTrigger


class AnswerStarted(Struct, frozen=True):
    """A model starts to answer; all streams of that agent are reset (spec M5)."""

    agent: str
    model: str


class ReplacedText(Struct, frozen=True, gc=False):
    """The text of the file that is replaced by the call's text from `start` on, in code points."""

    start: int
    text: str


class FileWrite(Struct, frozen=True, gc=False):
    """The tool call of this stream writes that part of the file `path`, as given by the agent.

    `replaced` has the replaced texts in order, as far as the call contains them.
    """

    path: str
    extent: Extent
    replaced: tuple[ReplacedText, ...] = ()


class AgentDelta(Struct, frozen=True, gc=False):
    """A chunk of an answer.

    `call` is the id of its tool call; None for prose. `write` is None if no file is written, or if the file is unknown.
    """

    agent: str
    event: StreamEvent
    call: str | None = None
    write: FileWrite | None = None


class BlockFinished(Struct, frozen=True):
    """A block of the answer ended; `output` is its complete content."""

    agent: str
    output: Output


class AnswerEnded(Struct, frozen=True):
    """The answer ended; `complete` is false if it was interrupted. `usage` is None if it was not reported."""

    agent: str
    complete: bool
    usage: Usage | None = None


class ToolResultSeen(Struct, frozen=True):
    """A tool call of `agent` has a result."""

    agent: str
    call: str
    state: ToolState


class TurnClosed(Struct, frozen=True):
    """The turn ended."""

    outcome: TurnOutcome


class StreamDamaged(Struct, frozen=True):
    """A part of the stream could not be read and was skipped; `message` is a full sentence for users."""

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
    """Parses the stream of one session of one kind of agent. Never raises, whatever the input is."""

    def feed(self, data: bytes) -> list[AgentEvent]:
        """Returns the events that `data`, a chunk of any size, completes."""

    def finish(self) -> list[AgentEvent]:
        """Ends the stream. Returns the events for everything that is still open."""
