"""Where roots come from: those that are used no more are used again.

Roots are the only states that Python's collector of cycles knows, and the more objects came since it last looked
through all of them, the sooner it does so again. A pool that was filled before a host calls `gc.freeze` serves for
ever, and then nothing that a stream brings makes the collector stop it.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttsr_ls.esregex.automaton.root import Root

_REFERENCES_OF_UNUSED = 2
"""That of whoever asks how many there are, and that of `sys.getrefcount` itself."""


class RootPool:
    """Empty roots. There are never more of them, with those in use, than `size`, unless it is too small."""

    __slots__ = ("_made", "_size", "_unused")

    def __init__(self, size: int) -> None:
        self._size = size
        self._unused: deque[Root] = deque()
        self._made = 0

    def fill(self, blank: type[Root]) -> None:
        """Make all roots that will be needed."""
        while self._made < self._size:
            self._unused.append(blank())
            self._made += 1

    def take(self, blank: type[Root]) -> Root:
        """A root that nobody else has."""
        if self._unused:
            # The one that was let go first: what referred to it was most likely let go meanwhile, too.
            root = self._unused.popleft()
            if sys.getrefcount(root) <= _REFERENCES_OF_UNUSED:
                # A stream may have been there when it was let go, and gone on from it.
                root.forget()
                return root
            # A stream is still there.
        else:
            self._made += 1
        return blank()

    def let_go(self, root: Root) -> None:
        """A root that nobody looks for any more."""
        root.forget()
        if len(self._unused) < self._size:
            self._unused.append(root)
        else:
            self._made -= 1
