"""Limits the total cost of all searches of a scan, and the number of reported matches.

Each search may take steps in proportion to its text. Further steps are taken from a reserve that all files and
conditions of the scan share, so that the cost of a scan grows only with the size of its files and rules. A small scan
takes about a second at most, whatever its rules are; in a large one, each file adds to the reserve, and searches for
further matches have a reserve of their own: whether a rule fires matters more than how often.
"""

from __future__ import annotations

from collections.abc import Callable

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import STEP_LIMIT
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.matching.monitor.match_spans import MAX_MATCHES
from ttsr_ls.matching.streams.automaton_stream import AutomatonStream

MIN_STEPS = STEP_LIMIT // 50
"""The steps beyond its share that the search for a first match may take when the reserve is used up."""
_RESERVED_STEPS = STEP_LIMIT // 4
_SMALL_SCAN = 512 * 1024
"""A scan of more units is a large one, in which each file adds to the reserve."""
_STEPS_OF_LARGE_SCANS = 32
"""The steps that each unit adds to the reserve, which never exceeds `STEP_LIMIT`. They suffice for a few published
rules that look for repeated blocks or count the lines of a function with a backreference: together, these take 14 µs a
unit."""
_FURTHER_STEPS_OF_LARGE_SCANS = 4
"""The steps that each unit beyond a small scan adds to the reserve for further matches. They suffice for a
rule that takes 4 µs a unit, and fires in every other file."""
_STEPS = 1_000
_UNITS_A_STEP = 8
"""The share of a search: `_STEPS`, and one step for each `_UNITS_A_STEP` units of the text."""
_MATCHES = 20
_UNITS_A_MATCH = 64
"""The share of matches of a text: `_MATCHES`, and one for each `_UNITS_A_MATCH` units."""
_STEPS_A_MATCH = 30
"""The steps that a further match may take, on average. Nearly all take fewer."""
_CHUNK = 4_096
_SECONDS_OF_STEPPING = 0.1
_SECONDS_A_UNIT = 2e-6
"""An automaton may take `_SECONDS_OF_STEPPING` for a text, and `_SECONDS_A_UNIT` for each unit of it. One that must
build a new state for nearly each unit takes 5 to 20 µs a unit, others less than one."""


class ScanBudget:
    """The reserves of a scan, and the budgets of its searches. `clock` returns the processor time used so far, in
    seconds.
    """

    __slots__ = ("_clock", "_further_steps", "_further_steps_a_unit", "_matches", "_steps", "_steps_a_unit")

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._steps = _RESERVED_STEPS
        self._steps_a_unit = 0
        self._further_steps = 0
        """The reserve for further matches in a large scan; a small one has one reserve for all searches."""
        self._further_steps_a_unit = 0.0
        self._matches = MAX_MATCHES

    @property
    def is_used_up(self) -> bool:
        """True if nothing is left of the reserve of steps."""
        return self._steps <= 0

    @property
    def is_large(self) -> bool:
        """True if the scan is so large that each file adds to the reserve."""
        return self._steps_a_unit > 0

    def set_total_length(self, length: int) -> None:
        """Sets the total length of all files, in units. To be called before the first search."""
        if length > _SMALL_SCAN:
            self._steps_a_unit = _STEPS_OF_LARGE_SCANS
            self._further_steps = _RESERVED_STEPS
            self._further_steps_a_unit = _FURTHER_STEPS_OF_LARGE_SCANS * (length - _SMALL_SCAN) / length

    def begin_file(self, length: int) -> None:
        """Adds the steps for a file of `length` units to the reserves, before its searches."""
        self._steps = max(self._steps, min(self._steps + length * self._steps_a_unit, STEP_LIMIT))
        further = self._further_steps + int(length * self._further_steps_a_unit)
        self._further_steps = max(self._further_steps, min(further, STEP_LIMIT))

    def for_first_match(self, length: int) -> StepBudget:
        """Returns the budget of a search for a first match in a text of `length` units."""
        return StepBudget(_steps_of(length) + max(MIN_STEPS, self._steps), clock=self._clock)

    def for_further_matches(self, length: int, left: int) -> StepBudget:
        """Returns the budget of all searches for further matches of one condition in a text of `length` units.

        `left` are the steps that its rule has left there. Without a reserve, half of them are for other conditions.
        """
        share = _steps_of(length) + _STEPS_A_MATCH * _matches_of(length)
        reserved = self._further_steps if self.is_large else self._steps
        if reserved <= 0:
            return StepBudget(min(share, max(left // 2, _STEPS)), clock=self._clock)
        # In a large scan, one condition leaves half of the reserve to the others.
        return StepBudget(share + (reserved // 2 if self.is_large else reserved), clock=self._clock)

    def most_matches(self, length: int) -> int:
        """Returns how many matches of one condition are reported in a text of `length` units."""
        return min(MAX_MATCHES, _matches_of(length) + max(0, self._matches))

    def charge_first_match(self, steps: int, length: int) -> None:
        """Takes from the reserve the steps of a search for a first match beyond its share."""
        self._steps -= max(0, steps - _steps_of(length))

    def charge_further_matches(self, steps: int, matches: int, length: int) -> None:
        """Takes from the reserves the steps beyond the share of searches that found `matches` matches, and those
        matches beyond the share of a text.
        """
        beyond = max(0, steps - _steps_of(length) - _STEPS_A_MATCH * min(matches, _matches_of(length)))
        if self.is_large:
            self._further_steps -= beyond
        else:
            self._steps -= beyond
        self.charge_matches(matches, length)

    def charge_matches(self, matches: int, length: int) -> None:
        """Takes from the reserve the matches of one condition beyond the share of a text."""
        self._matches -= max(0, matches - _matches_of(length))

    def append(self, stream: AutomatonStream, units: str) -> None:
        """Feeds a text to an automaton stream. Raises `MatchLimitExceeded` if that takes too long."""
        limit = self._clock() + _SECONDS_OF_STEPPING
        for start in range(0, len(units), _CHUNK):
            stream.append(units[start : start + _CHUNK])
            if self._clock() > limit + _SECONDS_A_UNIT * (start + _CHUNK):
                raise MatchLimitExceeded


def _steps_of(length: int) -> int:
    return _STEPS + length // _UNITS_A_STEP


def _matches_of(length: int) -> int:
    return _MATCHES + length // _UNITS_A_MATCH
