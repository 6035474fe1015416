"""A stream's place in an automaton, and what happens on the way."""

from __future__ import annotations

from dataclasses import dataclass

from ttsr_ls.esregex.automaton.composites import Progress
from ttsr_ls.esregex.automaton.track import Track


class Cursor:
    """Where a stream is, and which patterns became final on it for good. Owned by one stream; cheap to copy."""

    __slots__ = ("doubtful", "final", "length", "progress", "tracks")

    def __init__(
        self,
        tracks: tuple[Track, ...],
        length: int,
        final: frozenset[int],
        doubtful: frozenset[int],
        progress: Progress,
    ) -> None:
        self.tracks = tracks
        self.length = length
        """How many units were fed."""
        self.final = final
        """The patterns that match some prefix of what was fed for good."""
        self.doubtful = doubtful
        """The patterns of which the automaton cannot tell any more whether they are."""
        self.progress = progress

    def copy(self) -> Cursor:
        """The same place, for another stream that had the same text."""
        tracks = tuple([track.copy() for track in self.tracks])
        return Cursor(tracks, self.length, self.final, self.doubtful, self.progress.copy())

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
