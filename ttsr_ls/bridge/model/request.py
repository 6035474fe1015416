"""Builds requests in the format of each provider. Pure."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec import Struct

from ttsr_ls.bridge.model.endpoint import DEFAULT_MAX_TOKENS, OPENAI_URL, Endpoint
from ttsr_ls.session.output.wire_events import Api

_ANTHROPIC_VERSION = "2023-06-01"


class ModelRequest(Struct, frozen=True):
    """A request to a model. `messages` and `tools` are in the format of its wire; a blank `system` is not sent."""

    messages: tuple[dict[str, Any], ...]
    system: str = ""
    tools: tuple[dict[str, Any], ...] = ()


def request_body(endpoint: Endpoint, request: ModelRequest) -> dict[str, Any]:
    """Returns the JSON body of a request for a streamed answer."""
    messages = list(request.messages)
    if endpoint.api is Api.GEMINI:
        return _gemini_body(endpoint, request)
    fields: dict[str, Any] = {"model": endpoint.model, "stream": True}
    match endpoint.api:
        case Api.ANTHROPIC:
            fields |= {"max_tokens": endpoint.answer_limit or DEFAULT_MAX_TOKENS, "messages": messages}
            if request.system:
                fields["system"] = request.system
        case Api.OPENAI_CHAT:
            system = [{"role": "system", "content": request.system}] if request.system else []
            fields |= {"messages": system + messages, "stream_options": {"include_usage": True}}
            if endpoint.answer_limit is not None:
                # OpenAI's reasoning models refuse the older name; local servers only know that one.
                name = "max_completion_tokens" if endpoint.base_url == OPENAI_URL else "max_tokens"
                fields[name] = endpoint.answer_limit
        case Api.OPENAI_RESPONSES:
            # The provider stores nothing: the log is the history, and encrypted reasoning is sent back.
            fields |= {"input": messages, "store": False, "include": ["reasoning.encrypted_content"]}
            if request.system:
                fields["instructions"] = request.system
            if endpoint.answer_limit is not None:
                fields["max_output_tokens"] = endpoint.answer_limit
        case _:
            assert_never(endpoint.api)
    if request.tools:
        fields["tools"] = list(request.tools)
    return fields


def _gemini_body(endpoint: Endpoint, request: ModelRequest) -> dict[str, Any]:
    """Returns the body of a request; its URL contains the model's name and selects a streamed answer."""
    fields: dict[str, Any] = {"contents": list(request.messages)}
    if request.system:
        fields["systemInstruction"] = {"parts": [{"text": request.system}]}
    if request.tools:
        fields["tools"] = [{"functionDeclarations": list(request.tools)}]
    if endpoint.answer_limit is not None:
        fields["generationConfig"] = {"maxOutputTokens": endpoint.answer_limit}
    return fields


def request_headers(endpoint: Endpoint, key: str | None) -> dict[str, str]:
    """The HTTP headers of a request to a model."""
    sent = {"content-type": "application/json", "accept": "text/event-stream"}
    if endpoint.api is Api.ANTHROPIC:
        sent["anthropic-version"] = _ANTHROPIC_VERSION
        return sent if key is None else {**sent, "x-api-key": key}
    if endpoint.api is Api.GEMINI:
        return sent if key is None else {**sent, "x-goog-api-key": key}
    return sent if key is None else {**sent, "authorization": f"Bearer {key}"}


def user_message(api: Api, text: str) -> dict[str, Any]:
    """A message with the role `user`, for a request to a model."""
    if api is Api.OPENAI_RESPONSES:
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    if api is Api.GEMINI:
        return {"role": "user", "parts": [{"text": text}]}
    return {"role": "user", "content": text}
