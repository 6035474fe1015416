"""How the rules of a dialect are run: what the programs do differently beyond what their rules say.

One monitor runs them all; a `Discipline` configures it. `OMP` is what a rule of omp gets, `OMP_LEGACY` is omp before
`condition` (spec L), and `pi.pi_discipline` that of pi-ttsr (spec P).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import ClassVar

from msgspec import Struct

from ttsr_ls.matching.evaluation import Evaluation
from ttsr_ls.matching.repeat.gate import JUST_NOW, Elapsed, Gate
from ttsr_ls.matching.repeat.repeat_gate import RepeatGate
from ttsr_ls.matching.watched_rules import WatchedRules
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching, RepeatUnit, Settings


class Selection(Enum):
    """Which of the rules that match at one moment fire."""

    ALL = "all, as one batch"
    FIRST = "the first in load order; the answer is cut off then, so that nothing else of it fires"


class Buffers(Enum):
    """Which output makes up one text in `reference` matching. In `stable` matching each stream is its own text."""

    STREAMS = "each stream by itself"
    ONE = "all that is watched, in the order of its coming, until the next reset"


class Discipline(Struct, frozen=True):
    """A configuration of the monitor. `gate` and `evaluation` make the state of one session."""

    selection: Selection
    buffers: Buffers
    gate: Callable[[Settings], Gate]
    evaluation: Callable[[WatchedRules, Matching], Evaluation]


class InjectionGate:
    """A `Gate` that counts a rule once its injection was committed (spec I5), and answers as omp does."""

    __slots__ = ("_repeat",)

    unit: ClassVar[RepeatUnit] = RepeatUnit.ANSWERS
    depends_on_time: ClassVar[bool] = False

    def __init__(self, settings: Settings) -> None:
        self._repeat = RepeatGate(settings, self.unit)

    @property
    def injected(self) -> tuple[str, ...]:
        """The names of the rules that were injected, in order of their first injection."""
        return self._repeat.injected

    def admits(self, rule: Rule, now: float) -> bool:
        """Whether the repeat mode lets the rule fire; time does not count."""
        return self._repeat.admits(rule.name)

    def fired(self, rule: Rule, now: float) -> None:
        """Does not count: between match and injection a rule keeps matching."""

    def mark(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """The injections of these rules were committed; `since` is what ended after that."""
        self._repeat.mark(names, since)

    def end_answer(self) -> None:
        """An answer of the agent ended."""
        self._repeat.end_answer()

    def end_turn(self) -> None:
        """A turn was completed."""
        self._repeat.end_turn()


class MatchGate(InjectionGate):
    """A `Gate` that counts a rule from the moment of its match, and turns (spec L3, L5)."""

    __slots__ = ()

    unit = RepeatUnit.TURNS

    def fired(self, rule: Rule, now: float) -> None:
        """The match is the injection."""
        self.mark((rule.name,))


def _plain_evaluation(rules: WatchedRules, matching: Matching) -> Evaluation:
    return Evaluation(rules)


OMP = Discipline(Selection.ALL, Buffers.STREAMS, InjectionGate, _plain_evaluation)
"""What the reference agent does with rules of its current dialect."""

OMP_LEGACY = Discipline(Selection.ALL, Buffers.ONE, MatchGate, _plain_evaluation)
"""What it did with the rules of `legacy_registration`."""
