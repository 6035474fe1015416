"""Gemini CLI's `--output-format stream-json` (spec W16): deltas of text, tool calls as a whole, no thoughts."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.adapters.wire_values import JsonObject, mapping, text
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

    def message(self, message: JsonObject) -> list[AgentEvent]:
        kind = text(message, "type")
        match kind:
            case "init":
                return self.session(text(message, "session_id"), text(message, "cwd"))
            case "message":
                return self._said(text(message, "role"), text(message, "content"))
            case "tool_use":
                events, answer = self.in_answer()
                call = answer.whole_call(
                    text(message, "tool_name"), text(message, "tool_id"), mapping(message, "parameters")
                )
                return [*events, *answer.end_part(_TEXT), *call]
            case "tool_result":
                # What follows the result of a tool is an answer of its own.
                return [*self.end_answer(), ToolResultSeen(MAIN_AGENT, text(message, "tool_id"), _state(message))]
            case "result":
                return self.close_turn(_outcome(message))
            case "error":
                severity, reason = text(message, "severity") or "error", text(message, "message")
                return [StreamDamaged(f"Gemini CLI reported an {severity}: {reason}")]
            case _:
                return self.unknown(kind)

    def _said(self, role: str, content: str) -> list[AgentEvent]:
        if role == "user":
            return self.prompted(content)
        events, answer = self.in_answer()
        return [*events, *answer.prose(_TEXT, Source.TEXT, content)]


def _state(message: JsonObject) -> CallDone | CallRefused:
    result = text(message, "output")
    failed = text(message, "status") == "error"
    return CallRefused(text(mapping(message, "error"), "message") or result) if failed else CallDone(result)


def _outcome(message: JsonObject) -> TurnOutcome:
    match text(message, "status"):
        case "error":
            return TurnFailed(text(mapping(message, "error"), "message") or "Gemini CLI failed")
        case "cancelled" | "canceled":
            return TurnCancelled("cancelled")
        case _:
            return TurnCompleted()
