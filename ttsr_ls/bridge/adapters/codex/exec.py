"""Codex's `exec --json` (spec W12): complete items without deltas. A command appears when it starts to run."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.codex.items import USAGE_KEYS, calls_of_item, state_of_item
from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.wire.fields import expect_object, expect_text, get_kind, get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.usage import inclusive_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TurnCompleted, TurnFailed, TurnOutcome, UnseenTrigger
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen

_PROSE = {"reasoning": Source.THINKING, "agent_message": Source.TEXT}
_NO_OUTPUT = frozenset({"error", "todo_list"})


class CodexExecAdapter(LineAdapter):
    """Converts the lines of one session to agent events."""

    _failure = ""
    """The last error. After some, such as a lost connection, the turn goes on; `turn.failed` repeats one that ends the
    turn."""

    def outcome_at_end(self) -> TurnOutcome:
        return TurnFailed(self._failure) if self._failure else super().outcome_at_end()

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        kind = get_kind(message)
        match kind:
            case "thread.started":
                return self.identify_session(get_text(message, "thread_id"), "")
            case "turn.started":
                return self.open_turn(UnseenTrigger())
            case "item.started" | "item.completed":
                return self._item(expect_object(message, "item"), kind == "item.completed")
            case "turn.completed":
                return self.close_turn(TurnCompleted(), inclusive_usage(get_object(message, "usage"), **USAGE_KEYS))
            case "turn.failed":
                return self.close_turn(TurnFailed(get_text(get_object(message, "error"), "message")))
            case "error":
                self._failure = get_text(message, "message")
                return []
            case "item.updated":  # A list of tasks that changed, or a command's output so far.
                return []
            case _:
                return self.report_unknown_kind(kind)

    def _item(self, item: JsonObject, is_complete: bool) -> list[AgentEvent]:
        kind = get_kind(item)
        if kind in _PROSE:
            if not is_complete:
                return []
            start_events, answer = self.ensure_answer()
            return [*start_events, *answer.add_complete_prose(_PROSE[kind], expect_text(item, "text"))]
        calls = list(calls_of_item(item))
        if not calls:
            return [] if kind in _NO_OUTPUT else self.report_unknown_kind(kind)
        events: list[AgentEvent] = []
        if self.is_first_occurrence(f"{kind}:{get_text(item, 'id')}"):
            events, answer = self.ensure_answer()
            for call in calls:
                events += answer.add_complete_call(call.tool, call.call, call.arguments)
        if is_complete:
            # Output after the result of a tool belongs to another answer.
            events += self.end_answer()
            state = state_of_item(item, "aggregated_output")
            events += [ToolResultSeen(MAIN_AGENT, call.call, state) for call in calls]
        return events
