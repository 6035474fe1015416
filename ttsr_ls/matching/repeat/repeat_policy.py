"""Decides whether a rule may fire now. Each dialect has its own policy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from ttsr_ls.rules.rule import Rule


class Elapsed(Struct, frozen=True):
    """The numbers of answers and turns that ended since an event."""

    answers: int = 0
    turns: int = 0


JUST_NOW = Elapsed()


class RepeatPolicy(Protocol):
    """Records which rules fired and which were injected in a session. `now` is the host's time, in seconds."""

    @property
    def depends_on_time(self) -> bool:
        """True if the answer of `admits` may change only because time passes."""

    def admits(self, rule: Rule, now: float) -> bool:
        """Returns whether the rule may fire now."""

    def record_firing(self, rule: Rule, now: float) -> None:
        """Records that the rule fired just now. The dialect decides whether that counts already."""

    def mark(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """Records that the injections of these rules were committed. `since` counts what ended after that."""

    def end_answer(self) -> None:
        """Records that an answer of the agent ended."""

    def end_turn(self) -> None:
        """Records that a turn was completed."""
