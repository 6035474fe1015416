"""Converts a call that applies a patch to calls for its files, while its arguments stream."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.codex.patch import canonical_calls
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.session.output.agent_events import AgentEvent
from ttsr_ls.session.output.partial_json import PartialObject
from ttsr_ls.session.output.patch_reader import (
    AddedLine,
    FileArguments,
    PatchedFile,
    PatchEvent,
    PatchReader,
    patch_text,
)


class StreamedPatch:
    """The patch of one call of `tool`. Each file is a part of the answer; its id is that of `canonical_calls`."""

    def __init__(self, tool: str, call_id: str) -> None:
        self._tool = tool
        self._call_id = call_id
        self._arguments = PartialObject()
        self._reader = PatchReader()
        self._read_length = 0
        """The number of characters of the patch that were read."""
        self._file_arguments = FileArguments()
        self.calls: list[str] = []
        """The ids of the calls so far."""

    def add(self, text: str, answer: AnswerParts) -> list[AgentEvent]:
        """Adds to the JSON text of the arguments."""
        self._arguments.feed(text)
        return self._read(patch_text(self._arguments.value), answer)

    def finish(self, whole: JsonObject, answer: AnswerParts) -> list[AgentEvent]:
        """Ends the call. `whole` repeats its arguments, and replaces them if a part of the stream was lost."""
        arguments = whole or self._arguments.value
        patch = patch_text(arguments)
        if not patch.startswith(patch_text(self._arguments.value)[: self._read_length]):
            events = self._close(answer)
            for call in canonical_calls(self._tool, self._call_id, arguments):
                events += answer.match_revised_call(call.tool, call.call, call.arguments)
            return events
        events = [*self._read(patch, answer), *self._apply(self._reader.finish(), answer), *self._close(answer)]
        if self.calls:
            return events
        self.calls.append(self._call_id)
        return [*events, *answer.add_complete_call(self._tool, self._call_id, arguments)]

    def _read(self, patch: str, answer: AnswerParts) -> list[AgentEvent]:
        new, self._read_length = patch[self._read_length :], max(self._read_length, len(patch))
        return self._apply(self._reader.feed(new), answer) if new else []

    def _apply(self, patch_events: list[PatchEvent], answer: AnswerParts) -> list[AgentEvent]:
        events: list[AgentEvent] = []
        for event in patch_events:
            match event:
                case PatchedFile():
                    events += self._close(answer)
                    call = f"{self._call_id}#{len(self.calls)}" if self.calls else self._call_id
                    self.calls.append(call)
                    events += answer.start_call(call, event.tool, call)
                    events += answer.add_arguments(call, self._file_arguments.start(event))
                case AddedLine():
                    events += answer.add_arguments(self.calls[-1], self._file_arguments.add(event))
        return events

    def _close(self, answer: AnswerParts) -> list[AgentEvent]:
        end = self._file_arguments.end()
        return [*answer.add_arguments(self.calls[-1], end), *answer.end_part(self.calls[-1])] if end else []
