"""Locates positions of a conversation in later requests: by a digest of all that precedes, or by ids that follow."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from ttsr_ls.bridge.proxy.ledger.identity import Identity, text_identity
from ttsr_ls.bridge.proxy.requests.conversation import Conversation, ConversationItem


class Anchors:
    """The positions in one conversation where an answer begins or is requested."""

    def __init__(self, conversation: Conversation) -> None:
        self._items = conversation.items
        self._by_digest: dict[str, int] = {}
        self._by_identity: dict[str, int] = {}
        digest = hashlib.sha256()
        start = 0
        for index, item in enumerate(self._items):
            if item.is_model and (index == 0 or not self._items[index - 1].is_model):
                start = index
                self._by_digest[digest.hexdigest()[:24]] = index
            if item.is_model and item.identity is not None and item.identity.is_strong:
                self._by_identity[item.identity.key] = start
            if item.digest is not None:
                digest.update(item.digest().encode())
        self.end = digest.hexdigest()[:24]
        """The anchor of the answer that the request asks for."""
        if not self._items or not self._items[-1].is_model:
            self._by_digest[self.end] = len(self._items)

    def index_of(self, anchor: str) -> int | None:
        """Returns the position of an anchor; None if the conversation does not have it."""
        return self._by_digest.get(anchor)

    def find(self, identities: Iterable[Identity]) -> int | None:
        """The beginning of the answer that has one of the parts. Texts may repeat, so only ids and signatures count."""
        indexes = (self._by_identity.get(identity.key) for identity in identities)
        return next((index for index in indexes if index is not None), None)

    def end_of_answer(self, start: int) -> int:
        """The position after the answer that begins at `start`; `start` itself if there is no answer yet."""
        end = start
        while end < len(self._items) and self._items[end].is_model:
            end += 1
        return end

    def after_results(self, start: int) -> int:
        """The position after the tool results that follow an answer; without any, after the message that follows."""
        index, position = start, start
        while index < len(self._items) and not self._items[index].is_model:
            index += 1
            if self._items[index - 1].call:
                position = index
        if position > start:
            return position
        message = self._items[start].message
        while position < len(self._items) and self._items[position].message == message:
            position += 1
        return position

    def end_of_part(self, item: ConversationItem, identity: Identity, character: int) -> int | None:
        """Returns the offset in an item at which a part ends: -1 for the item's end, None if the item does not begin
        with the part."""
        if item.text is None or identity.is_strong:
            same = item.identity is not None and item.identity.key == identity.key
            return -1 if same and character == 0 else None
        rest = item.text[character:]
        if text_identity(rest).key == identity.key:
            return -1
        if len(rest) > identity.length and text_identity(rest[: identity.length]).key == identity.key:
            return character + identity.length
        return None


def continues_with(answer: Sequence[ConversationItem], identities: frozenset[Identity], *, is_complete: bool) -> bool:
    """Returns whether an answer at the anchor of an entry is the one that the entry is about.

    Two conversations may begin alike. If all parts of the recorded answer are known (`is_complete`), an answer with
    none of them is another one; otherwise only an unknown id proves that it is another one.
    """
    if not answer:
        return True
    keys = {identity.key for identity in identities}
    lengths = {identity.length for identity in identities if identity.length}
    if any(_has_part(item, keys, lengths) for item in answer):
        return True
    if is_complete:
        return False
    return not any(item.identity is not None and item.identity.is_strong for item in answer)


def _has_part(item: ConversationItem, keys: set[str], lengths: set[int]) -> bool:
    if item.identity is not None and item.identity.key in keys:
        return True
    if item.text is None:
        return False
    return any(text_identity(item.text[:length]).key in keys for length in lengths if length < len(item.text))
