"""The repeat policy: whether a rule whose injection was delivered may fire again (spec I5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ttsr_ls.matching.repeat.gate import JUST_NOW, Elapsed
from ttsr_ls.rules.settings.settings import RepeatMode, RepeatUnit, Settings


def elapsed_units(since: Elapsed, unit: RepeatUnit) -> int:
    """How much ended since then, counted in `unit`."""
    match unit:
        case RepeatUnit.ANSWERS:
            return since.answers
        case RepeatUnit.TURNS:
            return since.turns
    assert_never(unit)


class RepeatGate:
    """Remembers which rules were injected, and when. Counts what the settings say, or else `unit`."""

    __slots__ = ("_count", "_gap", "_injected_at", "_mode", "_unit")

    def __init__(self, settings: Settings, unit: RepeatUnit) -> None:
        self._mode = settings.repeat_mode
        self._gap = settings.repeat_gap
        self._unit = unit if settings.repeat_unit is None else settings.repeat_unit
        self._count = 0
        """The units that ended so far."""
        self._injected_at: dict[str, int] = {}

    @property
    def injected(self) -> tuple[str, ...]:
        """The names of the rules that were injected, in order of their first injection."""
        return tuple(self._injected_at)

    def admits(self, name: str) -> bool:
        """Whether the rule may fire now."""
        injected_at = self._injected_at.get(name)
        if injected_at is None:
            return True
        match self._mode:
            case RepeatMode.ONCE:
                return False
            case RepeatMode.AFTER_GAP:
                return self._count - injected_at >= self._gap
        assert_never(self._mode)

    def mark(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """Rules were injected, `since` ago. Blanks around a name do not count, as in the reference."""
        for name in names:
            self._injected_at[name.strip()] = self._count - elapsed_units(since, self._unit)

    def end_answer(self) -> None:
        """An answer of the agent ended."""
        self._count += self._unit is RepeatUnit.ANSWERS

    def end_turn(self) -> None:
        """A turn was completed."""
        self._count += self._unit is RepeatUnit.TURNS
