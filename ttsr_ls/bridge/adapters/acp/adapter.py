"""The Agent Client Protocol (spec W15, W17), version 1 and draft 2: JSON-RPC lines of an agent, and of its client if
there.

Chunks of text and thoughts are deltas; the input of a tool comes whole, for most agents once the tool runs. In version
1, the response to a prompt ends a turn; in draft 2, the agent says when it is idle.
"""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.acp.calls import (
    CallInput,
    OpenCall,
    call_inputs_of,
    call_inputs_of_diff,
    permission_subject,
    text_of_block,
    tool_name_of,
    tool_of_call,
)
from ttsr_ls.bridge.adapters.acp.message_texts import MessageKey, MessageTexts
from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.wire.fields import (
    expect_object,
    expect_text,
    get_content_text,
    get_kind,
    get_object,
    get_objects,
    get_text,
)
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_objects
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallAbandoned,
    CallDone,
    CallRefused,
    ToolState,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnOutcome,
    UnseenTrigger,
)
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen

_CHUNKS = {"agent_message_chunk": Source.TEXT, "agent_thought_chunk": Source.THINKING}
_WHOLE_MESSAGES = {"agent_message": Source.TEXT, "agent_thought": Source.THINKING}
_MAX_CALLS = 1_000
_MAX_INPUTS = 1_000
_METHODS_WITHOUT_OUTPUT = (
    "$/", "_", "auth", "document/", "elicitation/", "fs/", "initialize", "logout", "mcp/", "nes/", "providers/",
    "session/", "terminal/",
)  # fmt: skip
_FINAL_STATUSES = frozenset({"completed", "failed", "cancelled"})
_UPDATES_WITHOUT_OUTPUT = frozenset(
    {
        "available_commands_update", "compaction_summary_chunk", "compaction_update", "config_option_update",
        "current_mode_update", "notice", "plan", "plan_removed", "plan_update", "session_info_update",
        "terminal_output_chunk", "usage_update", "user_message_chunk",
    }
)  # fmt: skip


