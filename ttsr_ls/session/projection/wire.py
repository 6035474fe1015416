"""The common base of all providers' wires: a growing list of messages, and cheap copies of it."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Protocol, Self

from ttsr_ls.session.projection.conversation import Item


class Wire(Protocol):
    """A conversation in a provider's format, built item by item. Only the last message ever changes."""

    messages: list[dict[str, Any]]

    def branch(self) -> Self:
        """Returns a copy that can be extended and finished without changing this one, which must not change
        meanwhile.
        """

    def add(self, item: Item) -> None:
        """Adds an item of the conversation."""

    def finish(self) -> None:
        """Makes the messages ready to be sent. Nothing can be added afterwards."""


def branch_messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns a copy that shares all messages but the last, which may be extended."""
    branch = messages.copy()
    if branch:
        last = dict(branch[-1])
        for key in ("content", "parts"):
            if isinstance(last.get(key), list):
                last[key] = list(last[key])
        branch[-1] = last
    return branch


class SeenIds:
    """The ids that occurred so far."""

    __slots__ = ("_before", "_seen")

    def __init__(self, before: Container[str] = ()) -> None:
        self._before = before
        self._seen: set[str] = set()

    def branch(self) -> SeenIds:
        """Returns an object that continues this one without changing it; this one must not change meanwhile."""
        assert not self._before, "a branch cannot be branched: it would lose the ids from before it"
        return SeenIds(self._seen)

    def is_first(self, identity: str) -> bool:
        """Returns whether the id did not occur before."""
        if identity in self._seen or identity in self._before:
            return False
        self._seen.add(identity)
        return True
