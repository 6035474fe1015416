"""pi and oh-my-pi (spec W13): their JSON and RPC modes, which share the events of an answer.

pi 0.x and oh-my-pi's RPC repeat the whole message in each update; pi 1.5 and oh-my-pi's JSON mode send the delta alone.
Only the delta is read. oh-my-pi's RPC protocol 2 splits long lines into chunks; a client can ask for the events of
subagents. Saved sessions contain whole messages; nothing in them marks the end of a turn.
"""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.adapters.pi_frames import ChunkedFrame
from ttsr_ls.bridge.adapters.pi_subagents import subagent_name
from ttsr_ls.bridge.wire.fields import (
    expect_object,
    expect_objects,
    expect_text,
    get_content_text,
    get_integer,
    get_kind,
    get_object,
    get_objects,
    get_text,
)
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.bridge.wire.usage import counted_usage
from ttsr_ls.put_bounded import put_bounded
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
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AgentEvent, SubagentSeen, ToolResultSeen

_PROSE = {"text": Source.TEXT, "thinking": Source.THINKING}
_USAGE_KEYS = {"prompt": "input", "output": "output", "read": "cacheRead", "written": "cacheWrite"}
_NO_OUTPUT = frozenset({"image", "redactedThinking"})
"""The kinds of blocks that have no text or call to match."""
_OTHER_ROLES = frozenset(
    {
        "bashExecution", "branchSummary", "compactionSummary", "custom", "developer", "fileMention", "hookMessage",
        "pythonExecution", "system", "toolResult", "user",
    }
)  # fmt: skip
_ENDED = frozenset({"aborted", "completed", "failed"})
"""How a subagent ends."""
_SILENT = frozenset(
    {
        "advisor_cost_changed", "advisor_yielded", "agent_settled", "agent_start", "auto_compaction_end",
        "auto_compaction_start", "auto_retry_end", "auto_retry_start", "available_commands_update",
        "bash_execution_update", "branch_summary", "compaction", "compaction_end", "compaction_start",
        "config_warnings_changed", "context_edit", "credential_pin", "custom", "custom_message", "entry_appended",
        "extension_error", "extension_ui_request", "goal_updated", "host_tool_call", "host_tool_cancel",
        "host_uri_cancel", "host_uri_request", "irc_message", "label", "mode_change", "model_change",
        "model_changed", "model_usage", "notice", "prompt_result", "queue_update", "ready", "reset_boundary",
        "response", "retry_fallback_applied", "retry_fallback_succeeded", "service_tier_change", "session_info",
        "session_info_changed", "session_init", "session_settled", "subagent_progress",
        "summarization_retry_attempt_start", "summarization_retry_finished", "summarization_retry_scheduled",
        "thinking_level_change", "thinking_level_changed", "title", "title_change", "todo_auto_clear",
        "todo_reminder", "tool_execution_start", "tool_execution_update", "tool_stream_update", "ttsr_injection",
        "ttsr_triggered", "turn_end", "turn_start", "usage",
    }
)  # fmt: skip
"""Messages without output of the model, or that repeat it."""


