"""The conversation of a request as a flat list of parts, and edits of it by position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from ttsr_ls.bridge.proxy.ledger.identity import Identity, content_digest


class ConversationItem(Struct, frozen=True):
    """A part of the conversation. `is_model`: the model wrote it. `message` is the index of its message.

    `identity` is None if nothing distinguishes the part from others; `text` is its prose, None if it has none. `call`
    is the id of the call whose result this is, otherwise blank. `digest` covers the content; reasoning, which clients
    drop from older turns, has none.
    """

    is_model: bool
    message: int
    identity: Identity | None
    text: str | None = None
    call: str = ""
    has_failed: bool = False
    digest: Callable[[], str] | None = None


class InsertedReminder(Struct, frozen=True):
    """A text for the model. `as_system`: as a system message, if the API accepts one amid a conversation."""

    text: str
    as_system: bool = False


class InsertedMessages(Struct, frozen=True):
    """Messages in the API's format, a JSON list: an answer whose tool calls the proxy answered, and their results."""

    messages: str


ConversationInsertion = InsertedReminder | InsertedMessages


class ConversationEdits(Struct, frozen=True):
    """Edits of a conversation, by the index of the item.

    `removed` items are left out; `cut` gives the first character of the text that stays. `inserted` texts come before
    the item; `prefixed` texts are put in front of the content of a tool result.
    """

    removed: frozenset[int] = frozenset()
    cut: dict[int, int] = field(default_factory=dict)
    inserted: dict[int, tuple[ConversationInsertion, ...]] = field(default_factory=dict)
    prefixed: dict[int, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """True if there are no edits."""
        return not (self.removed or self.cut or self.inserted or self.prefixed)


class Conversation(Struct, frozen=True):
    """The parsed conversation. `prompt` is the user's latest prompt; None if the request continues a turn.

    `is_notice`: the client itself wrote the prompt, which belongs to the turn that is open.
    """

    items: tuple[ConversationItem, ...]
    model: str
    has_tools: bool
    prompt: str | None
    fields: dict[str, Any]
    is_notice: bool = False

    @property
    def root(self) -> str:
        """A digest of the first message, by which a conversation is known; blank where it has none."""
        first = next((item.digest for item in self.items if item.digest is not None), None)
        return "" if first is None else content_digest(first())[:8]
