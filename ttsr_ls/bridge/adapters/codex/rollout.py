"""Codex's rollout of a session (`~/.codex/sessions/…/rollout-*.jsonl`), which interactive sessions write too."""

from __future__ import annotations

import json
from pathlib import PurePath

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.codex.items import USAGE_KEYS, CodexCall
from ttsr_ls.bridge.adapters.codex.patch import canonical_calls
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.wire.codex_names import tool_name_in
from ttsr_ls.bridge.wire.fields import (
    expect_object,
    expect_objects,
    expect_text,
    get_kind,
    get_object,
    get_objects,
    get_text,
)
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_text
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.bridge.wire.usage import inclusive_usage
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnOutcome,
)
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen
from ttsr_ls.session.output.partial_json import JsonValue

_MAX_PATCHES = 256
"""The most patches without a result that are remembered."""
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_INPUT_ROLES = frozenset({"developer", "system", "tool", "user"})
_NO_OUTPUT = frozenset(
    {
        "additional_tools", "agent_message", "compaction", "compaction_summary", "compaction_trigger",
        "configuration_update", "context_compaction", "ghost_snapshot", "image_generation_call", "other",
        "tool_search_call", "tool_search_output",
    }
)  # fmt: skip
"""The kinds of items that have no text or call of the model to match."""
_SILENT = frozenset(
    {
        "compacted",
        "dynamic_tools_updated",
        "ghost_snapshot",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "security_risk_score",
        "world_state",
    }
)


