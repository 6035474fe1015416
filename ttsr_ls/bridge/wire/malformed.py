"""Collects the malformed parts of an event of the wire, so that its adapter can report them.

The functions of `fields` return an empty value for a malformed field, because the rest of the event may be valid, and
note the field here. Notes are kept only while a collector is entered.
"""

from __future__ import annotations

from contextvars import ContextVar, Token

_MAX_NOTES = 4
"""The most malformed fields of one event that are named."""


_COLLECTOR: ContextVar[MalformedParts | None] = ContextVar("malformed", default=None)


class MalformedParts:
    """The malformed parts of the events since the last call of `take`. Collects notes while it is entered by `with`."""

    __slots__ = ("_before", "_fields", "_recurring", "has_notes")

    def __init__(self) -> None:
        self._before: Token[MalformedParts | None] | None = None
        self._fields: list[str] = []
        self._recurring: list[str] = []
        self.has_notes = False
        """True if there are problems that were not taken."""

    def __enter__(self) -> None:
        self._before = _COLLECTOR.set(self)

    def __exit__(self, *_: object) -> None:
        assert self._before is not None
        _COLLECTOR.reset(self._before)

    def add_field(self, problem: str) -> None:
        """Adds a problem of a field."""
        self.has_notes = True
        if len(self._fields) < _MAX_NOTES and problem not in self._fields:
            self._fields.append(problem)

    def add_recurring(self, problem: str) -> None:
        """Adds a problem that a stream may have in each of its events."""
        self.has_notes = True
        if len(self._recurring) < _MAX_NOTES:
            self._recurring.append(problem)

    def take(self) -> tuple[list[str], list[str]]:
        """Returns and clears the problems of fields, and those that may recur."""
        taken = self._fields, self._recurring
        self._fields, self._recurring, self.has_notes = [], [], False
        return taken


def note_wrong_type(key: str, expected: str, found: object) -> None:
    """Notes that the field `key` is not of the `expected` type, as a text. A null field counts as missing."""
    collector = _COLLECTOR.get()
    if collector is not None and found is not None:
        collector.add_field(f"its field '{key}' is {_type_name(found)} instead of {expected}")


def note_missing(key: str, found: object = None) -> None:
    """Notes that a field which the event needs is missing, if its value `found` is null."""
    collector = _COLLECTOR.get()
    if collector is not None and found is None:
        collector.add_field(f"its field '{key}' is missing")


def note_no_object(key: str, found: object) -> None:
    """Notes that a value which should contain the field `key` is no object."""
    collector = _COLLECTOR.get()
    if collector is not None and found is not None:
        collector.add_field(f"{_type_name(found)} stands instead of an object with the field '{key}'")


def note_item_no_object(key: str, found: object) -> None:
    """Notes that the list `key` has an item that is no object."""
    collector = _COLLECTOR.get()
    if collector is not None:
        collector.add_field(f"its list '{key}' has {_type_name(found)} instead of an object")


def note_recurring(problem: str) -> None:
    """Notes a problem that a stream may have in each of its events, such as a part of an unknown kind."""
    collector = _COLLECTOR.get()
    if collector is not None:
        collector.add_recurring(problem)


def note_unknown_kind(part: str, kind: str) -> None:
    """Notes a part of an event, such as "block", of an unknown kind. A blank kind was noted as malformed."""
    if kind:
        note_recurring(f"the kind of its {part}, '{kind}', is not known")


def _type_name(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"
