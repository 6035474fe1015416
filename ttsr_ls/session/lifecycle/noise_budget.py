"""Limits the triggers that users see: rules that a user silenced, and the most triggers of a turn and of a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression


class Silence(Struct, frozen=True):
    """A rule that is silenced until `until`, in milliseconds since the Unix epoch; None: as long as the session."""

    rule: str
    until: int | None = None


class NoiseLimits(Struct, frozen=True):
    """The silenced rules, and the limits of triggers in a turn and in a session; None: no limit."""

    silences: tuple[Silence, ...] = ()
    per_turn: int | None = None
    per_session: int | None = None


NO_NOISE_LIMITS = NoiseLimits()


class NoiseSource(Protocol):
    """Knows the limits of one session."""

    def __call__(self) -> NoiseLimits:
        """Returns the limits that hold now."""

    def join(self, session: str) -> None:
        """Sets the agent's own id of the session: silences that other programs set for that id then apply, too."""


class FixedNoise(Struct, frozen=True):
    """The same limits at any time."""

    limits: NoiseLimits = NO_NOISE_LIMITS

    def __call__(self) -> NoiseLimits:
        """Returns the limits."""
        return self.limits

    def join(self, session: str) -> None:
        """Does nothing: all sessions have the same limits."""


class NoiseBudget:
    """Counts the triggers of one turn and one session, against the limits on noise."""

    __slots__ = ("_of_session", "_of_turn", "_suppressed")

    def __init__(self) -> None:
        self._of_turn = 0
        self._of_session = 0
        self._suppressed: Counter[tuple[str, Suppression]] = Counter()

    def spend(self, rule: str, limits: NoiseLimits, now: int) -> Suppression | None:
        """Counts a trigger at `now`, in milliseconds since the Unix epoch. Returns why it is suppressed; else None."""
        reason = self._reason(rule, limits, now)
        if reason is None:
            self._of_turn += 1
            self._of_session += 1
        else:
            self._suppressed[rule, reason] += 1
        return reason

    @property
    def has_suppressed(self) -> bool:
        """True if a trigger was suppressed since the last turn ended."""
        return bool(self._suppressed)

    def start_turn(self) -> None:
        """Starts a turn, also if `end_turn` was not called for the one before."""
        self._of_turn = 0

    def end_turn(self) -> tuple[SuppressedRule, ...]:
        """Ends the turn. Returns the triggers that were suppressed in it."""
        found = tuple(SuppressedRule(*key, number) for key, number in sorted(self._suppressed.items()))
        self._of_turn = 0
        self._suppressed.clear()
        return found

    def _reason(self, rule: str, limits: NoiseLimits, now: int) -> Suppression | None:
        if any(silence.rule == rule and (silence.until is None or now < silence.until) for silence in limits.silences):
            return Suppression.SILENCED
        if limits.per_session is not None and self._of_session >= limits.per_session:
            return Suppression.SESSION_CAP
        if limits.per_turn is not None and self._of_turn >= limits.per_turn:
            return Suppression.TURN_CAP
        return None


class NoiseGate:
    """Decides which triggers of one session count. Features that share a gate share its caps.

    `limits` returns the current limits, `now` the time in milliseconds since the Unix epoch. `budget` has the counts,
    if the session's triggers are counted elsewhere as well.
    """

    __slots__ = ("_budget", "_limits", "_now")

    def __init__(
        self, limits: Callable[[], NoiseLimits], now: Callable[[], int], budget: NoiseBudget | None = None
    ) -> None:
        self._budget = NoiseBudget() if budget is None else budget
        self._limits = limits
        self._now = now

    def admits(self, rule: str) -> bool:
        """Counts a trigger of a rule. Returns False if it is suppressed."""
        return self._budget.spend(rule, self._limits(), self._now()) is None

    def start_turn(self) -> None:
        """Starts a turn. The one before may have ended without `end_turn`, as a turn does that is rewound."""
        self._budget.start_turn()

    def end_turn(self) -> tuple[SuppressedRule, ...]:
        """Ends the turn. Returns the triggers that were suppressed in it."""
        return self._budget.end_turn()
