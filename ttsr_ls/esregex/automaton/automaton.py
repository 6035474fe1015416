"""The interface of an automaton over many patterns."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar

from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, EndMatches, FinalMatch
from ttsr_ls.esregex.automaton.whole_text_reading import WholeTextReading


class Cursor(Protocol):
    """The position of a stream in one or several automata."""

    @property
    def length(self) -> int:
        """The number of units that were fed."""
        ...

    @property
    def settled(self) -> int:
        """The length of the prefix whose reports are all known. The rest was deferred."""
        ...

    @property
    def work(self) -> int:
        """The work of the units that were fed last, beyond look-ups."""
        ...

    @property
    def final(self) -> frozenset[int]:
        """The patterns that are final: they match some prefix of the fed text, and no continuation can undo that."""
        ...

    @property
    def doubtful(self) -> frozenset[int]:
        """The patterns for which the automaton cannot decide any more whether they are final."""
        ...

    def copy(self) -> Self:
        """Returns a cursor at the same position, for another stream with the same text."""
        ...

    def mark_final(self, pattern: int) -> None:
        """Marks a pattern as final, so that it is not reported any more. The automaton or an exact search found
        that.
        """
        ...


_Cursor = TypeVar("_Cursor", bound=Cursor)


class Automaton(Protocol[_Cursor]):
    """Many patterns, matched at once. Immutable except for its cache, which all streams share. Not thread-safe."""

    @property
    def exact(self) -> frozenset[int]:
        """The patterns for which no candidates are reported, except in rare cases."""
        ...

    @property
    def disabled(self) -> frozenset[int]:
        """The patterns that needed more work than allowed. They are not reported any more."""
        ...

    def open(self) -> _Cursor:
        """Returns the cursor at the start of a stream. A pattern that is final on the empty text is in its `final`;
        `feed` does not report it.
        """
        ...

    def prewarm(self, units: str) -> None:
        """Builds the states for texts like `units` in advance."""
        ...

    def read_whole(self, units: str, /) -> WholeTextReading | None:
        """Reads a text from its start to its end; returns None if that is only possible as a stream."""
        ...

    def open_read(self, reading: WholeTextReading, /) -> tuple[_Cursor, tuple[FinalMatch | CandidateMatch, ...]]:
        """Returns the cursor at the end of a text that was read as a whole, and what `feed` would have returned. No
        further text can be fed to it."""
        ...

    def feed(self, cursor: _Cursor, units: str, /) -> tuple[FinalMatch | CandidateMatch, ...]:
        """Reads some units. Returns the patterns that became final in them, in order, or that may have."""
        ...

    def finish(self, cursor: _Cursor, /) -> tuple[FinalMatch | CandidateMatch, ...]:
        """Reads all that was deferred, because the text ends here. Returns what `feed` does."""
        ...

    def unsettled(self, cursor: _Cursor, /) -> frozenset[int]:
        """Returns the patterns that may have become final in deferred units."""
        ...

    def matches_if_ended(self, cursor: _Cursor, /) -> EndMatches:
        """Returns the patterns that match, or may match, if the text ends here."""
        ...


AnyAutomaton = Automaton[Any]
