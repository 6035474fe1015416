"""Reads the session logs of this program: the complete output of models, from the steps of turns."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.wire.fields import get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_text
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TurnCompleted, TurnOutcome, UnseenTrigger
from ttsr_ls.session.output.agent_events import AgentEvent

_PROSE = {"Text": Source.TEXT, "Thinking": Source.THINKING}


class SessionLogAdapter(LineAdapter):
    """Reads one log. Results of tools are not read: rules are not matched on them."""

    def outcome_at_end(self) -> TurnOutcome:
        return TurnCompleted()

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        if "ttsr-log" in message:
            return self.identify_session(get_text(message, "session"), get_text(message, "workspace"))
        event = get_object(message, "event")
        match get_text(event, "kind"):
            case "TurnStarted":
                trigger = get_object(event, "trigger")
                prompt = get_text(trigger, "text")
                return (
                    self.start_prompted_turn(prompt)
                    if get_text(trigger, "kind") == "UserInput"
                    else self.open_turn(UnseenTrigger())
                )
            case "StepAppended":
                return self._step(get_object(event, "content"))
            case "AgentSessionIdentified":
                return self.identify_session(get_text(event, "session"), "")
            case "TurnEnded":
                return self.close_turn(TurnCompleted())
            case "":
                return self.report_unknown_kind("a line without an event")
            case _:
                return []

    def _step(self, step: JsonObject) -> list[AgentEvent]:
        if get_text(step, "kind") != "ModelCall":
            return []
        agent = get_text(step, "agent") or MAIN_AGENT
        events = self.start_answer(agent, get_text(step, "model"))
        _, answer = self.ensure_answer(agent)
        for part in get_objects(step, "output"):
            kind = get_text(part, "kind")
            if kind in _PROSE:
                events += answer.add_complete_prose(_PROSE[kind], get_text(part, "text"))
            elif kind == "ToolCall":
                arguments = parse_text(get_text(part, "arguments")) or {}
                events += answer.add_complete_call(get_text(part, "tool"), get_text(part, "id"), arguments)
        return [*events, *self.end_answer(agent, complete=step.get("complete") is True)]
