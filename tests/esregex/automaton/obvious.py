"""The specification that the automaton is held to: what the exact matchers say of each prefix of a text."""

from __future__ import annotations

from dataclasses import dataclass, field

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton, Cursor
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, FinalMatch
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Pattern


class Specification:
    """What is true of one pattern."""

    def __init__(self, pattern: Pattern) -> None:
        self._ordinary = BacktrackMatcher(pattern)
        self._final = BacktrackMatcher(final_form(pattern))

    def matches(self, text: str) -> bool:
        return self._ordinary.test(text)

    def is_final(self, text: str) -> bool:
        return self._final.test(text)

    def least_final(self, text: str) -> int | None:
        return next((length for length in range(len(text) + 1) if self.is_final(text[:length])), None)


@dataclass
class Reports:
    """What an automaton reported of a stream: on which prefix each pattern became final, and what matches its end."""

    final: dict[int, int] = field(default_factory=dict)
    matching: set[int] = field(default_factory=set)


class Watched:
    """A stream that confirms candidates, as users of the automaton have to."""

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
        for event in self.automaton.feed(self.cursor, units):
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


def check(made: AnyAutomaton, patterns: list[Pattern], deltas: list[str]) -> None:
    """The automaton of some patterns tells after each delta what the specification tells."""
    specifications = [Specification(pattern) for pattern in patterns]
    watched = Watched(made, specifications)
    written = [pattern.source for pattern in patterns]
    text = ""
    for delta in ("", *deltas):
        watched.feed(delta)
        text += delta
        assert watched.reports == obvious(specifications, text), (written, text)


def obvious(specifications: list[Specification], text: str) -> Reports:
    """What is to be reported of a text."""
    reports = Reports()
    for pattern, specification in enumerate(specifications):
        offset = specification.least_final(text)
        if offset is not None:
            reports.final[pattern] = offset
        if specification.matches(text):
            reports.matching.add(pattern)
    return reports
