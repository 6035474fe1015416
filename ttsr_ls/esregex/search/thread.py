"""The data of a search: the known part of a text, and the threads of matches in it."""

from __future__ import annotations

from enum import Enum

from ttsr_ls.esregex.search.plan import Registers

Thread = tuple[int, int, Registers, int]
"""The state to continue from: an instruction, a position, and the registers; then the position up to which a run was
examined that met the end of the text, else -1.
"""

Root = tuple[int, Thread]
"""The start of a match, and a thread of it. A negative start stands for a window of text in which no match starts."""

Found = tuple[int, int]
"""The start and the end of a match."""


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

    ANY = "any match of the first root that has one"
    FIRST = "the match of the first root that has one which ECMA-262 tries first"
    LOWEST = "the match with the lowest end: searched backward, the match that starts first"
