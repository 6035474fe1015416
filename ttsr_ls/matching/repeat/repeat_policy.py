"""Decides whether a rule may fire now. Each dialect has its own policy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from ttsr_ls.rules.rule import Rule


class Elapsed(Struct, frozen=True):
    """How many answers and turns ended since something happened."""

    answers: int = 0
    turns: int = 0


JUST_NOW = Elapsed()


class RepeatPolicy(Protocol):
    """Remembers which rules fired and which were injected in a session. `now` is the host's time, in seconds."""

    @property
    def depends_on_time(self) -> bool:
        """Whether `admits` may change its answer for no other reason than that time passes."""

    @property
    def injected(self) -> tuple[str, ...]:
        """The names of the rules that do not count as new any more, in order."""

    def admits(self, rule: Rule, now: float) -> bool:
        """Whether the rule may fire now."""

    def record_firing(self, rule: Rule, now: float) -> None:
        """The rule fired just now; whether that counts already is the dialect's business."""

    def mark(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """The injections of these rules were committed; `since` is what ended after that."""

    def end_answer(self) -> None:
        """An answer of the agent ended."""

    def end_turn(self) -> None:
        """A turn was completed."""
