"""Finds the new part of a whole message: draft 2 sends messages in chunks, as a whole, or in both ways."""

from __future__ import annotations

from hashlib import blake2b

from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.stream import Source

_MAX_MESSAGES = 1_000

MessageKey = tuple[Source, str]
"""The stream of a message, and its id."""


class MessageTexts:
    """The text read so far of each message. Keeps its digest and length, and not the text."""

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read: dict[MessageKey, tuple[blake2b, int]] = {}

    def append(self, key: MessageKey, text: str) -> None:
        """Adds a chunk of a message."""
        digest, size = self._read.get(key) or (blake2b(), 0)
        digest.update(_encoded(text))
        put_bounded(self._read, key, (digest, size + len(text)), _MAX_MESSAGES)

    def replace(self, key: MessageKey, full_text: str) -> tuple[str, bool]:
        """Sets the whole text of a message. Returns its new part, and whether it continues the text read before."""
        digest, size = self._read.get(key) or (blake2b(), 0)
        if len(full_text) >= size and blake2b(_encoded(full_text[:size])).digest() == digest.digest():
            self.append(key, full_text[size:])
            return full_text[size:], True
        self._read.pop(key, None)
        self.append(key, full_text)
        return full_text, False


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
