"""Measures how the effort of a failing match grows with its text.

Counts the steps of the backtracking matcher of this package, which are about the steps of any backtracking engine.
Without a clock, the result is deterministic.
"""

from __future__ import annotations

from math import inf, log2

from msgspec import Struct

from ttsr_ls.esregex.analysis.backtracking.attack import Attack
from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Pattern

STEP_LIMIT = 12_000
"""How many steps one run may take: five milliseconds or so."""

MAX_LENGTH = 200
"""How long the texts get, in units, where the effort grows with a power of their length."""

MIN_POWER = 1.6
"""From this power on, effort counts as growing faster than the text. Short texts show less than the real power."""

STEPS_PER_WORK = 2
"""How many steps of the matcher are a unit of work."""

_HOPELESS_POWER = 1.2
_CERTAIN_ROUNDS = 8
NEAR_POWER = 0.4
"""A power that is lower than the expected one by this much counts as the expected one: short texts show less."""
MAX_ROUNDS = 16
_MIN_MEASURED_ROUNDS = 16
"""With fewer rounds, a power of the length cannot be measured."""
_DISTINCT_ROUNDS = 8
"""From this many rounds on, doubling with each round is distinguishable from growth with a power of the length."""


class Growth(Struct, frozen=True):
    """The measured effort on the longest text that was tried.

    `steps` is at most `STEP_LIMIT`, which means "this many or more". `power` is the power of the text's length with
    which the effort grew last.
    """

    rounds: int
    steps: int
    power: float


class AttackRunner:
    """Runs one pattern on attacks and counts the steps."""

    def __init__(self, pattern: Pattern, work: WorkBudget) -> None:
        self._matcher = BacktrackMatcher(pattern, STEP_LIMIT)
        self._work = work

    def measure_doubling(self, attack: Attack, limit: int) -> Growth | None:
        """Returns the effort on a text of at most `limit` rounds if each round doubles it, else None."""
        limit = min(limit, MAX_ROUNDS)
        # One or two texts exclude most candidates.
        tested = min(limit, _DISTINCT_ROUNDS)
        first_steps = self._steps(attack, tested)
        if first_steps < STEP_LIMIT and (tested == limit or first_steps < 2.5 * self._steps(attack, tested - 2)):
            return None
        efforts = [0]
        while len(efforts) <= limit:
            steps = self._steps(attack, len(efforts))
            if steps == STEP_LIMIT:
                rounds = len(efforts)
                doubled = len(efforts) < 3 or efforts[-1] >= 1.75 * efforts[-2]
                return Growth(rounds, steps, inf) if doubled else None
            efforts.append(steps)
        return None

    def measure_exhaustion(self, attack: Attack, limit: int) -> Growth | None:
        """Returns the effort on a text of at most `limit` rounds that takes all allowed steps, else None."""
        # A longer text may match at once: bounded repeats are slowest with just too few rounds.
        for rounds in (limit, limit // 2, 1):
            if self._steps(attack, rounds) == STEP_LIMIT:
                return Growth(rounds, STEP_LIMIT, self._power_below(attack, rounds))
        return None

    def _power_below(self, attack: Attack, rounds: int) -> float:
        """Returns the power of the growth on texts of fewer rounds; infinite if they exhaust the steps or are short."""
        while rounds >= _MIN_MEASURED_ROUNDS:
            rounds //= 2
            steps = self._steps(attack, rounds)
            if steps < STEP_LIMIT:
                return log2(steps / max(1, self._steps(attack, rounds // 2)))
        return inf

    def measure_power(self, attack: Attack, enough: float, limit: int) -> Growth:
        """Returns the growth with the power of the text's length, measured on texts of at most `limit` rounds. No
        longer text is tried once the power reaches `enough`.
        """
        # The constant part of the effort would hide the growth on short texts.
        base = self._steps(attack, 0) - 1
        rounds, last, power = 1, 0, inf
        while True:
            steps = self._steps(attack, rounds)
            if last:
                quotient = log2(max(1, steps - base) / last)
                # At the step limit the quotient is too small, so the previous one is a better estimate.
                power = max(power, quotient) if steps == STEP_LIMIT and power < inf else quotient
            if steps == STEP_LIMIT or 2 * rounds > limit or (rounds > _DISTINCT_ROUNDS and power < _HOPELESS_POWER):
                return Growth(rounds, steps, power)
            if rounds >= _CERTAIN_ROUNDS and power > enough:
                return Growth(rounds, steps, power)
            last = max(1, steps - base)
            rounds *= 2

    def _steps(self, attack: Attack, rounds: int) -> int:
        # Whether the text matches does not matter: a text that matches early takes few steps.
        try:
            steps = self._matcher.count_steps(attack.text(rounds), attack.match_start(rounds))
        except MatchLimitExceeded:
            steps = STEP_LIMIT
        self._work.spend(steps // STEPS_PER_WORK)
        return steps
