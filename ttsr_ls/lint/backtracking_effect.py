"""Measures what a slow condition costs an agent: runs its witness through the step counter, as a search does.

The analysis of a pattern looks at one start of a match. An agent searches from every start, at every delta, so what is
reported is decided on such a run. Steps are counted, not time: the same answer on every machine.
"""

from __future__ import annotations

from ttsr_ls.esregex.analysis.backtracking import Slow
from ttsr_ls.esregex.backtrack import BacktrackMatcher
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.nodes import Pattern

STEPS = 60_000
"""From so many steps on a short text on, a search is felt: agents search again with each delta."""
ROUNDS = 100
"""How often a witness is repeated where the effort grows with a power of its length: a long line, a run of blanks."""
_EXPONENTIAL_ROUNDS = 30
_PROBES = ("a", " ", "a ", "a\n")
_SHORT, _LONG = 8, 32
_LEAST_RATIO = 16
"""A text four times as long takes four times as many steps where nothing is wrong, and 16 where the square counts."""


def witness_rounds(pattern: Pattern, slow: Slow) -> int | None:
    """How many rounds of an exponential witness were seen to take more than `STEPS`; None where none do."""
    matcher = BacktrackMatcher(pattern, STEPS)
    for rounds in (_EXPONENTIAL_ROUNDS, slow.rounds, 2 * slow.rounds):
        try:
            matcher.effort(slow.attack.text(rounds), slow.attack.place(rounds))
        except MatchLimitExceeded:
            return rounds
    return None


def is_felt(pattern: Pattern, slow: Slow) -> bool:
    """Whether a search through a witness of `ROUNDS` rounds takes more than `STEPS`."""
    return _search_steps(pattern, slow.attack.text(ROUNDS)) >= STEPS


def slow_probe(pattern: Pattern) -> str | None:
    """Which of a few ordinary texts, repeated, takes an effort that grows faster than its length; None: none does."""
    for probe in _PROBES:
        short, long = (_search_steps(pattern, probe * rounds) for rounds in (_SHORT, _LONG))
        if short >= STEPS or long > _LEAST_RATIO * short:
            return probe
    return None


def _search_steps(pattern: Pattern, text: str) -> int:
    """The steps of trying a match from each place of a text, at most `STEPS`."""
    steps = 0
    for start in range(len(text)):
        try:
            steps += BacktrackMatcher(pattern, STEPS - steps).effort(text, start)
        except MatchLimitExceeded:
            return STEPS
    return steps
