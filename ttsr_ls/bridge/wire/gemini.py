"""Reads an answer of Google's Gemini API: the chunks of `streamGenerateContent`.

A function call is complete in one chunk, so rules are matched on it at once. Objects of Google's SDK, which spells the
fields differently and has signatures as bytes, are read as well.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import PurePath
from typing import Any

from msgspec.structs import replace

from ttsr_ls.bridge.wire.answer_limits import AnswerLimits
from ttsr_ls.bridge.wire.answer_reader import provider_failure
from ttsr_ls.bridge.wire.chunk_reader import ChunkReader
from ttsr_ls.bridge.wire.fields import get_field, get_integer, get_list, get_object, get_text
from ttsr_ls.bridge.wire.usage import gemini_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_output import Output
from ttsr_ls.session.output.output_streams import ProseStream
from ttsr_ls.session.output.patch_streams import tool_stream
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import PartFinished, PartTruncated, ResponseFinished, WireEvent, WireFailed

_UNSPECIFIED = "FINISH_REASON_UNSPECIFIED"


class GeminiDecoder(ChunkReader):
    """Reads one answer, the first candidate. Relative paths are resolved against `cwd`, an absolute folder."""

    def __init__(self, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits) -> None:
        super().__init__(cwd, tools, limits)
        self._signature: str | None = None
        """The thought signature of `_prose`."""
        self._calls = 0

    def finish(self) -> tuple[WireEvent, ...]:
        """Ends the stream."""
        self._is_over = True
        prose, self._prose = self._prose, None
        return () if prose is None else (PartTruncated(self._output(prose)),)

    def _read(self, chunk: object) -> list[WireEvent]:
        error = get_field(chunk, "error")
        if error is not None:
            return [provider_failure(error, "status")]
        candidates = [item for item in get_list(chunk, "candidates") if get_integer(item, "index") == 0]
        model = get_text(chunk, "modelVersion") or get_text(chunk, "model_version")
        events = [*self._start(model, has_answer=bool(candidates)), *self._read_usage(chunk)]
        blocked = _word(_either(_either(chunk, "promptFeedback", "prompt_feedback"), "blockReason", "block_reason"))
        if blocked:
            return [*events, WireFailed(f"The provider blocked the prompt for the reason {blocked[:100]}.")]
        for candidate in candidates:
            for part in get_list(get_field(candidate, "content"), "parts"):
                events += self._part(part)
            reason = _word(_either(candidate, "finishReason", "finish_reason"))
            if reason and reason != _UNSPECIFIED:
                return [*events, *self._end_prose(), ResponseFinished(reason)]
        return events

    def _read_usage(self, event: object) -> list[WireEvent]:
        return self._report(gemini_usage(_either(event, "usageMetadata", "usage_metadata")))

    def _part(self, part: Any) -> list[WireEvent]:
        signature = _signature(_either(part, "thoughtSignature", "thought_signature"))
        self._budget.take(signature or "")
        call = _either(part, "functionCall", "function_call")
        if call is not None:
            return [*self._end_prose(), *self._call(call, signature)]
        source = Source.THINKING if get_field(part, "thought") is True else Source.TEXT
        events = self._add_prose(source, get_text(part, "text"))
        if signature is not None and self._prose is not None:
            # A signature may come after the last text, in a part whose own text is empty.
            self._signature = signature
        return events

    def _call(self, call: Any, signature: str | None) -> list[WireEvent]:
        self._budget.take_part()
        number, self._calls = self._calls, self._calls + 1
        call_id = get_text(call, "id") or f"call_{number}"
        stream = tool_stream(get_text(call, "name"), call_id, number, self._cwd, self._tools)
        arguments = get_object(call, "args")
        events: list[WireEvent] = [*(stream.finish_at_once(arguments) if arguments else stream.finish())]
        output = stream.output()
        self._budget.take(output.arguments)
        return [*events, PartFinished(replace(output, thought_signature=signature))]

    def _output(self, prose: ProseStream) -> Output:
        signature, self._signature = self._signature, None
        return replace(prose.output(), thought_signature=signature)


def _either(value: object, name: str, sdk_name: str) -> Any:
    found = get_field(value, name)
    return get_field(value, sdk_name) if found is None else found


def _word(value: Any) -> str:
    """Returns a word of the API, which is an enumeration in the SDK."""
    found = getattr(value, "value", value)
    return found if isinstance(found, str) else ""


def _signature(value: Any) -> str | None:
    found = b64encode(value).decode() if isinstance(value, bytes) else value
    return found if isinstance(found, str) and found else None
