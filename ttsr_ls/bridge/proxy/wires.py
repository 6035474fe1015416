"""The wires that the proxy understands: which request is of which, and what reads and edits it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ttsr_ls.bridge.proxy.requests.anthropic_request import AnthropicRequest
from ttsr_ls.bridge.proxy.requests.request_editor import RequestEditor
from ttsr_ls.bridge.proxy.streams.anthropic_stream import AnthropicStream
from ttsr_ls.bridge.proxy.streams.stream_editor import StreamEditor
from ttsr_ls.bridge.proxy.streams.whole_answer import WholeAnswer, anthropic_events, anthropic_parts
from ttsr_ls.session.output.wire_events import Api


class ProxyWire(Struct, frozen=True):
    """One API. `can_keep`: a client sends the parts of an answer back one by one, so that some may stay before a
    reminder. `runs_unclosed_calls`: clients run a call before anything says that it is complete."""

    api: Api
    requests: RequestEditor
    make_stream: Callable[[], StreamEditor]
    whole: WholeAnswer
    can_keep: bool
    runs_unclosed_calls: bool


ANTHROPIC = ProxyWire(
    Api.ANTHROPIC,
    AnthropicRequest(),
    AnthropicStream,
    WholeAnswer(anthropic_events, anthropic_parts),
    can_keep=True,
    runs_unclosed_calls=False,
)


def wire_of(method: str, path: str) -> ProxyWire | None:
    """The wire of a request to a model; None for any other request."""
    if method != "POST":
        return None
    if path.endswith("/messages"):
        return ANTHROPIC
    return None