class PiAdapter(LineAdapter):
    """Reads one session of pi or of oh-my-pi."""

    _outcome: TurnOutcome | None = None
    _is_kept = False
    """The input is a saved session, and no stream."""

    def __init__(self, cwd: PurePath | None = None, limits: AdapterLimits = ADAPTER_LIMITS) -> None:
        super().__init__(cwd, limits)
        self._frame = ChunkedFrame(limits.line)
        self._subagents: dict[str, None] = {}
        """The names of the running subagents. Of too many, the oldest count as ended."""
        self._ends_with_subagents = False
        """The agent ended its work of the turn, while subagents go on in the background."""

    def finish(self) -> list[AgentEvent]:
        is_incomplete = self._frame.is_incomplete
        return [*(self.report_damage("the end of its frame is missing") if is_incomplete else []), *super().finish()]

    def outcome_at_end(self) -> TurnOutcome:
        return self._take_outcome() if self._is_kept or self._ends_with_subagents else super().outcome_at_end()

    def outcome_at_next_prompt(self) -> TurnOutcome:
        return self._take_outcome() if self._ends_with_subagents else super().outcome_at_next_prompt()

    def close_turn(self, outcome: TurnOutcome, usage: Usage | None = None) -> list[AgentEvent]:
        self._ends_with_subagents = False
        return super().close_turn(outcome, usage)

    def _take_outcome(self) -> TurnOutcome:
        outcome, self._outcome = self._outcome or TurnCompleted(), None
        return outcome

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        kind = get_kind(message)
        match kind:
            case "subagent_event":
                return self._subagent_event(expect_object(message, "payload"))
            case "subagent_lifecycle":
                return self._subagent_lifecycle(expect_object(message, "payload"))
            case "session":
                return self.identify_session(get_text(message, "id"), get_text(message, "cwd"))
            case "agent_start":
                self._ends_with_subagents = False
                return []
            case "agent_end":
                return [] if message.get("willRetry") is True else self._main_agent_ended()
            case "message":
                return self._kept_message(expect_object(message, "message"))
            case "rpc_chunk":
                return self._chunk(message)
            case _:
                return self._agent_event(MAIN_AGENT, kind, message)

    def _agent_event(self, agent: str, kind: str, message: JsonObject) -> list[AgentEvent]:
        """Returns the events of a message that the main agent and its subagents send alike."""
        match kind:
            case "message_update":
                event = expect_object(message, "assistantMessageEvent")
                return self._update(agent, event, get_object(message, "message"))
            case "message_start":
                return self._message_start(agent, expect_object(message, "message"))
            case "message_end":
                return self._message_end(agent, expect_object(message, "message"))
            case "tool_execution_end":
                return [ToolResultSeen(agent, get_text(message, "toolCallId"), _state(message))]
            case _ if kind in _SILENT:
                return []
            case _:
                return self.report_unknown_kind(kind)

    def _main_agent_ended(self) -> list[AgentEvent]:
        # Subagents in the background are work of the same turn, unless the user stopped it.
        if self._subagents and not isinstance(self._outcome, TurnCancelled):
            self._ends_with_subagents = True
            return self.end_answer()
        return self.close_turn(self._take_outcome())

    def _subagent_event(self, payload: JsonObject) -> list[AgentEvent]:
        agent, event = subagent_name(expect_text(payload, "id")), expect_object(payload, "event")
        kind = get_kind(event)
        if kind == "agent_end":
            return self.end_answer(agent)
        return self._agent_event(agent, kind, event)

    def _subagent_lifecycle(self, payload: JsonObject) -> list[AgentEvent]:
        agent, status = subagent_name(expect_text(payload, "id")), expect_text(payload, "status")
        if status == "started":
            put_bounded(self._subagents, agent, None, self._limits.agents)
            return [SubagentSeen(agent, get_text(payload, "agent") or "task")]
        if status not in _ENDED:
            note_unknown_kind("status", status)
            return []
        self._subagents.pop(agent, None)
        events = self.end_answer(agent, complete=status == "completed")
        if self._ends_with_subagents and not self._subagents:
            events += self.close_turn(self._take_outcome())
        return events

    def _chunk(self, message: JsonObject) -> list[AgentEvent]:
        frame = self._frame.add(message)
        if frame is None:
            return []
        return self.report_damage(frame) if isinstance(frame, str) else self.events_of_line(frame)

    def _message_start(self, agent: str, message: JsonObject) -> list[AgentEvent]:
        match expect_text(message, "role"):
            case "user" if agent == MAIN_AGENT and self.answer_of() is None:
                return self.start_prompted_turn(get_content_text(message, "content"))
            case "assistant":
                return [] if _never_began(message) else self.start_answer(agent, get_text(message, "model"))
            case _:
                return []

    def _kept_message(self, message: JsonObject) -> list[AgentEvent]:
        self._is_kept = True
        match expect_text(message, "role"):
            case "user":
                return [
                    *self.close_turn(self._take_outcome()),
                    *self.start_prompted_turn(get_content_text(message, "content")),
                ]
            case "toolResult":
                result = get_content_text(message, "content")
                state = CallRefused(result) if message.get("isError") is True else CallDone(result)
                return [ToolResultSeen(MAIN_AGENT, get_text(message, "toolCallId"), state)]
            case _:
                return self._message_end(MAIN_AGENT, message)

    def _message_end(self, agent: str, message: JsonObject) -> list[AgentEvent]:
        role = expect_text(message, "role")
        if role != "assistant":
            if role not in _OTHER_ROLES:
                note_unknown_kind("role", role)
            return []
        events: list[AgentEvent] = []
        if self.answer_of(agent) is None and not _never_began(
            message
        ):  # The start of the answer was lost; this message repeats it as a whole.
            events = self._read_whole_answer(agent, message)
        reason = get_text(message, "stopReason")
        if agent == MAIN_AGENT:
            self._outcome = _outcome(reason, message)
        complete = reason not in ("aborted", "error")
        usage = counted_usage(get_object(message, "usage"), **_USAGE_KEYS)
        return [*events, *self.end_answer(agent, complete=complete, usage=usage)]

    def _read_whole_answer(self, agent: str, message: JsonObject) -> list[AgentEvent]:
        events = self.start_answer(agent, get_text(message, "model"))
        _, answer = self.ensure_answer(agent)
        for block in expect_objects(message, "content"):
            kind = expect_text(block, "type")
            if kind in _PROSE:
                events += answer.add_complete_prose(_PROSE[kind], expect_text(block, kind))
            elif kind == "toolCall":
                events += answer.add_complete_call(
                    expect_text(block, "name"), get_text(block, "id"), get_object(block, "arguments")
                )
            elif kind not in _NO_OUTPUT:
                note_unknown_kind("block", kind)
        return events

    def _update(self, agent: str, event: JsonObject, repeated: JsonObject) -> list[AgentEvent]:
        index = get_integer(event, "contentIndex")
        kind, _, subject = get_text(event, "type").rpartition("_")
        events, answer = self.ensure_answer(agent)
        if kind in _PROSE:
            match subject:
                case "delta":
                    return [*events, *answer.add_prose(index, _PROSE[kind], expect_text(event, "delta"))]
                case "end":
                    return [*events, *answer.end_part(index)]
                case _:
                    return events
        if kind == "toolcall":
            return [*events, *_tool_call(answer, index, subject, event, repeated)]
        if kind == "" and subject in ("start", "done", "error"):
            return events
        return [*events, *self.report_unknown_kind(f"message_update {get_text(event, 'type')}")]


