"""One answer of a model as Claude Code tells of it: by the events of the Messages stream, or in whole blocks.

Claude Code repeats each block whole in an `assistant` line before that block's end; without
`--include-partial-messages` these lines are all there is (spec W1).
"""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.claude.blocks import Block, ProseBlock, ToolBlock, open_block
from ttsr_ls.bridge.adapters.claude.lines import BlockDelta, block_delta
from ttsr_ls.bridge.adapters.wire_values import JsonObject, mapping, text, whole_number
from ttsr_ls.bridge.wire.answer_limits import AnswerLimits
from ttsr_ls.bridge.wire.usage import anthropic_usage
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, AnswerEnded, StreamDamaged


class ClaudeAnswer:
    """The state of an answer from its start to its end. `message` is its id on the wire."""

    __slots__ = (
        *("_blocks", "_cwd", "_ending", "_most_blocks", "_room", "_stopped", "_told", "_usage"),
        *("agent", "message"),
    )

    def __init__(self, agent: str, message: str, cwd: PurePath, limits: AnswerLimits) -> None:
        self.agent = agent
        self.message = message
        self._cwd = cwd
        self._blocks: dict[int, Block] = {}
        self._ending: AgentDelta | None = None
        self._stopped = False
        self._room = limits.characters
        self._most_blocks = limits.parts
        self._told = False
        self._usage: Usage | None = None

    def count(self, reported: JsonObject) -> None:
        """Takes a report of the usage so far."""
        self._usage = anthropic_usage(reported, self._usage)

    def event(self, event: JsonObject) -> list[AgentEvent]:
        """An event of the Messages stream, other than the first and the last of an answer."""
        match event.get("type"):
            case "content_block_start":
                return self._start(whole_number(event, "index"), mapping(event, "content_block"))
            case "content_block_delta":
                return self.delta(whole_number(event, "index"), block_delta(mapping(event, "delta")))
            case "content_block_stop":
                return self._stop(whole_number(event, "index"))
            case "message_delta":
                self.count(mapping(event, "usage"))
                # Claude Code closes what it aborted itself, without a reason (spec W2).
                self._stopped = bool(text(mapping(event, "delta"), "stop_reason"))
                return self._end_prose() if self._stopped else []
            case _:
                return []

    def delta(self, index: int, delta: BlockDelta) -> list[AgentEvent]:
        """More of block number `index`."""
        block = self._blocks.get(index)
        if block is None:
            return []
        return block.delta(delta) if self._admits(delta.size) else self._too_long()

    def whole_block(self, content: JsonObject) -> list[AgentEvent]:
        """A block of which nothing was seen before."""
        self._stopped = True
        block = open_block(self.agent, content, len(self._blocks), self._cwd)
        if block is None:
            return []
        match block:
            case ProseBlock():
                events = [*block.add(text(content, "text") or text(content, "thinking")), block.end()]
                block.sign(text(content, "signature"))
            case ToolBlock():
                events = block.whole(mapping(content, "input"))
        return [*events, block.finished()] if self._admits(block.size) else self._too_long()

    def end(self) -> list[AgentEvent]:
        """The answer is over; what is still open was cut off."""
        complete = self._stopped and not self._blocks
        events: list[AgentEvent] = self._end_prose() if complete else []
        events += [block.finished() for block in self._blocks.values()]
        self._blocks.clear()
        return [*events, AnswerEnded(self.agent, complete, self._usage)]

    def _start(self, index: int, content: JsonObject) -> list[AgentEvent]:
        events = self._end_prose()
        block = open_block(self.agent, content, index, self._cwd)
        if block is not None and len(self._blocks) < self._most_blocks:
            self._blocks[index] = block
            if isinstance(block, ProseBlock):
                events += block.add(text(content, "text") or text(content, "thinking"))
        return events

    def _stop(self, index: int) -> list[AgentEvent]:
        block = self._blocks.pop(index, None)
        match block:
            case None:
                return []
            case ProseBlock():
                # Told when the next block starts or the answer ends in order: prose that was cut off in its middle is
                # closed by Claude Code too, and conditions that look at the end must not take that for its end.
                self._ending = block.end()
                return [block.finished()]
            case ToolBlock():
                return [*block.finish(), block.finished()]

    def _end_prose(self) -> list[AgentEvent]:
        ending, self._ending = self._ending, None
        return [] if ending is None else [ending]

    def _admits(self, size: int) -> bool:
        self._room -= size
        return self._room >= 0

    def _too_long(self) -> list[AgentEvent]:
        told, self._told = self._told, True
        return [] if told else [StreamDamaged("An answer is too long to be watched to its end.")]
