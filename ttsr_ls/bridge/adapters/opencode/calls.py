"""The tool calls of one opencode session. A call that applies a patch is read as a call for each of its files."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.codex.patch import canonical_calls
from ttsr_ls.bridge.adapters.codex.streamed_patch import StreamedPatch
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.session.history.turn_events import CallDone, CallRefused
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen
from ttsr_ls.session.output.patch_reader import PATCH_TOOLS

_MAX_PATCHES = 1_000


class OpencodeCalls:
    """The calls whose arguments stream, and the files of patches without a result."""

    def __init__(self) -> None:
        self._patches: dict[str, StreamedPatch] = {}
        """The streaming patches, by the ids of their calls."""
        self._calls_of_patch: dict[str, tuple[str, ...]] = {}
        """The ids of the calls for the files of each patch without a result, by the id of the patch's call."""

    def complete(self, answer: AnswerParts, tool: str, call: str, arguments: JsonObject) -> list[AgentEvent]:
        """Adds a complete call to `answer`."""
        calls = canonical_calls(tool, call, arguments) if tool.lower() in PATCH_TOOLS else []
        if not calls:
            return answer.add_complete_call(tool, call, arguments)
        self._remember_files(call, tuple(each.call for each in calls))
        return [event for each in calls for event in answer.add_complete_call(each.tool, each.call, each.arguments)]

    def start(self, answer: AnswerParts, tool: str, call: str) -> list[AgentEvent]:
        """Starts a call whose arguments will stream."""
        if tool.lower() not in PATCH_TOOLS:
            return answer.start_call(call, tool, call)
        put_bounded(self._patches, call, StreamedPatch(tool, call), _MAX_PATCHES)
        return []

    def add_arguments(self, answer: AnswerParts, call: str, text: str) -> list[AgentEvent]:
        """Adds to the JSON text of a call's arguments."""
        patch = self._patches.get(call)
        return answer.add_arguments(call, text) if patch is None else patch.add(text, answer)

    def is_open(self, answer: AnswerParts, call: str) -> bool:
        """Returns whether the call has started and not ended."""
        return call in self._patches or answer.is_open(call)

    def end(self, answer: AnswerParts, call: str, arguments: JsonObject) -> list[AgentEvent]:
        """Ends a call whose arguments streamed. `arguments` repeats them as a whole."""
        patch = self._patches.pop(call, None)
        if patch is None:
            return answer.end_call(call, arguments)
        events = patch.finish(arguments, answer)
        self._remember_files(call, tuple(patch.calls))
        return events

    def results(self, agent: str, call: str, state: CallDone | CallRefused) -> list[AgentEvent]:
        """Returns the result of a call; of a patch, for each of its files."""
        return [ToolResultSeen(agent, each, state) for each in self._calls_of_patch.pop(call, (call,))]

    def _remember_files(self, call: str, files: tuple[str, ...]) -> None:
        put_bounded(self._calls_of_patch, call, files, _MAX_PATCHES)
