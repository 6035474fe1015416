"""A stream's place in an automaton, and what happens on the way."""

from __future__ import annotations

from dataclasses import dataclass

from ttsr_ls.esregex.automaton.product import Root


class Cursor:
    """Where a stream is, and which patterns became final on it for good. Owned by one stream; cheap to copy."""

    __slots__ = ("doubtful", "final", "length", "root")

    def __init__(self, root: Root, length: int, final: frozenset[int], doubtful: frozenset[int]) -> None:
        self.root = root
        self.length = length
        """How many units were fed."""
        self.final = final
        """The patterns that match some prefix of what was fed for good."""
        self.doubtful = doubtful
        """The patterns of which the automaton cannot tell any more whether they are."""

    def copy(self) -> Cursor:
        """The same place, for another stream that had the same text."""
        return Cursor(self.root, self.length, self.final, self.doubtful)

    def settle(self, pattern: int) -> None:
        """A candidate was confirmed: from now on the pattern is final."""
        self.final |= {pattern}
        self.doubtful -= {pattern}


@dataclass(frozen=True, slots=True)
class Final:
    """A pattern became final: `offset` is the length, in units, of the least prefix on which it is."""

    pattern: int
    offset: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pattern may have become final with what was fed just now, on a prefix of length `offset` at the latest.

    It has not if its final form does not match that prefix.
    """

    pattern: int
    offset: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The patterns that match, and those that may, if no text comes any more."""

    matching: frozenset[int]
    candidates: frozenset[int]
