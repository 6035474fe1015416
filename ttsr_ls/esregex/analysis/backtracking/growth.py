"""Shows by running how the effort of a failing match grows with its text.

Runs the backtracking matcher of this package, which takes the steps that any backtracking engine takes, and counts
them: no clock, no process, the same answer every time.
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
"""From here on, effort grows faster than its text; what is measured on short texts is below the real power."""

STEPS_OF_WORK = 2
"""So many steps of the matcher are a unit of work."""

_HOPELESS_POWER = 1.2
_CERTAIN_ROUNDS = 8
NEAR_POWER = 0.4
"""What lacks so little of the power that was expected is taken for it: it only shows more exactly on longer texts."""
MAX_ROUNDS = 16
_MIN_MEASURED = 16
"""Texts of fewer rounds than this do not tell a power of their length from anything else."""
_TELLING_ROUNDS = 8
"""From here on, what at least doubles with each round is told from a power of the length by its ratio."""


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
        # Mostly it does not, which one or two texts tell.
        telling = min(limit, _TELLING_ROUNDS)
        first_steps = self._steps(attack, telling)
        if first_steps < STEP_LIMIT and (telling == limit or first_steps < 2.5 * self._steps(attack, telling - 2)):
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
        # A longer text may match, and then at once: what is bounded is slow just before it has enough.
        for rounds in (limit, limit // 2, 1):
            if self._steps(attack, rounds) == STEP_LIMIT:
                return Growth(rounds, STEP_LIMIT, self._power_below(attack, rounds))
        return None

    def _power_below(self, attack: Attack, rounds: int) -> float:
        """The power of the growth on texts of fewer rounds; infinite where these take all steps, or are too short."""
        while rounds >= _MIN_MEASURED:
            rounds //= 2
            steps = self._steps(attack, rounds)
            if steps < STEP_LIMIT:
                return log2(steps / max(1, self._steps(attack, rounds // 2)))
        return inf

    def measure_power(self, attack: Attack, enough: float, limit: int) -> Growth:
        """Returns the growth with the power of the text's length, measured on texts of at most `limit` rounds. No
        longer text is tried once the power reaches `enough`.
        """
        # What is the same for every text would hide the growth on short ones.
        base = self._steps(attack, 0) - 1
        rounds, last, power = 1, 0, inf
        while True:
            steps = self._steps(attack, rounds)
            if last:
                quotient = log2(max(1, steps - base) / last)
                # At the limit the quotient is too small, and the one before is at least near.
                power = max(power, quotient) if steps == STEP_LIMIT and power < inf else quotient
            if steps == STEP_LIMIT or 2 * rounds > limit or (rounds > _TELLING_ROUNDS and power < _HOPELESS_POWER):
                return Growth(rounds, steps, power)
            if rounds >= _CERTAIN_ROUNDS and power > enough:
                return Growth(rounds, steps, power)
            last = max(1, steps - base)
            rounds *= 2

    def _steps(self, attack: Attack, rounds: int) -> int:
        # Whether there is a match in the end is of no interest: a text that matches at once takes few steps.
        try:
            steps = self._matcher.count_steps(attack.text(rounds), attack.match_start(rounds))
        except MatchLimitExceeded:
            steps = STEP_LIMIT
        self._work.spend(steps // STEPS_OF_WORK)
        return steps
