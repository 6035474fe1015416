"""A message list that shares unchanged messages between requests and copies them on access."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex, overload

_Message = dict[str, Any]


def copy_value(value: Any) -> Any:
    """A deep copy of a JSON value, however deeply it is nested."""
    if not isinstance(value, dict | list):
        return value
    top = value.copy()
    copies: list[Any] = [top]
    while copies:
        parent = copies.pop()
        for key, child in list(parent.items() if isinstance(parent, dict) else enumerate(parent)):
            if isinstance(child, dict | list):
                parent[key] = copy = child.copy()
                copies.append(copy)
    return top


class MessageList(list[_Message]):
    """A list of messages whose first `shared` ones are copied on first access.

    So a request on a long history is cheap, and a caller who changes a message changes no other request.
    """

    __slots__ = ("_is_own", "_shared")

    def __init__(self, messages: Iterable[_Message] = (), shared: int = 0) -> None:
        super().__init__(messages)
        self._shared = shared
        self._is_own: bytearray | None = None
        """Whether each shared message was copied; None: none was."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> _Message: ...

    @overload
    def __getitem__(self, index: slice) -> list[_Message]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> _Message | list[_Message]:
        numbers = range(len(self))
        if isinstance(index, slice):
            return [self._at(number) for number in numbers[index]]
        return self._at(numbers[index])

    def __iter__(self) -> Iterator[_Message]:
        index = 0
        while index < len(self):  # Like a plain list, it may grow during the iteration.
            yield self._at(index)
            index += 1

    def __reversed__(self) -> Iterator[_Message]:
        for index in range(len(self) - 1, -1, -1):
            yield self._at(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._own_all()
        else:
            self[index]  # Marks a shared message as copied, and raises for an invalid index.
        super().__setitem__(index, value)

    def __delitem__(self, index: SupportsIndex | slice) -> None:
        self._own_all()
        super().__delitem__(index)

    def insert(self, index: SupportsIndex, message: _Message) -> None:
        self._own_all()
        super().insert(index, message)

    def pop(self, index: SupportsIndex = -1) -> _Message:
        """Removes a message and returns it."""
        self._own_all()
        return super().pop(index)

    def remove(self, message: _Message) -> None:
        """Removes the first message that is equal."""
        self._own_all()
        super().remove(message)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Sorts the messages."""
        self._own_all()
        super().sort(key=key, reverse=reverse)

    def reverse(self) -> None:
        """Reverses the order of the messages."""
        self._own_all()
        super().reverse()

    def clear(self) -> None:
        """Removes all messages."""
        super().clear()
        self._shared = 0

    def copy(self) -> list[_Message]:
        """A plain list of the messages."""
        return list(self)

    def __add__(self, other: list[Any]) -> list[Any]:
        return list(self) + other

    def __radd__(self, other: list[_Message]) -> list[_Message]:
        return other + list(self)

    def __mul__(self, times: SupportsIndex) -> list[_Message]:
        return list(self) * times

    __rmul__ = __mul__

    def __imul__(self, times: SupportsIndex) -> MessageList:
        self._own_all()
        super().__imul__(times)
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return (list, (list(self),))

    def _at(self, index: int) -> _Message:
        message = super().__getitem__(index)
        if not 0 <= index < self._shared:
            return message
        if self._is_own is None:
            self._is_own = bytearray(self._shared)
        if not self._is_own[index]:
            message = copy_value(message)
            super().__setitem__(index, message)
            self._is_own[index] = 1
        return message

    def _own_all(self) -> None:
        for index in range(self._shared):
            self._at(index)
        self._shared = 0
