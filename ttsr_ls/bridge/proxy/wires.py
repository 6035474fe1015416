"""The APIs that the proxy understands: how their requests are recognised, read, and edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.proxy.requests.anthropic_request import AnthropicRequest
from ttsr_ls.bridge.proxy.requests.chat_request import ChatRequest
from ttsr_ls.bridge.proxy.requests.gemini_request import GeminiRequest
from ttsr_ls.bridge.proxy.requests.request_editor import RequestEditor
from ttsr_ls.bridge.proxy.requests.responses_request import ResponsesRequest
from ttsr_ls.bridge.proxy.streams import non_streaming_answer
from ttsr_ls.bridge.proxy.streams.anthropic_stream import AnthropicStream
from ttsr_ls.bridge.proxy.streams.chat_stream import ChatStream
from ttsr_ls.bridge.proxy.streams.gemini_stream import GeminiStream
from ttsr_ls.bridge.proxy.streams.non_streaming_answer import NonStreamingAnswer
from ttsr_ls.bridge.proxy.streams.responses_stream import ResponsesStream
from ttsr_ls.bridge.proxy.streams.stream_editor import StreamEditor
from ttsr_ls.session.output.wire_events import Api


class ProxyWire(Struct, frozen=True):
    """One API. `make_stream` gets the fields of the request.

    `can_keep`: clients send each part of an answer back separately, so that kept parts can precede a reminder.
    `runs_unclosed_calls`: clients run tool calls that no event marked as complete. `has_call_ids`: the result of a call
    has the id of the call.
    """

    api: Api
    requests: RequestEditor
    make_stream: Callable[[dict[str, Any]], StreamEditor]
    whole: NonStreamingAnswer
    can_keep: bool
    runs_unclosed_calls: bool
    has_call_ids: bool = True


ANTHROPIC = ProxyWire(
    Api.ANTHROPIC,
    AnthropicRequest(),
    lambda _: AnthropicStream(),
    NonStreamingAnswer(non_streaming_answer.anthropic_events, non_streaming_answer.anthropic_parts),
    can_keep=True,
    runs_unclosed_calls=False,
)
RESPONSES = ProxyWire(
    Api.OPENAI_RESPONSES,
    ResponsesRequest(),
    lambda fields: ResponsesStream(is_stored=fields.get("store") is not False),
    NonStreamingAnswer(non_streaming_answer.responses_events, non_streaming_answer.responses_parts),
    can_keep=True,
    runs_unclosed_calls=False,
)
CHAT = ProxyWire(
    Api.OPENAI_CHAT,
    ChatRequest(),
    lambda _: ChatStream(),
    NonStreamingAnswer(non_streaming_answer.chat_events, non_streaming_answer.chat_parts),
    can_keep=False,
    runs_unclosed_calls=True,
)
GEMINI = ProxyWire(
    Api.GEMINI,
    GeminiRequest(),
    lambda _: GeminiStream(),
    NonStreamingAnswer(non_streaming_answer.gemini_events, non_streaming_answer.gemini_parts),
    can_keep=False,
    runs_unclosed_calls=False,
    has_call_ids=False,
)
_BY_END = (
    ("/messages", ANTHROPIC),
    ("/responses", RESPONSES),
    ("/chat/completions", CHAT),
    (":streamGenerateContent", GEMINI),
    (":generateContent", GEMINI),
)


def wire_of(method: str, path: str) -> ProxyWire | None:
    """The wire of a request to a model; None for any other request."""
    if method != "POST":
        return None
    return next((wire for end, wire in _BY_END if path.endswith(end)), None)
