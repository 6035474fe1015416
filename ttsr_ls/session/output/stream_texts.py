"""The texts of the streams that are under way, kept so that a trigger can be shown where it is."""

from __future__ import annotations

from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamEvent


class StreamTexts:
    """The text of each stream of one agent, by the stream's key. Adding is cheap; reading joins."""

    __slots__ = ("_pieces",)

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}

    def add(self, key: str, event: StreamEvent) -> None:
        """What happened on a stream."""
        match event:
            case Delta():
                self._pieces.setdefault(key, []).append(event.text)
            case Snapshot():
                self._pieces[key] = [event.text]
            case BlockEnd():
                pass

    def text(self, key: str) -> str:
        """The text of a stream so far, with the halves of a character that came apart joined."""
        pieces = self._pieces.get(key, [])
        whole = "".join(pieces)
        if not whole.isascii():
            whole = whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if len(pieces) > 1:
            self._pieces[key] = [whole]
        return whole

    def end(self, key: str) -> None:
        """Nothing more comes on a stream."""
        self._pieces.pop(key, None)

    def clear(self) -> None:
        """All streams start anew."""
        self._pieces.clear()
