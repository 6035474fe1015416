"""The part of a response's item that was sent to the client."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ttsr_ls.bridge.wire.fields import get_field, get_integer, get_text

_PARTS = {"output_text": "text", "refusal": "refusal"}
"""For each type of message part: the field with its text."""


class SentItem:
    """An unfinished item of a response. `item` has the form in which a request contains it."""

    __slots__ = ("_deltas", "_item", "_parts", "is_open")

    def __init__(self, item: dict[str, Any]) -> None:
        self._item = item
        self._parts: dict[int, dict[str, Any]] = {}
        self._deltas: dict[int, list[str]] = {}
        self.is_open = True

    @property
    def item(self) -> dict[str, Any]:
        """The item with the content that was sent so far."""
        if not self.is_open or get_text(self._item, "type") != "message":
            return self._item
        return {
            **self._item,
            "status": "completed",
            "content": [self._part(position) for position in sorted(self._parts)],
        }

    def add_event(self, event: Any) -> None:
        """Adds an event of the item."""
        position = get_integer(event, "content_index")
        match get_text(event, "type"):
            case "response.output_item.done":
                done = get_field(event, "item")
                self._item = done if isinstance(done, dict) else self._item
                self.is_open = False
            case "response.content_part.added":
                part = get_field(event, "part")
                self._parts[position] = part if isinstance(part, dict) else {}
            case "response.output_text.delta" | "response.refusal.delta":
                kind = get_text(event, "type").split(".")[1]
                self._parts.setdefault(position, {"type": kind, "annotations": []})
                self._deltas.setdefault(position, []).append(get_text(event, "delta"))
            case _:
                pass

    def close(self) -> Iterator[dict[str, Any]]:
        """Returns the events that end the item; none if it is not open."""
        if not self.is_open:
            return
        identity = get_text(self._item, "id")
        for position in sorted(self._parts):
            part = self._part(position)
            kind = get_text(part, "type")
            key = _PARTS.get(kind)
            fields = {"item_id": identity, "content_index": position}
            if key is not None:
                yield {"type": f"response.{kind}.done", **fields, key: part[key]}
            yield {"type": "response.content_part.done", **fields, "part": part}
        self._item = {**self.item, "status": "completed"}
        self.is_open = False
        yield {"type": "response.output_item.done", "item": self._item}

    def _part(self, position: int) -> dict[str, Any]:
        part = self._parts[position]
        key = _PARTS.get(get_text(part, "type"))
        return part if key is None else {**part, key: "".join(self._deltas.get(position, ()))}
