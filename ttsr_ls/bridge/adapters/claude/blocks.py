"""The content blocks of an answer on Claude Code's stream, each a stream of its own: prose, or a tool call."""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.claude.lines import BlockDelta
from ttsr_ls.bridge.adapters.wire_values import JsonObject, text
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.output import agent_events as adapter
from ttsr_ls.session.output.agent_events import AgentEvent, BlockFinished, SubagentSeen
from ttsr_ls.session.output.claude_tools import CLAUDE_TOOLS
from ttsr_ls.session.output.output_streams import ProseStream, ToolStream
from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.wire_events import ResponseDelta

_SPAWNING = frozenset({"Agent", "Task"})
_TOOL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_PROSE_BLOCKS = {"text": Source.TEXT, "thinking": Source.THINKING}


class ProseBlock:
    """A block of text or thinking."""

    __slots__ = ("_agent", "_is_thinking", "_stream")

    def __init__(self, agent: str, source: Source) -> None:
        self._agent = agent
        self._is_thinking = source is Source.THINKING
        self._stream = ProseStream(source)

    def delta(self, delta: BlockDelta) -> list[AgentEvent]:
        """More of the block."""
        if delta.type == "signature_delta":
            self.sign(delta.signature)
            return []
        return self.add(delta.thinking if self._is_thinking else delta.text)

    def add(self, more: str) -> list[AgentEvent]:
        """More of the block's text."""
        event = self._stream.delta(more)
        return [] if event is None else [adapter.AgentDelta(self._agent, event)]

    def sign(self, more: str) -> None:
        """More of the block's signature."""
        self._stream.sign(more)

    @property
    def size(self) -> int:
        """How much there is of the block, in characters."""
        return self._stream.size

    def end(self) -> adapter.AgentDelta:
        """What says that no more will come."""
        return adapter.AgentDelta(self._agent, self._stream.end().event)

    def finished(self) -> BlockFinished:
        """The block as far as it came."""
        return BlockFinished(self._agent, self._stream.output())


class ToolBlock:
    """A tool call."""

    __slots__ = ("_agent", "_stream")

    def __init__(self, agent: str, block: JsonObject, index: int, cwd: PurePath) -> None:
        self._agent = agent
        self._stream = ToolStream(text(block, "name"), text(block, "id"), index, cwd, CLAUDE_TOOLS)

    def delta(self, delta: BlockDelta) -> list[AgentEvent]:
        """More of the arguments."""
        return _told(self._agent, self._stream.add(delta.partial_json))

    def whole(self, arguments: dict[str, JsonValue]) -> list[AgentEvent]:
        """All of the arguments at once."""
        events = _told(self._agent, self._stream.whole(arguments))
        return events + self._spawned(arguments.get("subagent_type")) if events else []

    @property
    def size(self) -> int:
        """How much there is of the arguments' text, in characters."""
        return self._stream.size

    def finish(self) -> list[AgentEvent]:
        """The block is over."""
        events = _told(self._agent, self._stream.finish())
        return events + self._spawned(self._stream.argument("subagent_type")) if events else []

    def finished(self) -> BlockFinished:
        """The call as far as it came."""
        return BlockFinished(self._agent, self._stream.output())

    def _spawned(self, kind: JsonValue) -> list[AgentEvent]:
        if self._stream.tool in _SPAWNING and self._stream.call and isinstance(kind, str) and kind:
            return [SubagentSeen(self._stream.call, kind)]
        return []


Block = ProseBlock | ToolBlock


def open_block(agent: str, block: JsonObject, index: int, cwd: PurePath) -> Block | None:
    """The block that a `content_block` announces; None for one that rules do not watch."""
    kind = text(block, "type")
    if kind in _PROSE_BLOCKS:
        return ProseBlock(agent, _PROSE_BLOCKS[kind])
    return ToolBlock(agent, block, index, cwd) if kind in _TOOL_BLOCKS else None


def _told(agent: str, pieces: list[ResponseDelta]) -> list[AgentEvent]:
    return [adapter.AgentDelta(agent, piece.event, piece.call, piece.write) for piece in pieces]
