"""The repeat policy: whether a rule whose injection was delivered may fire again (semantics.md I5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ttsr_ls.engine.settings import RepeatMode, Settings


class RepeatGate:
    """Remembers which rules were injected, and when, counted in completed turns of the session."""

    __slots__ = ("_completed_turns", "_gap", "_injected_at", "_mode")

    def __init__(self, settings: Settings) -> None:
        self._mode = settings.repeat_mode
        self._gap = settings.repeat_gap
        self._completed_turns = 0
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
                return self._completed_turns - injected_at >= self._gap
        assert_never(self._mode)

    def mark(self, names: Iterable[str]) -> None:
        """Rules were injected just now. Blanks around a name do not count, as in the reference."""
        for name in names:
            self._injected_at[name.strip()] = self._completed_turns

    def restore(self, names: Iterable[str]) -> None:
        """Rules were injected before this session was resumed; how long ago is not known and taken as turn 0 (I6)."""
        for name in names:
            self._injected_at[name] = 0

    def end_turn(self) -> None:
        """A turn was completed."""
        self._completed_turns += 1
