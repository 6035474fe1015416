"""Selects the part of an agent's output to display: prose as it streams, and complete tool calls."""

from __future__ import annotations

from ttsr_ls.bridge.control.views import CallFailedShown, CallShown, ProseShown, RunView
from ttsr_ls.bridge.wire.fields import get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object
from ttsr_ls.rules.stream import Delta, Source
from ttsr_ls.session.history.turn_events import MAIN_AGENT, CallRefused, ToolCall
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, BlockFinished, ToolResultSeen
from ttsr_ls.session.output.partial_json import PartialObject

_SUBJECTS = ("file_path", "filePath", "path", "command", "cmd", "pattern", "query", "url")


def views_of(event: AgentEvent) -> list[RunView]:
    """The views of an event of an agent."""
    match event:
        case AgentDelta(agent=agent, event=Delta() as delta) if agent == MAIN_AGENT:
            source = delta.context.source
            return [] if source is Source.TOOL else [ProseShown(source, delta.text)]
        case BlockFinished(output=ToolCall() as call):
            return [_shown_call(call)]
        case ToolResultSeen(state=CallRefused() as state):
            return [CallFailedShown(state.result)]
        case _:
            return []


def _shown_call(call: ToolCall) -> CallShown:
    arguments = parse_object(call.arguments.encode(errors="surrogatepass"))
    if not isinstance(arguments, str):
        return CallShown(call.tool, _subject(arguments))
    part = PartialObject()
    part.feed(call.arguments)
    return CallShown(call.tool, _subject(part.value), is_incomplete=True)


def _subject(arguments: JsonObject) -> str:
    return next((get_text(arguments, key) for key in _SUBJECTS if get_text(arguments, key)), "")
