"""A session's side of a wire: what a request carries in each provider's spelling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from ttsr_ls.bridge.hooks.contract import FeatureTool
from ttsr_ls.bridge.wire.events import Api
from ttsr_ls.engine.projection.anthropic import anthropic_messages
from ttsr_ls.engine.projection.build import conversation
from ttsr_ls.engine.projection.openai_chat import chat_messages
from ttsr_ls.engine.projection.openai_responses import responses_input
from ttsr_ls.engine.projection.trimming import Trimming, trimmed
from ttsr_ls.engine.turn import Turn


def messages(api: Api, turns: Iterable[Turn], agent: str, trimming: Trimming | None) -> list[dict[str, Any]]:
    """What the model of `agent` is sent of the history."""
    items = conversation(turns, agent, top=agent)
    if trimming is not None:
        items = trimmed(items, trimming)
    match api:
        case Api.ANTHROPIC:
            return anthropic_messages(items)
        case Api.OPENAI_CHAT:
            return chat_messages(items)
        case Api.OPENAI_RESPONSES:
            return responses_input(items)
    assert_never(api)


def offered(api: Api, tools: Iterable[FeatureTool]) -> list[dict[str, Any]]:
    """The tools as a request offers them."""
    return [_offer(api, tool) for tool in tools]


def _offer(api: Api, tool: FeatureTool) -> dict[str, Any]:
    schema = dict(tool.schema)
    match api:
        case Api.ANTHROPIC:
            return {"name": tool.name, "description": tool.description, "input_schema": schema}
        case Api.OPENAI_CHAT:
            function = {"name": tool.name, "description": tool.description, "parameters": schema}
            return {"type": "function", "function": function}
        case Api.OPENAI_RESPONSES:
            return {"type": "function", "name": tool.name, "description": tool.description, "parameters": schema}
    assert_never(api)
