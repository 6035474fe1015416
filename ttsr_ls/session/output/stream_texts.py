"""The texts of the open streams, for locating triggers."""

from __future__ import annotations

from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamContext, StreamEvent, stream_key


class StreamTexts:
    """The text of each stream of one agent, by the stream's key. Adding is cheap; reading joins the chunks."""

    __slots__ = ("_chunks", "_context", "_key")

    def __init__(self) -> None:
        self._chunks: dict[str, list[str]] = {}
        self._context: StreamContext | None = None
        self._key = ""

    def key_of(self, context: StreamContext) -> str:
        """Returns the key of a stream. Caches it, because consecutive events usually have the same context object."""
        if context is not self._context:
            self._context, self._key = context, stream_key(context)
        return self._key

    def add(self, event: StreamEvent) -> str:
        """Adds the text of an event to its stream. Returns the stream's key."""
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
        """Returns the text of a stream so far, with split surrogate pairs joined."""
        chunks = self._chunks.get(key, [])
        full_text = "".join(chunks)
        if not full_text.isascii():
            full_text = full_text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if len(chunks) > 1:
            self._chunks[key] = [full_text]
        return full_text

    def end(self, key: str) -> None:
        """Ends a stream."""
        self._chunks.pop(key, None)

    def clear(self) -> None:
        """Resets all streams."""
        self._chunks.clear()
