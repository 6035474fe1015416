"""The Agent Client Protocol (spec W15), version 1 and draft 2: JSON-RPC lines of an agent, and of its client if there.

Chunks of text and thoughts are deltas; the input of a tool comes whole, for most agents once the tool runs.
"""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.adapters.wire_values import JsonObject, content_text, mapping, mappings, text
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnOutcome,
    UnseenTrigger,
)
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen
from ttsr_ls.session.output.partial_json import JsonValue

_CHUNKS = {"agent_message_chunk": Source.TEXT, "agent_thought_chunk": Source.THINKING}
_MOST_CALLS = 1_000
_OVER = frozenset({"completed", "failed"})
_KINDS = {"edit": "edit", "execute": "bash", "read": "read", "search": "grep", "fetch": "fetch", "delete": "delete"}
_SILENT = frozenset(
    {
        "available_commands_update", "config_option_update", "current_mode_update", "plan", "plan_removed",
        "plan_update", "session_info_update", "usage_update", "user_message_chunk", "user_message", "notice",
    }
)  # fmt: skip


class AcpAdapter(LineAdapter):
    """Reads one session."""

    def __init__(self, cwd: PurePath | None = None) -> None:
        super().__init__(cwd)
        self._prompt: object = None
        """The id of the request that the client prompts with, where its lines are there."""
        self._has_ids = False
        """Chunks name the message that they belong to."""
        self._part: tuple[Source, str] | None = None
        self._tool_by_call: dict[str, str] = {}

    def message(self, message: JsonObject) -> list[AgentEvent]:
        method, params = text(message, "method"), mapping(message, "params")
        match method:
            case "session/update":
                return self._update(mapping(params, "update"))
            case "session/prompt":
                self._prompt = message.get("id")
                return self.prompted(content_text(params, "prompt"))
            case "session/request_permission":
                return self._tool_call(mapping(params, "toolCall"))
            case "session/new" | "session/load" | "session/resume":
                return self.session(text(params, "sessionId"), text(params, "cwd"))
            case "":
                return self._response(message)
            case _:
                return []  # Requests and notifications beside the model's output: files, terminals, permissions.

    def _response(self, message: JsonObject) -> list[AgentEvent]:
        result = mapping(message, "result")
        if text(result, "stopReason"):
            return self.close_turn(_outcome(text(result, "stopReason")))
        if "error" in message and self._prompt is not None and message.get("id") == self._prompt:
            return self.close_turn(TurnFailed(text(mapping(message, "error"), "message")))
        return [] if "result" in message or "error" in message else self.unknown("a message without a method")

    def _update(self, update: JsonObject) -> list[AgentEvent]:
        kind = text(update, "sessionUpdate")
        if kind in _CHUNKS:
            # A chunk that no message claims is the agent's own notice, as Codex's warnings.
            if "messageId" not in update and self._has_ids:
                return []
            self._has_ids = self._has_ids or "messageId" in update
            return self._chunk(_CHUNKS[kind], text(update, "messageId"), text(mapping(update, "content"), "text"))
        match kind:
            case "tool_call" | "tool_call_update":
                return self._tool_call(update)
            case "agent_message":  # Draft 2: the whole message, or that it is taken back.
                return []
            case "state_update" if text(update, "state") == "idle":
                return self.close_turn(TurnCompleted())
            case "state_update":
                return self.open_turn(UnseenTrigger())
            case _:
                return [] if kind in _SILENT else self.unknown(kind)

    def _chunk(self, source: Source, message: str, more: str) -> list[AgentEvent]:
        events, answer = self.in_answer()
        key = (source, message)
        if not answer.is_open(key):
            events += answer.end_part(self._part)
            self._part = key
        return [*events, *answer.prose(key, source, more)]

    def _tool_call(self, update: JsonObject) -> list[AgentEvent]:
        call, arguments = text(update, "toolCallId"), _arguments(update)
        events: list[AgentEvent] = []
        name = text(update, "name") or text(mapping(mapping(update, "_meta"), "claudeCode"), "toolName")
        tool = name or self._tool_by_call.get(call) or _KINDS.get(text(update, "kind"), "")
        if tool and len(self._tool_by_call) < _MOST_CALLS:
            self._tool_by_call[call] = tool
        if tool and arguments and self.sees_first(f"call:{call}"):
            events, answer = self.in_answer()
            events += answer.end_part(self._part)
            events += answer.whole_call(tool, call, arguments)
        status = text(update, "status")
        if status in _OVER and self.sees_first(f"result:{call}"):
            self._tool_by_call.pop(call, None)
            shown = [text(mapping(item, "content"), "text") for item in mappings(update, "content")]
            result = "\n".join(filter(None, shown))
            # What follows the result of a tool is an answer of its own.
            events += self.end_answer()
            events.append(
                ToolResultSeen(MAIN_AGENT, call, CallRefused(result) if status == "failed" else CallDone(result))
            )
        return events


def _arguments(update: JsonObject) -> dict[str, JsonValue]:
    """The input of a tool: as the agent gave it, or the file and the text of a diff, or a command by its title."""
    raw = mapping(update, "rawInput")
    if raw:
        return raw
    for item in mappings(update, "content"):
        if text(item, "type") == "diff":
            return {"path": text(item, "path"), "new_string": text(item, "newText")}
    if text(update, "kind") == "execute" and text(update, "title"):
        return {"command": text(update, "title")}
    return {}


def _outcome(reason: str) -> TurnOutcome:
    return TurnCancelled("cancelled") if reason == "cancelled" else TurnCompleted()
