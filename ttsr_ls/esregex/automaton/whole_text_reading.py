"""Reads a text that is known as a whole, from its start to its end."""

from __future__ import annotations

from collections.abc import Set

from msgspec import Struct

from ttsr_ls.esregex.automaton.assembly import Assembly
from ttsr_ls.esregex.automaton.dfa.group_runner import NOWHERE, MatchReports
from ttsr_ls.esregex.automaton.union_cursor import UnionCursor


class WholeTextReading(Struct, frozen=True):
    """The match reports of a text, those at its end, and the patterns that may match in it or at its end."""

    units: str
    reports: MatchReports
    at_end: list[int]
    patterns: Set[int]

    def without_repetitions(self, first_part: int) -> MatchReports:
        """Returns the reports without those of patterns that were final before. Parts have numbers from `first_part`
        on, and may be needed again."""
        firsts: dict[int, int] = {}
        others: MatchReports = []
        for position, report in self.reports:
            if not 0 <= report < first_part:
                others.append((position, report))
            elif position < firsts.get(report, NOWHERE):
                firsts[report] = position
        return others + [(position, report) for report, position in firsts.items()]


class WholeTextCursor(UnionCursor):
    """The position at the end of a text that was read as a whole. No further text can be fed to it."""

    __slots__ = ("_at_end",)

    def __init__(self, start: UnionCursor, reading: WholeTextReading) -> None:
        """`start` is the position before any text."""
        super().__init__(start.activity)
        self.progress = start.progress.copy()
        self.length = self.counted = len(reading.units)
        self._at_end = reading.at_end
        self.record((), ())

    @property
    def reports_at_end(self) -> list[int]:
        return self._at_end


def read_whole_text(assembly: Assembly, start: UnionCursor, units: str) -> WholeTextReading | None:
    """Reads a text; returns None if that is only possible as a stream. `start` is the position before any text."""
    if start.final or start.doubtful:
        return None
    found = assembly.whole_texts.read(assembly.alphabet.encode(units))
    if found is None:
        return None
    composites = assembly.composites
    reports = {report for _, report in found.reports}.union(found.at_end)
    if composites:
        reports.update(composites.matches_at_end(start.progress, reports, len(units)))
    patterns = composites.patterns_of({max(report, ~report) for report in reports})
    return WholeTextReading(units, found.reports, found.at_end, frozenset(patterns))
