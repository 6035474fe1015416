"""Reads an answer of OpenAI's Responses API (spec W7).

Items of the answer may stream concurrently; each is returned as a whole when it is done. The final event repeats all
items, and is not read for them.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from ttsr_ls.bridge.wire.answer_limits import AnswerLimits
from ttsr_ls.bridge.wire.answer_reader import AnswerReader, provider_failure
from ttsr_ls.bridge.wire.codex_names import tool_name_in
from ttsr_ls.bridge.wire.fields import (
    expect_field,
    expect_integer,
    expect_text,
    get_field,
    get_list,
    get_text,
    json_text,
)
from ttsr_ls.bridge.wire.json_lines import parse_text
from ttsr_ls.bridge.wire.usage import responses_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_output import Output, SealedReasoning, ServerTool, Thinking
from ttsr_ls.session.output.output_streams import PlainCall, ProseStream, ToolStream
from ttsr_ls.session.output.patch_streams import plain_call, tool_stream
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import PartFinished, PartTruncated, ResponseFinished, ResponseStarted, WireEvent

_PROSE = {"message": Source.TEXT, "reasoning": Source.THINKING}
_PROSE_DELTAS = frozenset(
    f"response.{kind}.delta" for kind in ("output_text", "refusal", "reasoning_summary_text", "reasoning_text")
)


class ResponsesDecoder(AnswerReader):
    """Reads one answer. Relative paths are resolved against `cwd`, an absolute folder."""

    def __init__(self, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits) -> None:
        super().__init__(cwd, tools, limits)
        self._has_started = False
        self._open: dict[int, ProseStream | ToolStream | PlainCall] = {}

    def finish(self) -> tuple[WireEvent, ...]:
        """Ends the stream."""
        self._is_over = True
        return tuple(self._truncate_open_parts())

    def _read(self, event: object) -> list[WireEvent]:
        kind = get_text(event, "type")
        if kind in _PROSE_DELTAS:
            return self._add_prose(expect_integer(event, "output_index"), kind, expect_text(event, "delta"))
        match kind:
            case "response.created" | "response.in_progress" | "response.queued" if not self._has_started:
                self._has_started = True
                return [ResponseStarted(get_text(get_field(event, "response"), "model"))]
            case "response.output_item.added":
                return self._start(expect_integer(event, "output_index"), expect_field(event, "item"))
            case "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta":
                return self._add_arguments(expect_integer(event, "output_index"), expect_text(event, "delta"))
            case "response.output_item.done":
                return self._done(expect_integer(event, "output_index"), expect_field(event, "item"))
            case "response.completed":
                return [*self._truncate_open_parts(), *self._count(event), ResponseFinished("completed")]
            case "response.incomplete":
                details = get_field(get_field(event, "response"), "incomplete_details")
                return [
                    *self._truncate_open_parts(),
                    *self._count(event),
                    ResponseFinished(get_text(details, "reason") or "incomplete"),
                ]
            case "response.failed":
                error = get_field(get_field(event, "response"), "error")
                return [*self._count(event), provider_failure(error, "code", "type")]
            case "error":
                nested = get_field(event, "error")
                return [provider_failure(event if nested is None else nested, "code", "type")]
        return []

    def _count(self, event: object) -> list[WireEvent]:
        return self._report(responses_usage(get_field(get_field(event, "response"), "usage")))

    def _start(self, index: int, item: Any) -> list[WireEvent]:
        kind = get_text(item, "type")
        if index in self._open:
            return []
        if kind in _PROSE:
            self._budget.take_part()
            self._open[index] = ProseStream(_PROSE[kind])
        elif kind in ("function_call", "custom_tool_call"):
            self._budget.take_part()
            tool = tool_name_in(get_text(item, "namespace"), get_text(item, "name"))
            call = get_text(item, "call_id") or get_text(item, "id") or f"call_{index}"
            if kind == "function_call":
                self._open[index] = tool_stream(tool, call, index, self._cwd, self._tools)
            else:
                self._open[index] = plain_call(tool, call, self._cwd, self._tools)
        return []

    def _add_prose(self, index: int, kind: str, text: str) -> list[WireEvent]:
        part = self._open.get(index)
        if part is None:  # Some servers do not announce items.
            self._budget.take_part()
            part = ProseStream(Source.THINKING if "reasoning" in kind else Source.TEXT)
            self._open[index] = part
        return [*part.add(self._budget.take(text))] if isinstance(part, ProseStream) else []

    def _add_arguments(self, index: int, text: str) -> list[WireEvent]:
        call = self._open.get(index)
        return [*call.add(self._budget.take(text))] if isinstance(call, ToolStream | PlainCall) else []

    def _done(self, index: int, item: Any) -> list[WireEvent]:
        self._start(index, item)  # Some servers send an item only when it is done, without announcing it.
        match self._open.pop(index, None):
            case ProseStream() as prose:
                return self._prose_done(prose, item)
            case ToolStream() as call:
                return self._call_done(call, item)
            case PlainCall() as plain_call:
                return self._plain_done(plain_call, item)
            case None:
                return self._server_tool(item)

    def _prose_done(self, prose: ProseStream, item: Any) -> list[WireEvent]:
        events: list[WireEvent] = []
        if not prose.size:
            events += prose.add(self._budget.take(_message_text(item)))
        output: Output = prose.output()
        sealed = get_text(item, "encrypted_content")
        if sealed:
            summary = tuple(get_text(part, "text") for part in get_list(item, "summary"))
            output = SealedReasoning(get_text(item, "id"), summary, self._budget.take(sealed))
        elif isinstance(output, Thinking) and not output.text:
            return []
        return [*events, prose.end(), PartFinished(output)]

    def _call_done(self, call: ToolStream, item: Any) -> list[WireEvent]:
        events: list[WireEvent] = []
        repeated = get_text(item, "arguments")
        if not call.size:
            events += call.add(self._budget.take(repeated))
        streamed, whole = call.size, parse_text(repeated)
        events += call.finish() if whole is None else call.finish_with(whole)
        self._budget.take(call.output().arguments[streamed:])
        return [*events, _ended(call.output(), item)]

    def _plain_done(self, call: PlainCall, item: Any) -> list[WireEvent]:
        text = "" if call.size else self._budget.take(get_text(item, "input"))
        return [*call.add(text), *call.end(), _ended(call.output(), item)]

    def _server_tool(self, item: Any) -> list[WireEvent]:
        """Returns the item of a tool that the provider ran, as a call with its result."""
        kind = get_text(item, "type")
        if not kind.endswith("_call") or not get_text(item, "id"):
            return []
        self._budget.take_part()
        action = get_field(item, "action")
        result = self._budget.take(json_text(item))
        arguments = "{}" if action is None else json_text(action)
        return [PartFinished(ServerTool(get_text(item, "id"), kind.removesuffix("_call"), arguments, kind, result))]

    def _truncate_open_parts(self) -> list[WireEvent]:
        events: list[WireEvent] = [PartTruncated(part.output()) for part in self._open.values()]
        self._open.clear()
        return events


def _message_text(item: Any) -> str:
    """Returns the text of a whole item: the text or refusal of a message, the summary of reasoning."""
    texts = [get_text(part, "text") or get_text(part, "refusal") for part in get_list(item, "content")]
    return "".join(texts) or "".join(get_text(part, "text") for part in get_list(item, "summary"))


def _ended(call: Output, item: Any) -> PartFinished | PartTruncated:
    """The end of a call. One that the length limit cut off must not run."""
    return PartTruncated(call) if get_text(item, "status") == "incomplete" else PartFinished(call)
