"""Remembers which unknown kinds of events were reported."""

from __future__ import annotations

from ttsr_ls.escaping import one_line


class UnknownKinds:
    """Each kind is reported once, and at most `most` kinds. Names are truncated to `length` characters."""

    __slots__ = ("_length", "_most", "_reported")

    def __init__(self, most: int, length: int = 80) -> None:
        self._most = most
        self._length = length
        self._reported: set[str] = set()

    def add(self, kind: str) -> str | None:
        """Returns the name to report, escaped; None if the kind is not to be reported."""
        name = one_line(kind[: self._length])
        if name in self._reported or len(self._reported) >= self._most:
            return None
        self._reported.add(name)
        return name