class AcpAdapter(LineAdapter):
    """Converts the protocol lines of one session to agent events."""

    def __init__(self, cwd: PurePath | None = None) -> None:
        super().__init__(cwd)
        self._prompt: object = None
        """The id of the client's last prompt request, if the input contains the client's lines."""
        self._has_ids = False
        """True if chunks name the message to which they belong."""
        self._part: MessageKey | None = None
        self._texts = MessageTexts()
        self._calls: dict[str, OpenCall] = {}
        self._call_of_terminal: dict[str, str] = {}
        self._is_running = False
        """Draft 2: the agent reported that it is running."""
        self._is_prompted = False
        """A prompt of the client was read; draft 2 repeats it as a message of the user."""

    def events_of_line(self, line: bytes) -> list[AgentEvent]:
        if not line.lstrip().startswith(b"["):
            return super().events_of_line(line)
        batch = parse_objects(line)
        return (
            self.report_damage(batch)
            if isinstance(batch, str)
            else [event for item in batch for event in self.events_of_message(item)]
        )

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        method, params = get_text(message, "method"), get_object(message, "params")
        match method:
            case "session/update":
                return self._update(expect_object(params, "update"))
            case "session/prompt":
                self._prompt = message.get("id")
                if self._is_running:
                    return []  # Draft 2: the user message marks the position of the prompt within the answer.
                self._is_prompted = True
                return self.start_prompted_turn(get_content_text(params, "prompt"))
            case "session/request_permission":
                return self._tool_call(permission_subject(params))
            case "session/new" | "session/load" | "session/resume":
                return self.identify_session(get_text(params, "sessionId"), get_text(params, "cwd"))
            case "":
                return self._response(message)
            case _:
                # Requests and notifications beside the model's output: files, terminals, forms.
                return [] if method.startswith(_METHODS_WITHOUT_OUTPUT) else self.report_unknown_kind(method)

    def _response(self, message: JsonObject) -> list[AgentEvent]:
        result = get_object(message, "result")
        if get_text(result, "stopReason"):
            # A prompt whose answer is empty has no other line, and `run` and `acp` wait for the end of its turn.
            opened = self.open_turn(UnseenTrigger())
            return [*opened, *self.close_turn(_outcome(get_text(result, "stopReason")))]
        if "error" in message and self._prompt is not None and message.get("id") == self._prompt:
            return self.close_turn(TurnFailed(get_text(get_object(message, "error"), "message")))
        return (
            [] if "result" in message or "error" in message else self.report_unknown_kind("a message without a method")
        )

    def _update(self, update: JsonObject) -> list[AgentEvent]:
        kind = get_kind(update, "sessionUpdate")
        if kind in _CHUNKS:
            # If chunks name their message, a chunk that does not is the agent's own notice, such as Codex's warnings.
            if "messageId" not in update and self._has_ids:
                return []
            self._has_ids = self._has_ids or "messageId" in update
            return self._chunk(_CHUNKS[kind], get_text(update, "messageId"), text_of_block(update, "content"))
        match kind:
            case "tool_call" | "tool_call_update":
                return self._tool_call(update)
            case "agent_message" | "agent_thought":
                return self._whole_message((_WHOLE_MESSAGES[kind], get_text(update, "messageId")), update)
            case "user_message":
                return self._user_message(update)
            case "state_update":
                return self._state(update)
            case "tool_call_content_chunk":
                call_id = expect_text(update, "toolCallId")
                return self._inputs(
                    call_id, self._call(call_id), list(call_inputs_of_diff(expect_object(update, "content")))
                )
            case "terminal_update":
                return self._terminal(update)
            case _:
                return [] if kind in _UPDATES_WITHOUT_OUTPUT else self.report_unknown_kind(kind)

    def _chunk(self, source: Source, message: str, text: str) -> list[AgentEvent]:
        key = (source, message)
        if message:
            self._texts.append(key, text)
        return self._prose(key, text)

    def _prose(self, key: MessageKey, text: str) -> list[AgentEvent]:
        events, answer = self.ensure_answer()
        if not answer.is_open(key):
            events += answer.end_part(self._part)
            self._part = key
        return [*events, *answer.add_prose(key, key[0], text)]

    def _whole_message(self, key: MessageKey, update: JsonObject) -> list[AgentEvent]:
        """Draft 2: handles a message as a whole. Without content, only its other fields change."""
        if "content" not in update:
            return []
        full_text = "".join(get_text(block, "text") for block in get_objects(update, "content"))
        new, continues = self._texts.replace(key, full_text)
        answer = self.answer_of()
        events = [] if continues or answer is None else answer.end_part(key)
        return [*events, *self._prose(key, new)] if new else events

    def _user_message(self, update: JsonObject) -> list[AgentEvent]:
        """Draft 2: handles a message of the user at its position in the history."""
        if not self.is_first_occurrence(f"user:{get_text(update, 'messageId')}"):
            return []
        if self._is_prompted:
            self._is_prompted = False
            return []
        if self._is_running:
            return self.end_answer()
        # A replayed history contains no state updates, so a user message ends the turn before it.
        return [*self.close_turn(TurnCompleted()), *self.start_prompted_turn(get_content_text(update, "content"))]

    def _state(self, update: JsonObject) -> list[AgentEvent]:
        """Draft 2: the agent starts to work, waits for the user, or is done."""
        match get_text(update, "state"):
            case "running":
                self._is_running = True
                return self.open_turn(UnseenTrigger())
            case "idle" if self._is_prompted and not self._is_running and self.answer_of() is None:
                return []  # Sent before the agent started to work on the prompt.
            case "idle":
                self._is_running = self._is_prompted = False
                return self.close_turn(_outcome(get_text(update, "stopReason")))
            case "requires_action":
                return []
            case other:
                return self.report_unknown_kind(f"state {other}")

    def _call(self, call_id: str) -> OpenCall:
        call = self._calls.get(call_id)
        if call is None:
            call = OpenCall()
            put_bounded(self._calls, call_id, call, _MAX_CALLS)
        return call

    def _tool_call(self, update: JsonObject) -> list[AgentEvent]:
        call_id = expect_text(update, "toolCallId")
        call = self._call(call_id)
        if not call.tool or tool_name_of(update):
            call.tool = tool_of_call(update) or call.tool
        call.has_input |= isinstance(update.get("rawInput"), dict)
        for item in get_objects(update, "content"):
            if get_text(item, "type") == "terminal":
                put_bounded(self._call_of_terminal, get_text(item, "terminalId"), call_id, _MAX_CALLS)
        events = self._inputs(call_id, call, call_inputs_of(update))
        status = get_text(update, "status")
        if status in _FINAL_STATUSES:
            if call.has_input and not call.digests:
                events += self._inputs(call_id, call, [CallInput("", "", {})])
            self._calls.pop(call_id, None)
            if self.is_first_occurrence(f"result:{call_id}"):
                texts = [get_text(get_object(item, "content"), "text") for item in get_objects(update, "content")]
                events += self._end_call(call_id, call, _result(status, "\n".join(filter(None, texts))))
        elif status not in ("pending", "in_progress"):
            note_unknown_kind("status", status)
        return events

    def _end_call(self, call_id: str, call: OpenCall, result: ToolState) -> list[AgentEvent]:
        # Output after the result of a tool belongs to another answer.
        events = self.end_answer()
        parts = range(max(1, len(call.digests)))
        return [*events, *(ToolResultSeen(MAIN_AGENT, _part_id(call_id, number), result) for number in parts)]

    def _inputs(self, call_id: str, call: OpenCall, inputs: list[CallInput]) -> list[AgentEvent]:
        """Adds inputs of a call. An input that replaces an earlier one is matched again; the log keeps the first."""
        events: list[AgentEvent] = []
        for each in inputs:
            tool = each.tool_of(call.tool)
            if not tool or (each.path and "" in call.digests) or self._is_known(call_id, call, each):
                continue
            start_events, answer = self.ensure_answer()
            events += [*start_events, *answer.end_part(self._part)]
            number = list(call.digests).index(each.path) if each.path in call.digests else len(call.digests)
            send = answer.match_revised_call if each.path in call.digests else answer.add_complete_call
            if len(call.digests) < _MAX_INPUTS:
                call.digests[each.path] = each.digest()
            events += send(tool, _part_id(call_id, number), each.arguments)
        return events

    def _is_known(self, call_id: str, call: OpenCall, call_input: CallInput) -> bool:
        if call.digests.get(call_input.path) == call_input.digest():
            return True
        # A call may be repeated after its result, as a whole or in part.
        return not call.digests and not self.is_first_occurrence(f"call:{call_id}")

    def _terminal(self, update: JsonObject) -> list[AgentEvent]:
        """Draft 2: handles a command in a terminal of the agent. If it belongs to a call with input, that is used."""
        terminal = get_text(update, "terminalId")
        call_id = self._call_of_terminal.get(terminal, terminal)
        call = self._call(call_id)
        events: list[AgentEvent] = []
        if get_text(update, "command") and not call.digests:
            events = self._inputs(call_id, call, [CallInput("bash", "", {"command": get_text(update, "command")})])
        if get_object(update, "exitStatus") and call_id == terminal and self._calls.pop(terminal, call).digests:
            events += self._end_call(call_id, call, CallDone(""))
        return events


def _part_id(call_id: str, number: int) -> str:
    """Returns the id for a file of a call: the first file has the id of the call."""
    return call_id if not number else f"{call_id}#{number}"


def _result(status: str, text: str) -> ToolState:
    match status:
        case "failed":
            return CallRefused(text)
        case "cancelled":
            return CallAbandoned("the agent cancelled the call")
        case _:
            return CallDone(text)


def _outcome(reason: str) -> TurnOutcome:
    return TurnCancelled("cancelled") if reason == "cancelled" else TurnCompleted()