class CodexRolloutAdapter(LineAdapter):
    """Translates the lines of one rollout, which is Codex's record of a session, into agent events."""

    def __init__(self, cwd: PurePath | None = None, limits: AdapterLimits = ADAPTER_LIMITS) -> None:
        super().__init__(cwd, limits)
        self._prompt = ""
        self._has_answer = False
        """True if the model has answered the last prompt."""
        self._further_ids: dict[str, tuple[str, ...]] = {}
        """The ids of the second and later files of each patch without a result, by the id of its call."""

    def ensure_answer(self, agent: str = MAIN_AGENT) -> tuple[list[AgentEvent], AnswerParts]:
        self._has_answer = True
        return super().ensure_answer(agent)

    def outcome_at_end(self) -> TurnOutcome:
        return TurnCompleted()

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        kind, payload = get_kind(message), get_object(message, "payload")
        match kind:
            case "session_meta":
                return self.identify_session(get_text(payload, "id"), get_text(payload, "cwd"))
            case "turn_context":
                return []
            case "response_item":
                return self._item(expect_object(message, "payload"))
            case "event_msg":
                return self._event(expect_object(message, "payload"))
            case "token_usage_record":
                return self._end_answer(get_object(payload, "usage"))
            case "realtime_item":
                return self._realtime_item(get_object(payload, "item") or payload)
            case _:
                return [] if kind in _SILENT else self.report_unknown_kind(kind)

    def _event(self, payload: JsonObject) -> list[AgentEvent]:
        match expect_text(payload, "type"):
            case "user_message":
                return self._start_prompted(get_text(payload, "message"))
            case "item_completed" if get_text(get_object(payload, "item"), "type") == "UserMessage":
                content = get_objects(get_object(payload, "item"), "content")
                return self._start_prompted("\n".join(get_text(part, "text") for part in content if "text" in part))
            case "token_count":
                return self._end_answer(get_object(get_object(payload, "info"), "last_token_usage"))
            case "task_started" | "turn_started" | "task_complete" | "turn_complete":
                return self.close_turn(TurnCompleted())  # The prompt, or else the first answer, opens the next one.
            case "turn_aborted":
                return self.close_turn(TurnCancelled(get_text(payload, "reason") or "interrupted"))
            case "error":
                return self.close_turn(TurnFailed(get_text(payload, "message")))
            case _:
                return []  # The other events repeat the items.

    def _start_prompted(self, text: str) -> list[AgentEvent]:
        """Starts the turn of a prompt. Some versions record a prompt twice, as an item and as an event."""
        if text == self._prompt and self.is_in_turn and not self._has_answer:
            return []
        self._prompt, self._has_answer = text, False
        return [*self.close_turn(TurnCompleted()), *self.start_prompted_turn(text)]

    def _end_answer(self, usage: JsonObject) -> list[AgentEvent]:
        """Ends the answer with the reported usage. A blank report does not end it."""
        return self.end_answer(usage=inclusive_usage(usage, **USAGE_KEYS)) if usage else []

    def _item(self, item: JsonObject) -> list[AgentEvent]:
        kind = expect_text(item, "type")
        if kind in _CALLS:
            return self._call(kind, item)
        if kind in _RESULTS:
            result = item.get("output")
            text = result if isinstance(result, str) else json.dumps(result)
            call, state = get_text(item, "call_id"), CallDone(text)
            identities = (call, *self._further_ids.pop(call, ()))
            return [*self.end_answer(), *(ToolResultSeen(MAIN_AGENT, identity, state) for identity in identities)]
        match kind:
            case "message" if expect_text(item, "role") == "assistant":
                text = "".join(_text_of_part(part) for part in expect_objects(item, "content"))
                return self._prose(Source.TEXT, text)
            case "reasoning":
                parts = get_objects(item, "summary") or get_objects(item, "content")
                return self._prose(Source.THINKING, "\n\n".join(get_text(part, "text") for part in parts))
            case "web_search_call":
                query = get_text(get_object(item, "action"), "query")
                return self._complete_calls([CodexCall("web_search", get_text(item, "id"), {"query": query})])
            case "message":
                if get_text(item, "role") not in _INPUT_ROLES:
                    note_unknown_kind("role", get_text(item, "role"))
                return []
            case _:
                if kind not in _NO_OUTPUT:
                    note_unknown_kind("item", kind)
                return []

    def _realtime_item(self, item: JsonObject) -> list[AgentEvent]:
        """Handles an item of a spoken conversation, whose text is in the transcripts of its parts."""
        kind = get_kind(item)
        if kind in _CALLS or kind in _RESULTS:
            return self._item(item)
        if kind != "message":
            return self.report_unknown_kind(f"realtime_item: {kind}")
        text = "".join(get_text(part, "text") or get_text(part, "transcript") for part in get_objects(item, "content"))
        match get_text(item, "role"):
            case "assistant":
                return self._prose(Source.TEXT, text)
            case "user":
                return self._start_prompted(text)
            case _:
                return []

    def _prose(self, source: Source, text: str) -> list[AgentEvent]:
        if not text:
            return []
        events, answer = self.ensure_answer()
        return [*events, *answer.add_complete_prose(source, text)]

    def _call(self, kind: str, item: JsonObject) -> list[AgentEvent]:
        tool = tool_name_in(get_text(item, "namespace"), get_text(item, "name"))
        call = get_text(item, "call_id") or get_text(item, "id")
        arguments: dict[str, JsonValue]
        if kind == "custom_tool_call":
            arguments = {"input": get_text(item, "input")}
        elif kind == "local_shell_call":
            tool, command = "bash", get_object(item, "action").get("command")
            arguments = {"command": " ".join(map(str, command)) if isinstance(command, list) else ""}
        else:
            arguments = parse_text(get_text(item, "arguments")) or {}
        calls = canonical_calls(tool, call, arguments)
        if len(calls) > 1:
            put_bounded(self._further_ids, call, tuple(each.call for each in calls[1:]), _MAX_PATCHES)
        return self._complete_calls(calls)

    def _complete_calls(self, calls: list[CodexCall]) -> list[AgentEvent]:
        events, answer = self.ensure_answer()
        for each in calls:
            events += answer.add_complete_call(each.tool, each.call, each.arguments)
        return events


def _text_of_part(part: JsonObject) -> str:
    return expect_text(part, "text") if expect_text(part, "type") == "output_text" else get_text(part, "text")
