"""Joins several streams to the one text of a common buffer (spec L2)."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamEvent


class SnapshotDeltas:
    """Converts snapshots to the equivalent deltas: in a common text of several streams nothing can be replaced."""

    __slots__ = ("_snapshots",)

    def __init__(self) -> None:
        self._snapshots: dict[str, str] = {}

    def joined(self, key: str, event: StreamEvent) -> StreamEvent:
        """Returns the event to feed for an event of the stream `key`. The delta of a snapshot is the text that the
        previous snapshot did not have.
        """
        match event:
            case Snapshot():
                before = self._snapshots.get(key, "")
                self._snapshots[key] = event.text
                return Delta(event.context, event.text[len(before) :] if event.text.startswith(before) else event.text)
            case Delta() | BlockEnd():
                return event
        assert_never(event)

    def reset(self) -> None:
        """Forgets all streams."""
        self._snapshots.clear()
