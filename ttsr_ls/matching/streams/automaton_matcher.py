"""Matches all conditions with one automaton: the cost of a delta depends neither on the length of the text nor on the
number of conditions.

The automaton reports which conditions match, and from which prefix on a match is final. For candidates, and for the
span of a match, exact searches run within a step budget.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.automaton.whole_text_reading import WholeTextReading
from ttsr_ls.esregex.program.class_source import import_regex, may_be_compiled_by_regex
from ttsr_ls.matching.collector import collector_paused
from ttsr_ls.matching.streams.automaton_stream import AutomatonStream
from ttsr_ls.matching.streams.exact_verifier import ExactVerifier
from ttsr_ls.matching.streams.matching_parts import MatchingParts
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.matching.streams.whole_text_stream import WholeTextStream
from ttsr_ls.rules.condition import Condition

_MAX_PREPARED = 50
"""The most conditions whose exact searches are prepared before they are needed."""
_LARGE = 3_000
"""For conditions longer than this, in units, one portion of the preparation of a search may take milliseconds."""


class AutomatonMatcher:
    """Conditions to be matched on any number of streams. Opening the first stream builds the automaton."""

    __slots__ = ("__weakref__", "_limits", "_parts", "_verifier", "conditions")

    def __init__(
        self, conditions: Sequence[Condition], limits: SearchLimits = LIVE, parts: MatchingParts | None = None
    ) -> None:
        """`parts` are shared with other matchers of equal conditions. Those must not run at the same time."""
        self.conditions = tuple(conditions)
        self._limits = limits.automaton
        self._parts = MatchingParts() if parts is None else parts
        self._verifier = ExactVerifier(self.conditions, limits, self._parts.searches, self._parts.earlier_searches)

    @property
    def automaton(self) -> AnyAutomaton | None:
        """The automaton, once it is built."""
        return self._parts.automaton

    def renew_total(self) -> None:
        """Resets the total step budget for all later searches."""
        self._verifier.renew_total()

    def set_limits(self, limits: SearchLimits) -> None:
        """Replaces the search limits."""
        self._verifier.set_limits(limits)

    def open(self) -> AutomatonStream:
        """Returns the matcher of a new stream, which has no text yet."""
        return AutomatonStream(self.build(), self._verifier)

    def read_whole(self, units: str) -> WholeTextReading | None:
        """Reads a text from its start to its end, in far less time than a stream. Returns None if that is only possible
        as a stream."""
        # As for a stream: each delta allows later ones more steps.
        self._verifier.deltas += 1
        return self.build().read_whole(units)

    def open_read(self, reading: WholeTextReading) -> WholeTextStream:
        """Returns the matcher of a new stream that will get exactly the text of `reading`."""
        return WholeTextStream(self.build(), self._verifier, reading)

    def prewarm(self, units: str) -> None:
        """Builds the states for texts like this one, so that the first such text costs no more than later ones.

        Does nothing where a matcher with the same parts was prewarmed.
        """
        if self._parts.is_prewarmed:
            return
        if any(may_be_compiled_by_regex(condition.source) for condition in self.conditions):
            # Otherwise a delta would import it, which takes 20 ms.
            import_regex()
        with collector_paused():
            self.build().prewarm(units)
            self._parts.is_prewarmed = self._parts.searches is not None
            self._verifier.prepare(sorted(range(len(self.conditions)), key=self._preparation_order)[:_MAX_PREPARED])

    def _preparation_order(self, number: int) -> tuple[bool, bool]:
        """Sort key: the conditions that profit most from prepared searches come first."""
        # The conditions that the automaton does not match exactly need searches before they match.
        return len(self.conditions[number].source) <= _LARGE, number in self.build().exact

    def build(self) -> AnyAutomaton:
        """Returns the automaton. The first call builds it."""
        parts = self._parts
        if parts.automaton is None:
            with collector_paused():
                patterns = [condition.pattern for condition in self.conditions]
                parts.automaton = UnionAutomaton.build(patterns, self._limits)
        return parts.automaton
