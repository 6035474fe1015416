"""What the monitor asks before it tries a rule: whether the rule may fire now. Each dialect has its own answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ttsr_ls.engine.rule import Rule


class Gate(Protocol):
    """Remembers what fired and what was injected in a session. `now` is the host's time, in seconds."""

    @property
    def injected(self) -> tuple[str, ...]:
        """The names of the rules that do not count as new any more, in order."""

    def admits(self, rule: Rule, now: float) -> bool:
        """Whether the rule may fire now."""

    def fired(self, rule: Rule, now: float) -> None:
        """The rule fired just now; whether that counts already is the dialect's business."""

    def mark(self, names: Iterable[str]) -> None:
        """The injections of these rules were committed just now."""

    def restore(self, names: Iterable[str]) -> None:
        """The injections of these rules were committed before the session was resumed."""

    def end_turn(self) -> None:
        """A turn was completed."""
