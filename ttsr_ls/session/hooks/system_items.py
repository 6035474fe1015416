"""The append handle (spec Y2): the only way in which a feature may add to a request.

The host creates one for each request and appends only items that this handle created, each at most once.
"""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection

MAX_LENGTH = 64 * 1024
"""The most characters of an item."""


class SystemItem:
    """Text that a feature appends to a request. The host rejects items that the handle of the request did not make."""

    __slots__ = ("_injection",)

    def __init__(self, injection: PendingInjection) -> None:
        self._injection = injection


class SystemItems:
    """Creates the items that a hook may add to one model request."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: list[SystemItem] = []

    def reminder(self, text: str, rules: tuple[str, ...] = ()) -> SystemItem:
        """Returns a reminder of known facts, or of these rules. Raises UsageError beyond `MAX_LENGTH`."""
        return self._make(PendingInjection(InjectionKind.REMINDER, Role.USER, text, rules))

    def interruption(self, text: str, rules: tuple[str, ...], role: Role = Role.USER) -> SystemItem:
        """Returns the reason why an earlier answer was interrupted because of these rules, if their injection was not
        possible at once.
        """
        return self._make(PendingInjection(InjectionKind.INTERRUPT, role, text, rules))

    def note(self, text: str) -> SystemItem:
        """Returns any other information for the model."""
        return self._make(PendingInjection(InjectionKind.NOTE, Role.USER, text))

    def _make(self, injection: PendingInjection) -> SystemItem:
        if len(injection.text) > MAX_LENGTH:
            raise UsageError(f"a system item has at most {MAX_LENGTH} characters")
        item = SystemItem(injection)
        self._made.append(item)
        return item


def injections_by(handle: SystemItems, items: Iterable[SystemItem]) -> tuple[PendingInjection, ...]:
    """Returns the injections of items. For the host only. Raises UsageError for an item that this handle did not
    create, or a duplicate.
    """
    unused = {id(item): item for item in handle._made}
    injections = []
    for item in items:
        if unused.pop(id(item), None) is not item:
            raise UsageError("a system item can be appended once, to the request whose handle made it")
        injections.append(item._injection)
    return tuple(injections)