def _never_began(message: JsonObject) -> bool:
    """Returns whether a message stands for an answer that was aborted before the model was asked (oh-my-pi)."""
    return message.get("content") == [] and get_text(message, "stopReason") == "aborted"


def _tool_call(answer: AnswerParts, index: int, kind: str, event: JsonObject, repeated: JsonObject) -> list[AgentEvent]:
    match kind:
        case "start":
            tool, call = _started_call(index, event, repeated)
            return answer.start_call(index, tool, call) if tool else []
        case "delta":
            return answer.add_arguments(index, expect_text(event, "delta"))
        case "end":
            whole = get_object(event, "toolCall")
            if answer.is_open(index):
                return answer.end_call(index, get_object(whole, "arguments"))
            # The start of the call did not name the tool, so the call is read here as a whole.
            return answer.add_complete_call(
                get_text(whole, "name"), get_text(whole, "id"), get_object(whole, "arguments")
            )
        case _:
            return []


def _outcome(reason: str, message: JsonObject) -> TurnOutcome | None:
    """Returns how a turn ends if an answer with this `stopReason` is its last; None: completed."""
    if reason == "aborted":
        return TurnCancelled("aborted")
    return TurnFailed(get_text(message, "errorMessage") or "the model's provider failed") if reason == "error" else None


def _started_call(index: int, event: JsonObject, repeated: JsonObject) -> tuple[str, str]:
    """The tool and the id of a call that starts. Before pi 1.5 only the repeated message contains them."""
    if tool := get_text(event, "toolName"):
        return tool, get_text(event, "id")
    blocks = get_objects(repeated or get_object(event, "partial"), "content")
    block = blocks[index] if 0 <= index < len(blocks) else {}
    return get_text(block, "name"), get_text(block, "id")


def _state(message: JsonObject) -> CallDone | CallRefused:
    result = get_content_text(get_object(message, "result"), "content")
    return CallRefused(result) if message.get("isError") is True else CallDone(result)
