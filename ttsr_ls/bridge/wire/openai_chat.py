"""Reads an answer of OpenAI's Chat Completions API (spec W6), which many other servers implement.

Calls end with the answer.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from ttsr_ls.bridge.wire.answer_limits import AnswerLimits
from ttsr_ls.bridge.wire.chunk_reader import ChunkReader
from ttsr_ls.bridge.wire.fields import get_field, get_integer, get_list, get_text
from ttsr_ls.bridge.wire.usage import chat_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.output.output_streams import ProseStream, ToolStream
from ttsr_ls.session.output.patch_streams import tool_stream
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import PartFinished, PartTruncated, ResponseFinished, WireEvent, WireFailed

_CUT_SHORT = "length"


class ChatDecoder(ChunkReader):
    """Reads one answer, the first of the choices. Relative paths are resolved against `cwd`, an absolute folder."""

    def __init__(self, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits) -> None:
        super().__init__(cwd, tools, limits)
        self._calls: list[ToolStream] = []
        self._by_index: dict[int, ToolStream] = {}

    def finish(self) -> tuple[WireEvent, ...]:
        """Ends the stream."""
        open_parts: list[ProseStream | ToolStream] = [*([] if self._prose is None else [self._prose]), *self._calls]
        self._prose, self._calls, self._is_over = None, [], True
        return tuple(PartTruncated(part.output()) for part in open_parts)

    def _read(self, chunk: object) -> list[WireEvent]:
        error = get_field(chunk, "error")
        if error is not None:
            message = error if isinstance(error, str) else get_text(error, "message") or get_text(error, "code")
            return [WireFailed(f"The provider reported an error: {message or 'it has no description'}")]
        choices = [choice for choice in get_list(chunk, "choices") if get_integer(choice, "index") == 0]
        events = self._start(get_text(chunk, "model"), has_answer=bool(choices))
        events += self._read_usage(chunk)  # Some servers report it with each chunk; OpenAI after the last.
        for choice in choices:
            events += self._delta(get_field(choice, "delta"))
            reason = get_text(choice, "finish_reason")
            if reason:
                return [*events, *self._end(reason)]
        return events

    def _read_usage(self, event: object) -> list[WireEvent]:
        reported = get_field(event, "usage")
        return [] if reported is None else self._report(chat_usage(reported))  # Nearly all chunks have none.

    def _delta(self, delta: Any) -> list[WireEvent]:
        thinking = get_text(delta, "reasoning_content") or get_text(delta, "reasoning")
        events = self._add_prose(Source.THINKING, thinking)
        for source, text in _content(delta):
            events += self._add_prose(source, text)
        events += self._add_prose(Source.TEXT, get_text(delta, "refusal"))
        calls = get_list(delta, "tool_calls")
        if not calls and get_field(delta, "function_call") is not None:  # The predecessor of `tool_calls`.
            calls = [{"function": get_field(delta, "function_call")}]
        for call in calls:
            events += self._call(call)
        return events

    def _call(self, call: Any) -> list[WireEvent]:
        function, index, identity = get_field(call, "function"), get_integer(call, "index"), get_text(call, "id")
        name = get_text(function, "name")
        stream = self._by_index.get(index)
        events: list[WireEvent] = []
        # Some servers give each call of an answer the same index.
        if stream is None or (identity and identity != stream.call and name):
            events += self._end_prose()
            self._budget.take_part()
            number = len(self._calls)
            stream = tool_stream(name, identity or f"call_{number}", number, self._cwd, self._tools)
            self._by_index[index] = stream
            self._calls.append(stream)
        return [*events, *stream.add(self._budget.take(get_text(function, "arguments")))]

    def _end(self, reason: str) -> list[WireEvent]:
        events = self._end_prose()
        calls, self._calls = self._calls, []
        for call in calls:
            events += call.finish()
            cut_short = reason == _CUT_SHORT and not call.is_complete
            events.append(PartTruncated(call.output()) if cut_short else PartFinished(call.output()))
        return [*events, ResponseFinished(reason)]


def _content(delta: Any) -> list[tuple[Source, str]]:
    """Returns the content of a delta: a string, or on some servers a list of parts, some with reasoning."""
    content = get_field(delta, "content")
    if isinstance(content, str):
        return [(Source.TEXT, content)]
    prose: list[tuple[Source, str]] = []
    for part in get_list(delta, "content"):
        if get_text(part, "type") == "thinking":
            prose += [(Source.THINKING, get_text(thought, "text")) for thought in get_list(part, "thinking")]
        else:
            prose.append((Source.TEXT, get_text(part, "text")))
    return prose
