"""One answer of a model in Claude Code's output: as events of the Messages stream, or in whole blocks.

Claude Code repeats each block whole in an `assistant` line before that block's end; without
`--include-partial-messages` there are only these lines (spec W1). `AnthropicDecoder` decodes the wire; this module adds
the agent, and handles the differences between Claude Code's stream and a provider's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import assert_never

from ttsr_ls.bridge.adapters.claude.lines import BlockDelta
from ttsr_ls.bridge.wire.answer_limits import TOO_LONG, AnswerLimits
from ttsr_ls.bridge.wire.anthropic import AnthropicDecoder
from ttsr_ls.bridge.wire.fields import expect_objects, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.rules.stream import BlockEnd, Source
from ttsr_ls.session.history.turn_output import Output, ToolCall
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    AnswerEnded,
    BlockFinished,
    StreamDamaged,
    SubagentSeen,
)
from ttsr_ls.session.output.claude_tools import CLAUDE_TOOLS
from ttsr_ls.session.output.wire_events import (
    PartFinished,
    PartTruncated,
    ResponseFinished,
    ResponseStarted,
    UsageReported,
    WireEvent,
    WireFailed,
)
from ttsr_ls.session.output.wire_events import ResponseDelta as WireStreamed

SPAWNING_TOOLS = frozenset({"Agent", "Task"})
"""The tools that start subagents."""


class ClaudeAnswer:
    """The state of an answer from its start to its end. `message` is its id on the wire, blank if unknown."""

    __slots__ = ("_decoder", "_ending", "_is_complete", "_usage", "agent", "message")

    def __init__(self, agent: str, cwd: PurePath, limits: AnswerLimits) -> None:
        self.agent = agent
        self.message = ""
        self._decoder = AnthropicDecoder(cwd, CLAUDE_TOOLS, limits)
        self._ending: AgentDelta | None = None
        """The pending end of a block of prose. It is emitted once the block is known to be complete."""
        self._is_complete = False
        self._usage: Usage | None = None

    def event(self, event: JsonObject) -> list[AgentEvent]:
        """Handles an event of the Messages stream."""
        decoded = self._decoder.feed(event)
        match event.get("type"):
            case "content_block_start":
                return [*self._end_prose(), *self._translated(decoded)]
            case "content_block_stop":
                return self._stopped_block(decoded)
            case "message_delta" if get_text(get_object(event, "delta"), "stop_reason"):
                # Claude Code also closes blocks that it aborted, but then sends no stop reason (spec W2).
                return [*self._translated(decoded), *self._end_prose()]
            case _:
                return self._translated(decoded)

    def delta(self, index: int, delta: BlockDelta) -> list[AgentEvent]:
        """Adds a delta to block number `index`."""
        events = self._decoder.feed_delta(index, delta.type, delta.more)
        if len(events) == 1 and type(event := events[0]) is WireStreamed:
            return [AgentDelta(self.agent, event.event, event.call, event.write)]
        return self._translated(events)

    def repeat_blocks(self, message: JsonObject) -> list[AgentEvent]:
        """Reads the repetition of blocks that streamed, in case parts of their stream were lost."""
        events = [event for block in get_objects(message, "content") for event in self._decoder.repeat_call(block)]
        return [*self._end_prose(), *self._translated(events)] if events else []

    def add_complete_blocks(self, message: JsonObject) -> list[AgentEvent]:
        """Adds complete blocks of a message that did not stream."""
        self._is_complete = True
        events = self._translated(self._decoder.feed({"type": "message_start", "message": message}))
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else expect_objects(message, "content")
        for block in blocks:
            events += self._translated(self._decoder.feed_block(block))
        return events

    def end(self, _complete: bool, _usage: Usage | None) -> list[AgentEvent]:
        """Ends the answer. Open blocks count as interrupted. Whether the answer is complete is read from the stream."""
        last = self._translated(self._decoder.finish())
        ended = self._end_prose() if self._is_complete else []
        return [*ended, *last, AnswerEnded(self.agent, self._is_complete, self._usage)]

    def _stopped_block(self, decoded: tuple[WireEvent, ...]) -> list[AgentEvent]:
        events = self._translated(decoded)
        first = events[0] if events else None
        if isinstance(first, AgentDelta) and _is_end_of_prose(first):
            # Returned when the next block starts or the answer ends normally: Claude Code also closes interrupted
            # prose, and conditions that match at the end of a text must not match there.
            self._ending = first
            return events[1:]
        return events

    def _end_prose(self) -> list[AgentEvent]:
        ending, self._ending = self._ending, None
        return [] if ending is None else [ending]

    def _translated(self, decoded_events: Sequence[WireEvent]) -> list[AgentEvent]:
        agent = self.agent
        events: list[AgentEvent] = []
        for event in decoded_events:
            if type(event) is WireStreamed:  # Fast path for nearly all events.
                events.append(AgentDelta(agent, event.event, event.call, event.write))
                continue
            match event:
                case WireStreamed():
                    raise AssertionError("it was handled above")
                case PartFinished():
                    events += [*_spawned(event.output), BlockFinished(agent, event.output)]
                case PartTruncated():
                    self._is_complete = False
                    events.append(BlockFinished(agent, event.output))
                case UsageReported():
                    self._usage = event.usage
                case ResponseFinished():
                    self._is_complete = True
                case WireFailed():
                    self._is_complete = False
                    if event is TOO_LONG:
                        events.append(StreamDamaged(event.message))
                case ResponseStarted():
                    pass
                case _:
                    assert_never(event)
        return events


def _is_end_of_prose(delta: AgentDelta) -> bool:
    return isinstance(delta.event, BlockEnd) and delta.event.context.source is not Source.TOOL


def _spawned(output: Output) -> list[AgentEvent]:
    """Returns the event for the subagent that a complete tool call starts."""
    if not isinstance(output, ToolCall) or output.tool not in SPAWNING_TOOLS or not output.id:
        return []
    try:
        arguments = json.loads(output.arguments)
    except (ValueError, RecursionError):
        return []
    kind = get_text(arguments, "subagent_type") if isinstance(arguments, dict) else ""
    return [SubagentSeen(output.id, kind)] if kind else []
