"""Reads an answer of Anthropic's Messages API (spec W5), which other servers implement as well.

Events that the official SDK's stream helper adds between the provider's own events are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ttsr_ls.bridge.wire.answer_limits import TOO_LONG, AnswerLimits, AnswerTooLong
from ttsr_ls.bridge.wire.answer_reader import AnswerReader, provider_failure
from ttsr_ls.bridge.wire.fields import (
    expect_field,
    expect_integer,
    expect_text,
    get_field,
    get_integer,
    get_object,
    get_text,
    json_text,
)
from ttsr_ls.bridge.wire.malformed import note_recurring, note_unknown_kind
from ttsr_ls.bridge.wire.usage import anthropic_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_output import RedactedThinking, ServerTool
from ttsr_ls.session.output.output_streams import ProseStream, ToolStream
from ttsr_ls.session.output.patch_streams import tool_stream
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import PartFinished, PartTruncated, ResponseFinished, ResponseStarted, WireEvent

STREAM_EVENTS = frozenset(
    {
        "content_block_delta", "content_block_start", "content_block_stop", "error", "message_delta", "message_start",
        "message_stop", "ping",
    }
)  # fmt: skip
"""The kinds of events that the API sends."""
_PROSE = {"text": Source.TEXT, "thinking": Source.THINKING}
_PROSE_DELTAS = frozenset({"text_delta", "thinking_delta"})
_DELTA_FIELDS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
    "signature_delta": "signature",
}
"""The field with the content of a delta, by the delta's type."""
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_SILENT = frozenset({"citations_delta", "compaction", "compaction_delta", "container_upload", "fallback"})
"""The kinds of blocks and deltas without output of the model to match."""
_REPEATED = -1
"""The number used for a block that is only known from its repetition as a whole."""
_TRUNCATING_REASONS = frozenset({"max_tokens", "model_context_window_exceeded"})


class _ToolBlock:
    """A call of a tool of the host or of the provider. `whole_input` has its arguments if they came as a whole."""

    __slots__ = ("kind", "stream", "whole_input")

    def __init__(self, block: object, index: int, cwd: PurePath, tools: Vocabulary) -> None:
        self.kind = get_text(block, "type")
        self.whole_input = get_object(block, "input")
        self.stream = tool_stream(expect_text(block, "name"), get_text(block, "id"), index, cwd, tools)


