"""The texts of the streams that are under way, kept so that a trigger can be shown where it is."""

from __future__ import annotations

from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamContext, StreamEvent, stream_key


class StreamTexts:
    """The text of each stream of one agent, by the stream's key. Adding is cheap; reading joins."""

    __slots__ = ("_chunks", "_context", "_key")

    def __init__(self) -> None:
        self._chunks: dict[str, list[str]] = {}
        self._context: StreamContext | None = None
        self._key = ""

    def key_of(self, context: StreamContext) -> str:
        """The key of a stream: nearly always the context is the same object as in the event before."""
        if context is not self._context:
            self._context, self._key = context, stream_key(context)
        return self._key

    def add(self, event: StreamEvent) -> str:
        """Adds what an event brings to the text of its stream; returns the stream's key."""
        key = self.key_of(event.context)
        match event:
            case Delta():
                self._chunks.setdefault(key, []).append(event.text)
            case Snapshot():
                self._chunks[key] = [event.text]
            case BlockEnd():
                pass
        return key

    def text(self, key: str) -> str:
        """The text of a stream so far, with the halves of a character that came apart joined."""
        chunks = self._chunks.get(key, [])
        whole = "".join(chunks)
        if not whole.isascii():
            whole = whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if len(chunks) > 1:
            self._chunks[key] = [whole]
        return whole

    def end(self, key: str) -> None:
        """Nothing more comes on a stream."""
        self._chunks.pop(key, None)

    def clear(self) -> None:
        """All streams start anew."""
        self._chunks.clear()
