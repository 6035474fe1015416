"""An answer that comes as one JSON object: the events that a stream of it would have, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.proxy.streams.anthropic_stream import block_identity
from ttsr_ls.bridge.proxy.streams.stream_editor import ShownPart
from ttsr_ls.bridge.wire.fields import field, parts


class WholeAnswer(Struct, frozen=True):
    """Reads the whole answers of one wire."""

    events: Callable[[dict[str, Any]], Iterator[dict[str, Any]]]
    parts: Callable[[dict[str, Any]], list[ShownPart]]


def anthropic_events(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of a message."""
    yield {"type": "message_start", "message": {**answer, "content": []}}
    for index, block in enumerate(parts(answer, "content")):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": field(answer, "stop_reason")}
    yield {"type": "message_delta", "delta": delta, "usage": field(answer, "usage")}
    yield {"type": "message_stop"}


def anthropic_parts(answer: dict[str, Any]) -> list[ShownPart]:
    """The blocks of a message."""
    found = ((block, block_identity(block)) for block in parts(answer, "content"))
    return [ShownPart(identity, block) for block, identity in found if identity is not None]
