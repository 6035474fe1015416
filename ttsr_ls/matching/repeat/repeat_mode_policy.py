"""The repeat policy of oh-my-pi: whether an injected rule may fire again (spec I5, L3, L5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, assert_never

from ttsr_ls.matching.repeat.repeat_policy import JUST_NOW, Elapsed
from ttsr_ls.rules.dialects.dialect_profile import DialectProfile, RepeatBasis
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import RepeatMode, RepeatUnit, Settings


def elapsed_units(since: Elapsed, unit: RepeatUnit) -> int:
    """Returns how many units of the given kind ended."""
    match unit:
        case RepeatUnit.ANSWERS:
            return since.answers
        case RepeatUnit.TURNS:
            return since.turns
    assert_never(unit)


class RepeatModePolicy:
    """A `RepeatPolicy` that knows which rules were injected, and when. The settings, else the profile, decide what it
    counts.
    """

    __slots__ = ("_count", "_counts_matches", "_gap", "_injected_at", "_mode", "unit")

    depends_on_time: ClassVar[bool] = False

    def __init__(self, settings: Settings, profile: DialectProfile) -> None:
        self._mode = settings.repeat_mode
        self._gap = settings.repeat_gap
        self.unit = profile.repeat_unit if settings.repeat_unit is None else settings.repeat_unit
        """What the gap counts."""
        self._counts_matches = profile.repeat_basis is RepeatBasis.MATCH
        self._count = 0
        """The units that ended so far."""
        self._injected_at: dict[str, int] = {}

    def admits(self, rule: Rule, now: float) -> bool:
        """Returns whether the rule may fire now. Independent of `now`."""
        injected_at = self._injected_at.get(rule.name)
        if injected_at is None:
            return True
        match self._mode:
            case RepeatMode.ONCE:
                return False
            case RepeatMode.AFTER_GAP:
                return self._count - injected_at >= self._gap
        assert_never(self._mode)

    def record_firing(self, rule: Rule, now: float) -> None:
        """Counts a firing if the dialect counts from the match; otherwise a rule keeps matching until its injection."""
        if self._counts_matches:
            self.mark((rule.name,))

    def mark(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """Records that rules were injected, `since` ago. Blanks around a name are ignored, as in the
        reference agent.
        """
        for name in names:
            self._injected_at[name.strip()] = self._count - elapsed_units(since, self.unit)

    def end_answer(self) -> None:
        """Records that an answer of the agent ended."""
        self._count += self.unit is RepeatUnit.ANSWERS

    def end_turn(self) -> None:
        """Records that a turn was completed."""
        self._count += self.unit is RepeatUnit.TURNS
