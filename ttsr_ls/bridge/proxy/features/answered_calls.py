"""Formats tool calls that the proxy answered in place of the client, for the model."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ttsr_ls.bridge.proxy.features.questions import CallAnswered
from ttsr_ls.bridge.wire.request_encoding import wire_of
from ttsr_ls.session.history.turn import ModelCall, ToolBatch
from ttsr_ls.session.history.turn_events import CallRefused, Output, ToolCall, ToolItem
from ttsr_ls.session.lifecycle.templates import feature_message
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.build import ConversationBuilder
from ttsr_ls.session.projection.visible import Exchange

_MAX_INPUT_LENGTH = 2000


def answered_messages(api: Api, output: Iterable[Output], answers: Iterable[CallAnswered]) -> str:
    """Returns a JSON list of messages in the API's format: the answer with its answered calls, and their results."""
    by_call = {answer.call.id: answer for answer in answers}
    kept = tuple(part for part in output if not isinstance(part, ToolCall) or part.id in by_call)
    items = tuple(
        ToolItem(answer.call.id, answer.call.tool, answer.state, answer.reminders) for answer in by_call.values()
    )
    builder = ConversationBuilder()
    builder.add(Exchange(ModelCall("", "", kept, True), ToolBatch("", items)))
    wire = wire_of(api)
    for item in builder.items:
        wire.add(item)
    return json.dumps(wire.messages, separators=(",", ":"))


def answered_text(answers: Iterable[CallAnswered]) -> str:
    """Returns the text for the model about answered calls in an answer that also has calls of the client."""
    return "\n\n".join(feature_message(answer.feature, _answer_text(answer)) for answer in answers)


def _answer_text(answer: CallAnswered) -> str:
    call, state = answer.call, answer.state
    arguments = call.arguments if len(call.arguments) <= _MAX_INPUT_LENGTH else f"{call.arguments[:_MAX_INPUT_LENGTH]}…"
    outcome = "failed" if isinstance(state, CallRefused) else "succeeded"
    lines = [f"Your call of {call.tool} with the input {arguments} {outcome}:", *answer.reminders, state.result]
    return "\n".join(lines)
