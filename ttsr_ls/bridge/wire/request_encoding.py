"""Encodes a session's messages and tools for requests in each provider's format."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from ttsr_ls.errors import UsageError
from ttsr_ls.session.hooks.feature_tools import FeatureTool
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.anthropic import AnthropicWire
from ttsr_ls.session.projection.gemini import GeminiWire
from ttsr_ls.session.projection.message_list import copy_value
from ttsr_ls.session.projection.openai_chat import ChatWire
from ttsr_ls.session.projection.openai_responses import ResponsesWire
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.wire import Wire


def api_named(name: Api | str) -> Api:
    """Returns the API with this name. Raises UsageError if there is none."""
    try:
        return Api(name)
    except ValueError:
        raise UsageError(f"there is no API {name!r}; write one of {', '.join(Api)}") from None


def wire_of(api: Api, system_messages: SystemMessages | None = None) -> Wire:
    """Returns an empty conversation in an API's format. `system_messages` None: as all models of the API accept."""
    accepted = _accepted_by_all_models(api) if system_messages is None else system_messages
    match api:
        case Api.ANTHROPIC:
            return AnthropicWire(system_messages=accepted)
        case Api.OPENAI_CHAT:
            return ChatWire(system_messages=accepted)
        case Api.OPENAI_RESPONSES:
            return ResponsesWire(system_messages=accepted)
        case Api.GEMINI:
            return GeminiWire()
    assert_never(api)


def _accepted_by_all_models(api: Api) -> SystemMessages:
    """Returns ACCEPTED if all models of an API accept system messages within a conversation, else REFUSED."""
    match api:
        case Api.ANTHROPIC | Api.GEMINI:
            return SystemMessages.REFUSED
        case Api.OPENAI_CHAT | Api.OPENAI_RESPONSES:
            return SystemMessages.ACCEPTED
    assert_never(api)


def encode_tools(api: Api, tools: Iterable[FeatureTool]) -> list[dict[str, Any]]:
    """Encodes the tools for a request."""
    return [_offer(api, tool) for tool in tools]


def _offer(api: Api, tool: FeatureTool) -> dict[str, Any]:
    schema = copy_value(dict(tool.schema))  # A copy, because the host may change it.
    match api:
        case Api.ANTHROPIC:
            return {"name": tool.name, "description": tool.description, "input_schema": schema}
        case Api.OPENAI_CHAT:
            function = {"name": tool.name, "description": tool.description, "parameters": schema}
            return {"type": "function", "function": function}
        case Api.OPENAI_RESPONSES:
            return {"type": "function", "name": tool.name, "description": tool.description, "parameters": schema}
        case Api.GEMINI:
            # Not `parameters`, whose dialect of JSON Schema lacks much of it.
            return {"name": tool.name, "description": tool.description, "parametersJsonSchema": schema}
    assert_never(api)
