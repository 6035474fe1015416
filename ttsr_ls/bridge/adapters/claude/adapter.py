"""Claude Code's `--output-format stream-json` (spec W1), with and without `--include-partial-messages`.

Knows the meaning of lines, the agent of each line, and where turns start and end. Unreadable lines, and unknown kinds
of lines and of events of an answer, are reported and skipped.
"""

from __future__ import annotations

from collections import deque
from pathlib import PurePath

from ttsr_ls.bridge.adapters.claude.answer import ClaudeAnswer
from ttsr_ls.bridge.adapters.claude.lines import parse_delta_line
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.bridge.adapters.line_adapter import LineReader
from ttsr_ls.bridge.wire.anthropic import STREAM_EVENTS
from ttsr_ls.bridge.wire.fields import (
    expect_object,
    expect_objects,
    expect_text,
    get_content_text,
    get_kind,
    get_object,
    get_text,
)
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.malformed import note_recurring, note_unknown_kind
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnOutcome,
    TurnTrigger,
    UnseenTrigger,
)
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen

_REMEMBERED_MESSAGES = 256
SYNTHETIC_MODEL = "<synthetic>"
"""The model of messages that Claude Code itself wrote."""
_INTERRUPTED = "[Request interrupted by user"
_USER_BLOCKS = frozenset({"document", "image", "search_result", "text", "tool_reference", "tool_result"})
_OUTPUT = frozenset({"content_block_start", "content_block_delta"})
_NO_ANSWER = "the answer that it belongs to did not begin, or has ended"
_SILENT = frozenset(
    {
        "auth_status", "command_lifecycle", "control_cancel_request", "control_request", "control_request_progress",
        "control_response", "conversation_reset", "keep_alive", "prompt_suggestion", "rate_limit_event", "system",
        "tool_progress", "tool_use_summary", "transcript_mirror", "update_environment_variables",
    }
)  # fmt: skip
"""The kinds of lines that do not concern turns or answers."""


class ClaudeAdapter(LineReader[ClaudeAnswer]):
    """Converts the lines of one session to agent events."""

    def __init__(self, cwd: PurePath | None = None, limits: AdapterLimits = ADAPTER_LIMITS) -> None:
        super().__init__(cwd, limits)
        self._streamed: deque[str] = deque(maxlen=_REMEMBERED_MESSAGES)
        """The ids of answers that streamed, so that their whole blocks are repetitions."""
        self._is_turn_due = False
        """True between the line `init` of a turn and the turn's first event."""

    def new_answer(self, agent: str) -> ClaudeAnswer:
        return ClaudeAnswer(agent, self._cwd, self._limits.answer)

    def events_of_line(self, line: bytes) -> list[AgentEvent]:
        delta = parse_delta_line(line)
        if delta is None:
            return super().events_of_line(line)
        answer = self._answers.get(delta.parent_tool_use_id or MAIN_AGENT)
        if answer is None:
            note_recurring(_NO_ANSWER)
            return []
        return answer.delta(delta.event.index, delta.event.delta)

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        agent = get_text(message, "parent_tool_use_id") or MAIN_AGENT
        kind = get_kind(message)
        match kind:
            case "stream_event":
                return self._stream_event(agent, expect_object(message, "event"))
            case "assistant":
                return self._assistant(agent, expect_object(message, "message"))
            case "user":
                return self._user(agent, message)
            case "result":
                return self._result(_outcome(message))
            case "system" if expect_text(message, "subtype") == "init":
                self._is_turn_due = not self.is_in_turn
                return self.identify_session(get_text(message, "session_id"), get_text(message, "cwd"))
            case _ if kind in _SILENT:
                return []
            case _:
                return self.other_line(kind, message)

    def other_line(self, kind: str, message: JsonObject) -> list[AgentEvent]:
        """Reports a line of an unknown kind, whose `message` is the whole line."""
        return self.report_unknown_kind(kind)

    def open_turn(self, trigger: TurnTrigger) -> list[AgentEvent]:
        self._is_turn_due = False
        return super().open_turn(trigger)

    def _result(self, outcome: TurnOutcome) -> list[AgentEvent]:
        # A turn without an answer has no other line than `init` and `result`: the user is not logged in, or the prompt
        # is a command of Claude Code. The result must end it, or `run` waits for the end of the turn.
        opened = self.open_turn(UnseenTrigger()) if self._is_turn_due else []
        return [*opened, *self.close_turn(outcome)]

    def _stream_event(self, agent: str, event: JsonObject) -> list[AgentEvent]:
        kind = get_kind(event)
        if kind not in STREAM_EVENTS:
            return self.report_unknown_kind(f"stream_event: {kind}")
        match kind:
            case "message_start":
                message = get_object(event, "message")
                if get_text(message, "id"):
                    self._streamed.append(get_text(message, "id"))
                events, answer = self._start(agent, get_text(message, "id"), get_text(message, "model"))
                return events + answer.event(event)
            case _:
                current = self._answers.get(agent)
                if current is None and kind in _OUTPUT:
                    note_recurring(_NO_ANSWER)
                events = [] if current is None else current.event(event)
                return events + self.end_answer(agent) if kind in ("message_stop", "error") else events

    def _assistant(self, agent: str, message: JsonObject) -> list[AgentEvent]:
        identity, model = get_text(message, "id"), get_text(message, "model")
        streaming = self._answers.get(agent)
        if identity in self._streamed and streaming is not None and streaming.message == identity:
            return streaming.repeat_blocks(message)
        if identity in self._streamed or model == SYNTHETIC_MODEL:
            return []
        events: list[AgentEvent] = []
        answer = streaming
        if answer is None or not identity or answer.message != identity:
            events, answer = self._start(agent, identity, model)
        return events + answer.add_complete_blocks(message)

    def _user(self, agent: str, message: JsonObject) -> list[AgentEvent]:
        content = expect_object(message, "message")
        blocks = [] if isinstance(content.get("content"), str) else expect_objects(content, "content")
        for block in blocks:
            if (kind := expect_text(block, "type")) not in _USER_BLOCKS:
                note_unknown_kind("block", kind)
        results = [block for block in blocks if get_text(block, "type") == "tool_result"]
        if results:
            return [ToolResultSeen(agent, get_text(block, "tool_use_id"), _state(block)) for block in results]
        prompt = get_content_text(content, "content")
        if agent != MAIN_AGENT or message.get("isSynthetic") is True or not prompt:
            return []
        if prompt.startswith(_INTERRUPTED):
            return self.close_turn(TurnCancelled("interrupted"))
        return self.start_prompted_turn(prompt)

    def _start(self, agent: str, identity: str, model: str) -> tuple[list[AgentEvent], ClaudeAnswer]:
        events = self.start_answer(agent, model)
        answer = self._answers[agent]
        answer.message = identity
        return events, answer


def _state(block: JsonObject) -> CallDone | CallRefused:
    result = get_content_text(block, "content")
    return CallRefused(result) if block.get("is_error") is True else CallDone(result)


def _outcome(message: JsonObject) -> TurnOutcome:
    reason = get_text(message, "terminal_reason")
    if reason.startswith("aborted"):
        return TurnCancelled(reason)
    if message.get("is_error") is True or get_text(message, "subtype") not in ("", "success"):
        return TurnFailed(get_text(message, "result") or get_text(message, "subtype"))
    return TurnCompleted()
