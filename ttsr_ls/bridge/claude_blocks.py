"""The content blocks of an answer on the Messages stream, each a stream of its own: prose, or a tool call.

A block is told what came and says what rules are to be shown.
"""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import replace

from ttsr_ls.bridge.adapter import AgentEvent, FileWrite, OutputFinished, Streamed, SubagentSeen
from ttsr_ls.bridge.claude_tools import WRITERS, canonical_name, raw_paths, written_text
from ttsr_ls.bridge.js_json import stringify
from ttsr_ls.bridge.partial_json import JsonValue, PartialObject
from ttsr_ls.bridge.wire_values import JsonObject, text
from ttsr_ls.engine.stream import BlockEnd, Delta, Payload, Snapshot, Source, StreamContext
from ttsr_ls.engine.tool_paths import path_candidates
from ttsr_ls.engine.turn_events import Output, Text, Thinking, ToolCall

_SPAWNING = frozenset({"Agent", "Task"})
_TOOL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_PROSE_BLOCKS = {"text": Source.TEXT, "thinking": Source.THINKING}


class ProseBlock:
    """A block of text or thinking."""

    __slots__ = ("_agent", "_context", "_pieces", "_signature")

    def __init__(self, agent: str, source: Source) -> None:
        self._agent = agent
        self._context = StreamContext(source)
        self._pieces: list[str] = []
        self._signature: list[str] = []

    def delta(self, delta: JsonObject) -> list[AgentEvent]:
        """More of the block."""
        if delta.get("type") == "signature_delta":
            self._signature.append(text(delta, "signature"))
            return []
        key = "thinking" if self._context.source is Source.THINKING else "text"
        return self.add(text(delta, key))

    def add(self, more: str) -> list[AgentEvent]:
        """More of the block's text."""
        if not more:
            return []
        self._pieces.append(more)
        return [Streamed(self._agent, Delta(self._context, more))]

    @property
    def size(self) -> int:
        """How much there is of the block, in characters."""
        return sum(map(len, self._pieces))

    def end(self) -> Streamed:
        """What says that no more will come."""
        return Streamed(self._agent, BlockEnd(self._context))

    def output(self) -> Output:
        """The block as far as it came."""
        whole = "".join(self._pieces)
        if self._context.source is Source.TEXT:
            return Text(whole)
        return Thinking(whole, "".join(self._signature) or None)


class ToolBlock:
    """A tool call.

    A call that writes to a file is shown as snapshots of what it would write so far; any other as its JSON text, and at
    its end once more as `JSON.stringify` has it (M4). Its end is only told when its arguments are complete: an aborted
    call will not run.
    """

    __slots__ = ("_agent", "_arguments", "_context", "_cwd", "_id", "_key", "_paths", "_pieces", "_shown", "_tool")

    def __init__(self, agent: str, block: JsonObject, index: int, cwd: PurePath) -> None:
        self._agent = agent
        self._tool = text(block, "name")
        self._id = text(block, "id")
        self._key = f"toolcall:{self._id}" if self._id else f"tool:{self._tool}:{index}"
        self._cwd = cwd
        self._arguments = PartialObject()
        self._pieces: list[str] = []
        self._paths: tuple[str, ...] = ()
        payload = Payload.WRITTEN if self._tool in WRITERS else Payload.ARGUMENTS
        self._context = StreamContext(Source.TOOL, canonical_name(self._tool), (), self._key, payload)
        self._shown: str | None = None

    def delta(self, delta: JsonObject) -> list[AgentEvent]:
        """More of the arguments."""
        return self.add(text(delta, "partial_json"))

    def add(self, more: str) -> list[AgentEvent]:
        """More of the arguments' JSON text."""
        if not more:
            return []
        self._pieces.append(more)
        self._arguments.feed(more)
        self._find_paths(self._arguments.value, self._arguments.unfinished)
        if self._tool in WRITERS:
            return self._snapshot(self._arguments.value)
        return [self._streamed(Delta(self._context, more))]

    def whole(self, arguments: dict[str, JsonValue]) -> list[AgentEvent]:
        """All of the arguments at once."""
        try:
            self._pieces = [stringify(arguments)]
        except RecursionError:
            return []
        self._find_paths(arguments, None)
        return self._final(arguments)

    @property
    def size(self) -> int:
        """How much there is of the arguments' text, in characters."""
        return sum(map(len, self._pieces))

    def finish(self) -> list[AgentEvent]:
        """The block is over."""
        if self._arguments.is_complete or not self._pieces:  # A call without arguments may come without any text.
            return self._final(self._arguments.value)
        return []

    def output(self) -> ToolCall:
        """The call as far as it came."""
        return ToolCall(self._id, self._tool, "".join(self._pieces) or "{}")

    def _final(self, arguments: dict[str, JsonValue]) -> list[AgentEvent]:
        events: list[AgentEvent] = []
        if self._tool in WRITERS:
            events += self._snapshot(arguments)
        else:
            events.append(self._streamed(Snapshot(self._context, stringify(arguments))))
        events.append(self._streamed(BlockEnd(self._context)))
        kind = arguments.get("subagent_type")
        if self._tool in _SPAWNING and self._id and isinstance(kind, str) and kind:
            events.append(SubagentSeen(self._id, kind))
        return events

    def _snapshot(self, arguments: dict[str, JsonValue]) -> list[AgentEvent]:
        """What the call would write, if that or where it goes is news."""
        written = written_text(self._tool, arguments)
        if written is None or written == self._shown:
            return []
        self._shown = written
        return [self._streamed(Snapshot(self._context, written))]

    def _find_paths(self, arguments: dict[str, JsonValue], unfinished: str | None) -> None:
        paths = raw_paths(self._tool, arguments, unfinished)
        if paths != self._paths:
            self._paths = paths
            forms = (form for path in paths for form in path_candidates(path, self._cwd))
            self._context = replace(self._context, paths=tuple(dict.fromkeys(forms)))
            self._shown = None

    def _streamed(self, event: Delta | Snapshot | BlockEnd) -> Streamed:
        writer = WRITERS.get(self._tool)
        write = FileWrite(self._paths[0], writer.extent) if writer is not None and self._paths else None
        return Streamed(self._agent, event, self._id or None, write)


Block = ProseBlock | ToolBlock


def open_block(agent: str, block: JsonObject, index: int, cwd: PurePath) -> Block | None:
    """The block that a `content_block` announces; None for one that rules do not watch."""
    kind = text(block, "type")
    if kind in _PROSE_BLOCKS:
        return ProseBlock(agent, _PROSE_BLOCKS[kind])
    return ToolBlock(agent, block, index, cwd) if kind in _TOOL_BLOCKS else None


def finished(agent: str, block: Block) -> OutputFinished:
    """What is told of a block that is over."""
    return OutputFinished(agent, block.output())
