"""pi and oh-my-pi (spec W13): their JSON and RPC modes, which share the events of an answer.

pi 0.x and oh-my-pi's RPC repeat the whole message in each update; pi 1.5 and oh-my-pi's JSON mode send the delta alone.
Both are read by the delta. The sessions that they keep have whole messages; nothing in them marks the end of a turn.
"""

from __future__ import annotations

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.adapters.wire_values import JsonObject, content_text, mapping, mappings, text, whole_number
from ttsr_ls.bridge.wire.usage import counted_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnOutcome,
)
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen

_PROSE = {"text": Source.TEXT, "thinking": Source.THINKING}
_USED = {"prompt": "input", "output": "output", "read": "cacheRead", "written": "cacheWrite"}
_SILENT = frozenset(
    {
        "advisor_cost_changed", "agent_settled", "agent_start", "auto_compaction_end", "auto_compaction_start",
        "auto_retry_end", "auto_retry_start", "available_commands_update", "branch_summary", "compaction",
        "compaction_end", "compaction_start", "custom", "custom_message", "entry_appended", "extension_error",
        "extension_ui_request", "label", "model_change", "notice", "prompt_result", "queue_update", "ready",
        "response", "session_info", "session_info_changed", "session_settled", "thinking_level_change",
        "thinking_level_changed", "title", "tool_execution_start", "tool_execution_update", "ttsr_triggered",
        "turn_end", "turn_start",
    }
)  # fmt: skip
"""Messages that say nothing of what the model puts out, or repeat it."""


class PiAdapter(LineAdapter):
    """Reads one session of pi or of oh-my-pi."""

    _outcome: TurnOutcome | None = None
    _is_kept = False
    """This is a session that was kept, and no stream."""

    def outcome_at_end(self) -> TurnOutcome:
        return self._taken_outcome() if self._is_kept else super().outcome_at_end()

    def _taken_outcome(self) -> TurnOutcome:
        outcome, self._outcome = self._outcome or TurnCompleted(), None
        return outcome

    def message(self, message: JsonObject) -> list[AgentEvent]:
        kind = text(message, "type")
        match kind:
            case "message_update":
                return self._update(mapping(message, "assistantMessageEvent"), mapping(message, "message"))
            case "message_start":
                return self._message_start(mapping(message, "message"))
            case "message_end":
                return self._message_end(mapping(message, "message"))
            case "tool_execution_end":
                return [ToolResultSeen(MAIN_AGENT, text(message, "toolCallId"), _state(message))]
            case "session":
                return self.session(text(message, "id"), text(message, "cwd"))
            case "agent_end":
                if message.get("willRetry") is True:
                    return []
                return self.close_turn(self._taken_outcome())
            case "message":
                return self._kept_message(mapping(message, "message"))
            case _ if kind in _SILENT:
                return []
            case _:
                return self.unknown(kind)

    def _message_start(self, message: JsonObject) -> list[AgentEvent]:
        match text(message, "role"):
            case "user":
                return self.prompted(content_text(message, "content")) if not self._is_answering() else []
            case "assistant":
                return self.start_answer(model=text(message, "model"))
            case _:
                return []

    def _kept_message(self, message: JsonObject) -> list[AgentEvent]:
        self._is_kept = True
        match text(message, "role"):
            case "user":
                return [*self.close_turn(self._taken_outcome()), *self.prompted(content_text(message, "content"))]
            case "toolResult":
                result = content_text(message, "content")
                state = CallRefused(result) if message.get("isError") is True else CallDone(result)
                return [ToolResultSeen(MAIN_AGENT, text(message, "toolCallId"), state)]
            case _:
                return self._message_end(message)

    def _is_answering(self) -> bool:
        return self.answer_of() is not None

    def _message_end(self, message: JsonObject) -> list[AgentEvent]:
        if text(message, "role") != "assistant":
            return []
        events: list[AgentEvent] = []
        if not self._is_answering():  # Its beginning is lost: what it says is here as a whole.
            events = self._whole(message)
        reason = text(message, "stopReason")
        if reason == "aborted":
            self._outcome = TurnCancelled("aborted")
        elif reason == "error":
            self._outcome = TurnFailed(text(message, "errorMessage") or "the model's provider failed")
        else:
            self._outcome = None
        complete = reason not in ("aborted", "error")
        return [*events, *self.end_answer(complete=complete, usage=counted_usage(mapping(message, "usage"), **_USED))]

    def _whole(self, message: JsonObject) -> list[AgentEvent]:
        events = self.start_answer(model=text(message, "model"))
        _, answer = self.in_answer()
        for block in mappings(message, "content"):
            kind = text(block, "type")
            if kind in _PROSE:
                events += answer.whole_prose(_PROSE[kind], text(block, kind))
            elif kind == "toolCall":
                events += answer.whole_call(text(block, "name"), text(block, "id"), mapping(block, "arguments"))
        return events

    def _update(self, event: JsonObject, repeated: JsonObject) -> list[AgentEvent]:
        index = whole_number(event, "contentIndex")
        kind, _, what = text(event, "type").rpartition("_")
        events, answer = self.in_answer()
        if kind in _PROSE:
            match what:
                case "delta":
                    return [*events, *answer.prose(index, _PROSE[kind], text(event, "delta"))]
                case "end":
                    return [*events, *answer.end_part(index)]
                case _:
                    return events
        if kind == "toolcall":
            return [*events, *self._tool_call(index, what, event, repeated)]
        if kind == "" and what in ("start", "done", "error"):
            return events
        return [*events, *self.unknown(f"message_update {text(event, 'type')}")]

    def _tool_call(self, index: int, what: str, event: JsonObject, repeated: JsonObject) -> list[AgentEvent]:
        _, answer = self.in_answer()
        match what:
            case "start":
                tool, call = _started_call(index, event, repeated)
                return answer.start_call(index, tool, call) if tool else []
            case "delta":
                return answer.arguments(index, text(event, "delta"))
            case "end":
                if answer.is_open(index):
                    return answer.end_part(index)
                # Where nothing named the tool at its start, its arguments are read here, as a whole.
                whole = mapping(event, "toolCall")
                return answer.whole_call(text(whole, "name"), text(whole, "id"), mapping(whole, "arguments"))
            case _:
                return []


def _started_call(index: int, event: JsonObject, repeated: JsonObject) -> tuple[str, str]:
    """The tool and the id of a call that starts. Before pi 1.5 they are only in the message that is repeated."""
    if tool := text(event, "toolName"):
        return tool, text(event, "id")
    blocks = mappings(repeated or mapping(event, "partial"), "content")
    block = blocks[index] if 0 <= index < len(blocks) else {}
    return text(block, "name"), text(block, "id")


def _state(message: JsonObject) -> CallDone | CallRefused:
    result = content_text(mapping(message, "result"), "content")
    return CallRefused(result) if message.get("isError") is True else CallDone(result)
