"""The specification of the automaton: the results of the exact matchers for each prefix of a text."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton, Cursor
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, FinalMatch
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Pattern


class Specification:
    """The results of the exact matchers for one pattern."""

    def __init__(self, pattern: Pattern) -> None:
        self._ordinary = BacktrackMatcher(pattern)
        self._final = BacktrackMatcher(final_form(pattern))
        # Asked again and again, for the same prefixes.
        self.matches = cache(self._ordinary.test)
        self.is_final = cache(self._final.test)

    def least_final(self, text: str) -> int | None:
        return next((length for length in range(len(text) + 1) if self.is_final(text[:length])), None)


@dataclass
class Reports:
    """The reports about a stream: the length of the prefix on which each pattern became final, and the patterns that
    match."""

    final: dict[int, int] = field(default_factory=dict)
    matching: set[int] = field(default_factory=set)


class VerifiedStream:
    """Feeds a stream to an automaton and verifies candidates, as users of the automaton do."""

    def __init__(self, automaton: AnyAutomaton, specifications: list[Specification]) -> None:
        self.automaton = automaton
        self.cursor: Cursor = automaton.open()
        self._specifications = specifications
        self._text = ""
        self._candidates: set[int] = set()
        self._final = dict.fromkeys(self.cursor.final, 0)
        for pattern in self.cursor.doubtful:
            self._confirm(CandidateMatch(pattern, 0))

    def feed(self, units: str) -> None:
        before, self._text = len(self._text), self._text + units
        self._verify(self.automaton.feed(self.cursor, units), before)

    def read_whole(self, units: str) -> bool:
        """Reads the first text as a whole; returns whether that is possible."""
        reading = self.automaton.read_whole(units)
        if reading is not None:
            self._text = units
            self.cursor, events = self.automaton.open_read(reading)
            self._verify(events, 0)
        return reading is not None

    def _verify(self, events: tuple[FinalMatch | CandidateMatch, ...], before: int) -> None:
        for event in events:
            if isinstance(event, FinalMatch):
                assert event.pattern not in self._final
                self._final[event.pattern] = event.offset
            else:
                assert before <= event.offset <= len(self._text)
                self._confirm(event)

    def _confirm(self, candidate: CandidateMatch) -> None:
        offset = self._specifications[candidate.pattern].least_final(self._text[: candidate.offset])
        assert candidate.since < candidate.offset
        if offset is not None:
            assert offset > candidate.since or candidate.pattern in self._candidates
            self._final[candidate.pattern] = offset
            self.cursor.mark_final(candidate.pattern)
        self._candidates.add(candidate.pattern)

    @property
    def reports(self) -> Reports:
        ended = self.automaton.matches_if_ended(self.cursor)
        confirmed = {candidate for candidate in ended.candidates if self._specifications[candidate].matches(self._text)}
        return Reports(dict(self._final), {*ended.matching, *confirmed})


def check(
    made: AnyAutomaton,
    patterns: list[Pattern],
    deltas: list[str],
    specifications: list[Specification] | None = None,
) -> None:
    """Asserts after each delta that the automaton of some patterns reports what the specification says."""
    specifications = specifications or [Specification(pattern) for pattern in patterns]
    verified = VerifiedStream(made, specifications)
    written = [pattern.source for pattern in patterns]
    text = ""
    for delta in ("", *deltas):
        verified.feed(delta)
        text += delta
        assert verified.reports == expected_reports(specifications, text), (written, text)


def expected_reports(specifications: list[Specification], text: str) -> Reports:
    """Returns the expected reports about a text."""
    reports = Reports()
    for pattern, specification in enumerate(specifications):
        offset = specification.least_final(text)
        if offset is not None:
            reports.final[pattern] = offset
        if specification.matches(text):
            reports.matching.add(pattern)
    return reports
