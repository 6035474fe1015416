"""One answer of a model while an agent streams it, part by part, independent of the wire format.

Limits the size of the answer, and ensures that each part starts and ends once. An adapter identifies parts by keys.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import PurePath

from ttsr_ls.bridge.wire.answer_limits import ANSWER_LIMITS, AnswerLimits
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, AnswerEnded, BlockFinished, StreamDamaged
from ttsr_ls.session.output.output_streams import ProseStream, ToolStream
from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import ResponseDelta


class AnswerParts:
    """The parts of one answer of `agent`. Relative paths in tool calls are resolved against `cwd`."""

    __slots__ = ("_agent", "_cwd", "_is_full", "_max_parts", "_number", "_open", "_remaining", "_tools")

    def __init__(self, agent: str, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits = ANSWER_LIMITS) -> None:
        self._agent = agent
        self._cwd = cwd
        self._tools = tools
        self._open: dict[Hashable, ProseStream | ToolStream] = {}
        self._number = 0
        self._remaining = limits.characters
        self._max_parts = limits.parts
        self._is_full = False

    def is_open(self, key: Hashable) -> bool:
        """Returns whether the part has begun and not ended."""
        return key in self._open

    def add_prose(self, key: Hashable, source: Source, text: str) -> list[AgentEvent]:
        """Adds text to a part of text or thinking. The first text starts the part."""
        part = self._open.get(key)
        if part is None:
            if not self._take_part():
                return self._too_long()
            part = self._open[key] = ProseStream(source)
        if not isinstance(part, ProseStream):
            return []
        if not self._take(len(text)):
            return self._too_long()
        event = part.delta(text)
        return [] if event is None else [AgentDelta(self._agent, event)]

    def start_call(self, key: Hashable, tool: str, call_id: str) -> list[AgentEvent]:
        """Starts the part of a tool call."""
        if key in self._open:
            return []
        if not self._take_part():
            return self._too_long()
        self._open[key] = ToolStream(tool, call_id, self._number, self._cwd, self._tools)
        return []

    def add_arguments(self, key: Hashable, text: str) -> list[AgentEvent]:
        """Adds to the JSON text of a call's arguments."""
        part = self._open.get(key)
        if not isinstance(part, ToolStream):
            return []
        return self._streamed(part.add(text)) if self._take(len(text)) else self._too_long()

    def end_part(self, key: Hashable) -> list[AgentEvent]:
        """Ends a part whose content is complete."""
        part = self._open.pop(key, None)
        match part:
            case None:
                return []
            case ProseStream():
                return self._ended_prose(part)
            case ToolStream():
                return [*self._streamed(part.finish()), BlockFinished(self._agent, part.output())]

    def end_call(self, key: Hashable, arguments: dict[str, JsonValue]) -> list[AgentEvent]:
        """Ends a tool call whose arguments streamed. `arguments` repeats them as a whole; empty: they are not
        repeated."""
        part = self._open.get(key)
        if not isinstance(part, ToolStream) or not arguments:
            return self.end_part(key)
        del self._open[key]
        before = part.size
        events = self._streamed(part.finish_with(arguments))
        if not self._take(max(0, part.size - before)):
            return self._too_long()
        return [*events, BlockFinished(self._agent, part.output())]

    def add_complete_prose(self, source: Source, text: str) -> list[AgentEvent]:
        """Adds a complete part of text or thinking that did not stream."""
        if not self._take_part():
            return self._too_long()
        part = ProseStream(source)
        events: list[AgentEvent] = []
        if not self._take(len(text)):
            events = self._too_long()
        elif (event := part.delta(text)) is not None:
            events.append(AgentDelta(self._agent, event))
        return [*events, *self._ended_prose(part)]

    def add_complete_call(self, tool: str, call_id: str, arguments: dict[str, JsonValue]) -> list[AgentEvent]:
        """Adds a complete tool call that did not stream."""
        if not self._take_part():
            return self._too_long()
        part = ToolStream(tool, call_id, self._number, self._cwd, self._tools)
        events = self._streamed(part.finish_at_once(arguments))
        if not self._take(part.size):
            return self._too_long()
        return [*events, BlockFinished(self._agent, part.output())]

    def match_revised_call(self, tool: str, call_id: str, arguments: dict[str, JsonValue]) -> list[AgentEvent]:
        """Feeds the replaced arguments of an earlier tool call to the rules. The answer keeps the first arguments."""
        return [
            event for event in self.add_complete_call(tool, call_id, arguments) if not isinstance(event, BlockFinished)
        ]

    def end(self, complete: bool, usage: Usage | None = None) -> list[AgentEvent]:
        """Ends the answer. Open parts end here; they are incomplete unless the answer is `complete`."""
        events: list[AgentEvent] = []
        for key, part in list(self._open.items()):
            events += self.end_part(key) if complete else [BlockFinished(self._agent, part.output())]
        self._open.clear()
        return [*events, AnswerEnded(self._agent, complete, usage)]

    def _ended_prose(self, part: ProseStream) -> list[AgentEvent]:
        return [AgentDelta(self._agent, part.end().event), BlockFinished(self._agent, part.output())]

    def _streamed(self, deltas: list[ResponseDelta]) -> list[AgentEvent]:
        return [AgentDelta(self._agent, delta.event, delta.call, delta.write) for delta in deltas]

    def _take_part(self) -> bool:
        self._number += 1
        return self._number <= self._max_parts

    def _take(self, size: int) -> bool:
        self._remaining -= size
        return self._remaining >= 0

    def _too_long(self) -> list[AgentEvent]:
        if self._is_full:
            return []
        self._is_full = True
        return [StreamDamaged("An answer is too long to be matched to its end.")]
