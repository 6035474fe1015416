"""The data of a search: the known part of a text, and the threads of matches in it."""

from __future__ import annotations

from enum import Enum

from ttsr_ls.esregex.search.plan import Registers

Thread = tuple[int, int, Registers, int]
"""Where to go on: an instruction, a position, and the registers; then how far a run of units was examined that met the
end of the text, else -1.
"""

Root = tuple[int, Thread]
"""Where a match starts, and a thread of it. A negative start stands for a stretch of text where none can start."""

Found = tuple[int, int]
"""Where a match starts and ends."""


class KnownText:
    """The known part of a text.

    A suspended search does not copy it: a search may be resumed only if `units` still begins with the text that was
    known before.
    """

    __slots__ = ("units",)

    def __init__(self, units: str = "") -> None:
        self.units = units


class Goal(Enum):
    """The match that a search looks for. The match starts at its root, the thread that the search began with."""

    ANY = "any of the first root that has one"
    FIRST = "of the first root that has one, the first in the order of ECMA-262"
    LOWEST = "the one whose end is lowest: backward, the one that starts first"
