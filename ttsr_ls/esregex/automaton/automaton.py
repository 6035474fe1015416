"""What an automaton over many patterns does, whatever it is made of."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar

from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, EndMatches, FinalMatch


class Cursor(Protocol):
    """The position of a stream in one or several automata."""

    @property
    def length(self) -> int:
        """How many units were fed."""
        ...

    @property
    def final(self) -> frozenset[int]:
        """The patterns that match some prefix of what was fed for good."""
        ...

    @property
    def doubtful(self) -> frozenset[int]:
        """The patterns of which it cannot be reported any more whether they are."""
        ...

    def copy(self) -> Self:
        """The same place, for another stream that had the same text."""
        ...

    def settle(self, pattern: int) -> None:
        """The pattern is final, as was reported or found out otherwise: it is reported no more."""
        ...


_Place = TypeVar("_Place", bound=Cursor)


class Automaton(Protocol[_Place]):
    """Immutable but for its cache, which all streams share. Not for use by several threads at once."""

    @property
    def exact(self) -> frozenset[int]:
        """The patterns of which no candidates are reported, but in rare cases."""
        ...

    @property
    def disabled(self) -> frozenset[int]:
        """The patterns that cost too much to be matched any longer: nothing is reported of them any more."""
        ...

    def open(self) -> _Place:
        """The place of a stream that has no text yet. What is final on none is reported by it, not by `feed`."""
        ...

    def prewarm(self, units: str) -> None:
        """Builds the states for texts like `units` in advance."""
        ...

    def feed(self, place: _Place, units: str, /) -> tuple[FinalMatch | CandidateMatch, ...]:
        """Move on by some text, in units; reports which patterns became final on the way, in order, or may have."""
        ...

    def if_ended(self, place: _Place, /) -> EndMatches:
        """The patterns that match, or may, if no text comes any more."""
        ...


AnyAutomaton = Automaton[Any]
