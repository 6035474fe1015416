"""Several streams as the one text that a buffer for all of them holds (spec L2)."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamEvent


class SnapshotDeltas:
    """Turns snapshots into the deltas that they stand for: in a text of several streams there is nothing to replace."""

    __slots__ = ("_snapshots",)

    def __init__(self) -> None:
        self._snapshots: dict[str, str] = {}

    def joined(self, key: str, event: StreamEvent) -> StreamEvent:
        """The event to be fed for one of the stream `key`. What a snapshot has more than the last one is the delta."""
        match event:
            case Snapshot():
                before = self._snapshots.get(key, "")
                self._snapshots[key] = event.text
                return Delta(event.context, event.text[len(before) :] if event.text.startswith(before) else event.text)
            case Delta() | BlockEnd():
                return event
        assert_never(event)

    def reset(self) -> None:
        """Forget everything."""
        self._snapshots.clear()