class AnthropicDecoder(AnswerReader):
    """Reads one answer. Relative paths are resolved against `cwd`, an absolute folder."""

    def __init__(self, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits) -> None:
        super().__init__(cwd, tools, limits)
        self._open: dict[int, ProseStream | _ToolBlock] = {}
        self._server_calls: dict[str, ToolStream] = {}
        self._broken: list[ToolStream] = []
        """Calls with incomplete arguments: by the model's mistake, or because the answer reached its length limit."""
        self._reason = ""
        self._ended: set[int] = set()
        self._started_calls: set[str] = set()
        """The ids of the calls that have started."""

    def feed_delta(self, index: int, kind: str, text: str) -> Sequence[WireEvent]:
        """Feeds a parsed delta of this `kind` for block number `index`."""
        if self._is_over:
            return ()
        try:
            return self._delta(index, kind, text)
        except AnswerTooLong:
            self._is_over = True
            return (TOO_LONG,)

    def feed_block(self, block: object) -> Sequence[WireEvent]:
        """Feeds a whole block of an answer that did not stream."""
        if (kind := get_text(block, "type")) in _PROSE:
            expect_text(block, kind)
        return self._feed_whole_block(0, block)

    def _feed_whole_block(self, index: int, block: object) -> Sequence[WireEvent]:
        if self._is_over:
            return ()
        try:
            return [*self._start(index, block), *self._stop(index)]
        except AnswerTooLong:
            self._is_over = True
            return (TOO_LONG,)

    def finish(self) -> tuple[WireEvent, ...]:
        """Ends the stream: returns open parts as truncated."""
        streams = [part if isinstance(part, ProseStream) else part.stream for part in self._open.values()]
        events: list[WireEvent] = [PartTruncated(stream.output()) for stream in (*self._broken, *streams)]
        self._open.clear()
        self._broken.clear()
        if self._reason and not events and not self._is_over:
            events.append(ResponseFinished(self._reason))
        self._is_over = True
        return tuple(events)

    def _read(self, event: object) -> Sequence[WireEvent]:
        kind = get_text(event, "type")
        if kind == "content_block_delta":  # Fast path for nearly all events.
            delta = expect_field(event, "delta")
            delta_kind = expect_text(delta, "type")
            field = _DELTA_FIELDS.get(delta_kind)
            return self._delta(
                expect_integer(event, "index"), delta_kind, "" if field is None else expect_text(delta, field)
            )
        match kind:
            case "message_start":
                message = get_field(event, "message")
                return [ResponseStarted(get_text(message, "model")), *self._count(get_field(message, "usage"))]
            case "content_block_start":
                return self._start(expect_integer(event, "index"), expect_field(event, "content_block"))
            case "content_block_stop":
                return self._stop(get_integer(event, "index"))
            case "message_delta":
                self._reason = get_text(get_field(event, "delta"), "stop_reason") or self._reason
                return self._count(get_field(event, "usage"))
            case "message_stop":
                return self._message_stop()
            case "error":
                return [provider_failure(get_field(event, "error"), "type")]
        return []

    def _count(self, reported: Any) -> list[WireEvent]:
        return self._report(anthropic_usage(reported, self._usage))

    def _start(self, index: int, block: Any) -> list[WireEvent]:
        self._budget.take_part()
        events: list[WireEvent] = [PartFinished(stream.output()) for stream in self._broken]
        self._broken.clear()
        if index in self._open:
            events += self._stop(index)
        self._ended.discard(index)
        kind = expect_text(block, "type")
        if kind in _PROSE:
            prose = ProseStream(_PROSE[kind])
            self._open[index] = prose
            prose.sign(self._budget.take(get_text(block, "signature")))
            events += prose.add(self._budget.take(get_text(block, kind)))
        elif kind in _CALLS:
            self._started_calls.add(get_text(block, "id"))
            self._open[index] = _ToolBlock(block, index, self._cwd, self._tools)
        elif kind == "redacted_thinking":
            events.append(PartFinished(RedactedThinking(self._budget.take(get_text(block, "data")))))
        elif kind.endswith("_tool_result"):
            events += self._server_result(kind, block)
        elif kind not in _SILENT:
            note_unknown_kind("block", kind)
        return events

    def _delta(self, index: int, kind: str, text: str) -> Sequence[WireEvent]:
        part = self._open.get(index)
        if isinstance(part, ProseStream):
            if kind in _PROSE_DELTAS:
                return part.add(self._budget.take(text))
            if kind == "signature_delta":
                part.sign(self._budget.take(text))
                return ()
        elif isinstance(part, _ToolBlock) and kind == "input_json_delta":
            return part.stream.add(self._budget.take(text))
        elif part is None and kind in _PROSE_DELTAS and index not in self._ended:
            # The start of the block was lost; the delta's own type gives the kind of prose.
            return [*self._start(index, {"type": kind.removesuffix("_delta")}), *self._delta(index, kind, text)]
        if kind in _DELTA_FIELDS:
            note_recurring(f"no block is open that its {kind} belongs to")
        elif kind not in _SILENT:
            note_unknown_kind("delta", kind)
        return ()

    def repeat_call(self, block: object) -> Sequence[WireEvent]:
        """Feeds the repetition of a call of an answer that streams. Its arguments are used if a part of them was lost.

        A call whose start was lost is read completely here.
        """
        if get_text(block, "type") not in _CALLS:
            return ()
        call = get_text(block, "id")
        if call not in self._started_calls:
            return self._feed_whole_block(_REPEATED, block)
        for part in self._open.values():
            if isinstance(part, _ToolBlock) and part.stream.call == call:
                part.whole_input = get_object(block, "input") or part.whole_input
        return ()

    def _stop(self, index: int) -> list[WireEvent]:
        part = self._open.pop(index, None)
        self._ended.add(index)
        if part is None:
            return []
        if isinstance(part, ProseStream):
            return [part.end(), PartFinished(part.output())]
        stream = part.stream
        if part.whole_input:  # Some servers send the arguments at once, some agents repeat them as a whole.
            before = stream.size
            events: list[WireEvent] = [*stream.finish_with(part.whole_input)]
            self._budget.take(stream.output().arguments[before:])
        else:
            events = [*stream.finish()]
        if part.kind != "tool_use":
            self._server_calls[stream.call] = stream
        elif stream.is_complete or events:
            events.append(PartFinished(stream.output()))
        else:
            self._broken.append(stream)
        return events

    def _server_result(self, kind: str, block: Any) -> list[WireEvent]:
        """Handles the result of a tool that the provider ran, which is valid only together with its call."""
        stream = self._server_calls.pop(get_text(block, "tool_use_id"), None)
        if stream is None or kind == "mcp_tool_result":  # A result of MCP cannot be sent back without its server name.
            return []
        result = self._budget.take(json_text(get_field(block, "content")))
        call = stream.output()
        return [PartFinished(ServerTool(call.id, call.tool, call.arguments, kind, result))]

    def _message_stop(self) -> list[WireEvent]:
        if not self._reason or self._open:  # An aborted answer ends like this.
            return []
        if self._broken and self._reason in _TRUNCATING_REASONS:
            events: list[WireEvent] = [PartTruncated(stream.output()) for stream in self._broken]
        else:
            events = [PartFinished(stream.output()) for stream in self._broken]
        self._broken.clear()
        return [*events, ResponseFinished(self._reason)]
