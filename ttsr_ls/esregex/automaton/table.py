"""Tables of transitions: dictionaries that are states, and so are looked up by what they are."""

from __future__ import annotations

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Table(dict[Key, Value]):
    """A dictionary that equals only itself, and can be a part of the key of another one."""

    __slots__ = ()

    # Those of `object` itself, not wrappers of them: they are called for each part of each joined state.
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__
