"""The JSON value of a frame's event."""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame
from ttsr_ls.bridge.proxy.streams.stream_editor import EventUnreadable


def json_event(frame: SseFrame) -> Any:
    """The object of an event, None where the frame has no event. Raises EventUnreadable."""
    if frame.is_oversized:
        raise EventUnreadable("an event is longer than any that is read")
    if frame.data is None:
        return None
    try:
        value = json.loads(frame.data)
    except (ValueError, RecursionError) as error:
        raise EventUnreadable(f"an event is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise EventUnreadable("an event is no JSON object")
    return value if "type" in value or not frame.name else {"type": frame.name, **value}
