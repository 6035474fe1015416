"""Measures what a slow condition costs an agent: runs its witness through the step counter, as a search does.

The analysis of a pattern looks at one start of a match. An agent searches from every start, at every delta, so what is
reported is decided on such a run. Steps are counted, not time: the same answer on every machine.
"""

from __future__ import annotations

from ttsr_ls.esregex.analysis.backtracking import Slow
from ttsr_ls.esregex.analysis.growth import STEPS_OF_WORK
from ttsr_ls.esregex.analysis.work import Work
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


def witness_rounds(pattern: Pattern, slow: Slow, work: Work) -> int | None:
    """How many rounds of an exponential witness were seen to take more than `STEPS`; None where none do.

    This and the others raise `WorkExhausted`.
    """
    matcher = BacktrackMatcher(pattern, STEPS)
    for rounds in (_EXPONENTIAL_ROUNDS, slow.rounds, 2 * slow.rounds):
        work.spend(STEPS // STEPS_OF_WORK)
        try:
            matcher.effort(slow.attack.text(rounds), slow.attack.place(rounds))
        except MatchLimitExceeded:
            return rounds
    return None


def is_felt(pattern: Pattern, slow: Slow, work: Work) -> bool:
    """Whether a search through a witness of `ROUNDS` rounds takes more than `STEPS`."""
    return _search_steps(BacktrackMatcher(pattern, STEPS), slow.attack.text(ROUNDS), work) >= STEPS


def slow_probe(pattern: Pattern, work: Work) -> str | None:
    """Which of a few ordinary texts, repeated, takes an effort that grows faster than its length; None: none does."""
    matcher = BacktrackMatcher(pattern, STEPS)
    for probe in _PROBES:
        short, long = (_search_steps(matcher, probe * rounds, work) for rounds in (_SHORT, _LONG))
        if short >= STEPS or long > _LEAST_RATIO * short:
            return probe
    return None


def _search_steps(matcher: BacktrackMatcher, text: str, work: Work) -> int:
    """The steps of trying a match from each place of a text, at most `STEPS`."""
    steps = 0
    for start in range(len(text)):
        try:
            taken = matcher.effort(text, start)
        except MatchLimitExceeded:
            taken = STEPS
        work.spend(taken // STEPS_OF_WORK)
        steps += taken
        if steps >= STEPS:
            return STEPS
    return steps
