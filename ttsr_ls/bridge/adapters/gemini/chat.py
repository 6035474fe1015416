"""The chats that Gemini CLI saves (`~/.gemini/tmp/*/chats/session-*.jsonl`).

Each line is a message, an extended repetition of the last message (a later line has the calls of an answer, and their
results), or a change of the whole chat. There are no deltas.
"""

from __future__ import annotations

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.wire.fields import get_kind, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.usage import inclusive_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import MAIN_AGENT, CallDone, CallRefused, TurnCompleted, TurnOutcome, Usage
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen

_USAGE_KEYS = {"prompt": "input", "output": "output", "read": "cached", "thinking": "thoughts"}
_NOTES = frozenset({"info", "warning", "error"})
_CONTEXT = "<session_context>"
"""The start of the message that Gemini CLI itself sends before the first prompt."""


class GeminiChatAdapter(LineAdapter):
    """Translates one chat file of Gemini CLI into agent events."""

    _message = ""
    """The id of the open answer."""
    _text_so_far = ""
    """The text of the open answer."""
    _usage: Usage | None = None

    def outcome_at_end(self) -> TurnOutcome:
        return TurnCompleted()

    def outcome_at_next_prompt(self) -> TurnOutcome:
        return TurnCompleted()

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        if "$set" in message or "$rewindTo" in message:
            return []  # Repeats or removes earlier messages.
        if "projectHash" in message:
            identified = self.identify_session(get_text(message, "sessionId"), "")
            before = get_objects(message, "messages")
            return [*identified, *(event for each in before for event in self._message_events(each))]
        return self._message_events(message)

    def _message_events(self, message: JsonObject) -> list[AgentEvent]:
        kind = get_kind(message)
        match kind:
            case "user":
                return self._prompted(message)
            case "gemini":
                return self._answered(message)
            case _:
                return [] if kind in _NOTES else self.report_unknown_kind(kind)

    def _prompted(self, message: JsonObject) -> list[AgentEvent]:
        text = _text(message)
        if not text or text.startswith(_CONTEXT) or not self.is_first_occurrence(get_text(message, "id")):
            return []  # For example a tool result.
        return self.start_prompted_turn(text)

    def _answered(self, message: JsonObject) -> list[AgentEvent]:
        identity = get_text(message, "id")
        events: list[AgentEvent] = []
        if identity != self._message:
            if not self.is_first_occurrence(identity):
                return []
            events += self.start_answer(model=get_text(message, "model"))
            self._message = identity
        start_events, answer = self.ensure_answer()
        events += start_events
        for number, thought in enumerate(get_objects(message, "thoughts")):
            if self.is_first_occurrence(f"{identity} thought {number}"):
                parts = (get_text(thought, "subject"), get_text(thought, "description"))
                events += answer.add_complete_prose(Source.THINKING, ": ".join(filter(None, parts)))
        text = _text(message)
        if text != self._text_so_far:
            more = text.removeprefix(self._text_so_far)
            self._text_so_far = text
            events += answer.add_prose(Source.TEXT, Source.TEXT, more)
        calls = get_objects(message, "toolCalls")
        if calls:
            events += answer.end_part(Source.TEXT)
        results: list[AgentEvent] = []
        for call in calls:
            name = get_text(call, "id")
            if self.is_first_occurrence(f"{identity} call {name}"):
                events += answer.add_complete_call(get_text(call, "name"), name, get_object(call, "args"))
            if call.get("result") is not None and self.is_first_occurrence(f"{identity} result {name}"):
                results.append(ToolResultSeen(MAIN_AGENT, name, _state(call)))
        self._usage = inclusive_usage(get_object(message, "tokens"), **_USAGE_KEYS) or self._usage
        return [*events, *results]

    def end_answer(
        self, agent: str = MAIN_AGENT, complete: bool = True, usage: Usage | None = None
    ) -> list[AgentEvent]:
        counted, self._usage = self._usage, None
        self._message = self._text_so_far = ""
        return super().end_answer(agent, complete, usage or counted)


def _text(message: JsonObject) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(get_text(part, "text") for part in get_objects(message, "content"))


def _state(call: JsonObject) -> CallDone | CallRefused:
    responses = (get_object(get_object(part, "functionResponse"), "response") for part in get_objects(call, "result"))
    result = "\n".join(get_text(each, "output") or get_text(each, "error") for each in responses)
    return CallDone(result) if get_text(call, "status") == "success" else CallRefused(result)
