"""Gemini CLI's `--output-format stream-json` (spec W16): deltas of text, tool calls as a whole, no thoughts."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.wire.fields import expect_text, get_kind, get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
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
from ttsr_ls.session.output.agent_events import AgentEvent, StreamDamaged, ToolResultSeen

_TEXT = "text"


class GeminiCliAdapter(LineAdapter):
    """Converts the lines of one session to agent events."""

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        kind = get_kind(message)
        match kind:
            case "init":
                return self.identify_session(get_text(message, "session_id"), get_text(message, "cwd"))
            case "message":
                return self._message(get_text(message, "role"), expect_text(message, "content"))
            case "tool_use":
                events, answer = self.ensure_answer()
                call = answer.add_complete_call(
                    expect_text(message, "tool_name"), get_text(message, "tool_id"), get_object(message, "parameters")
                )
                return [*events, *answer.end_part(_TEXT), *call]
            case "tool_result":
                # Output after the result of a tool belongs to another answer.
                return [*self.end_answer(), ToolResultSeen(MAIN_AGENT, get_text(message, "tool_id"), _state(message))]
            case "result":
                return self.close_turn(_outcome(message))
            case "error":
                severity, reason = get_text(message, "severity") or "error", get_text(message, "message")
                return [StreamDamaged(f"Gemini CLI reported an {severity}: {reason}")]
            case _:
                return self.report_unknown_kind(kind)

    def _message(self, role: str, content: str) -> list[AgentEvent]:
        if role == "user":
            return self.start_prompted_turn(content)
        events, answer = self.ensure_answer()
        return [*events, *answer.add_prose(_TEXT, Source.TEXT, content)]


def _state(message: JsonObject) -> CallDone | CallRefused:
    result = get_text(message, "output")
    failed = get_text(message, "status") == "error"
    return CallRefused(get_text(get_object(message, "error"), "message") or result) if failed else CallDone(result)


def _outcome(message: JsonObject) -> TurnOutcome:
    match get_text(message, "status"):
        case "error":
            return TurnFailed(get_text(get_object(message, "error"), "message") or "Gemini CLI failed")
        case "cancelled" | "canceled":
            return TurnCancelled("cancelled")
        case _:
            return TurnCompleted()
