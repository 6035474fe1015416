"""Reads the session logs of this program: the complete output of models, from the steps of turns."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.adapters.wire_values import JsonObject, mapping, mappings, parse_object, text
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TurnCompleted, TurnOutcome, UnseenTrigger
from ttsr_ls.session.output.agent_events import AgentEvent

_PROSE = {"Text": Source.TEXT, "Thinking": Source.THINKING}


class SessionLogAdapter(LineAdapter):
    """Reads one log. Results of tools are not read: rules do not look at them."""

    def outcome_at_end(self) -> TurnOutcome:
        return TurnCompleted()

    def message(self, message: JsonObject) -> list[AgentEvent]:
        if "ttsr-log" in message:
            return self.session(text(message, "session"), text(message, "workspace"))
        event = mapping(message, "event")
        match text(event, "kind"):
            case "TurnStarted":
                trigger = mapping(event, "trigger")
                said = text(trigger, "text")
                return self.prompted(said) if text(trigger, "kind") == "UserInput" else self.open_turn(UnseenTrigger())
            case "StepAppended":
                return self._step(mapping(event, "content"))
            case "TurnEnded":
                return self.close_turn(TurnCompleted())
            case "":
                return self.unknown("a line without an event")
            case _:
                return []

    def _step(self, step: JsonObject) -> list[AgentEvent]:
        if text(step, "kind") != "ModelCall":
            return []
        agent = text(step, "agent") or MAIN_AGENT
        events = self.start_answer(agent, text(step, "model"))
        _, answer = self.in_answer(agent)
        for part in mappings(step, "output"):
            kind = text(part, "kind")
            if kind in _PROSE:
                events += answer.whole_prose(_PROSE[kind], text(part, "text"))
            elif kind == "ToolCall":
                arguments = parse_object(text(part, "arguments").encode("utf-8", "surrogatepass"))
                known = {} if isinstance(arguments, str) else arguments
                events += answer.whole_call(text(part, "tool"), text(part, "id"), known)
        return [*events, *self.end_answer(agent, complete=step.get("complete") is True)]
