"""The repeat policy of pi-ttsr: how often a rule fires in a session, and how long it pauses (spec P5)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.matching.repeat.repeat_policy import JUST_NOW, Elapsed
from ttsr_ls.rules.rule import Rule


class _Fired(Struct, frozen=True):
    firings: int
    last: float


class FiringLimitPolicy:
    """A `RepeatPolicy` that counts firings from the moment of the match.

    As in the seed, the count belongs to a name: two files of one name share it. It lasts for the session, is not
    persisted, and ignores turns. Unlike in the seed, a rule that has not fired yet has no cooldown: there, it also runs
    from the year 1970, which matters only for a cooldown of half a century.
    """

    __slots__ = ("_fired", "_limits", "depends_on_time")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._limits = {rule.path: rule.pi.limits for rule in rules if rule.pi is not None}
        self._fired: dict[str, _Fired] = {}
        self.depends_on_time = any(limits.cooldown > 0 for limits in self._limits.values())

    def admits(self, rule: Rule, now: float) -> bool:
        """Returns whether the rule has a firing left and its cooldown is over. A limit that is NaN does not apply."""
        limits = self._limits[rule.path]
        fired = self._fired.get(rule.name)
        if (0 if fired is None else fired.firings) >= limits.max_firings:
            return False
        return not (fired is not None and limits.cooldown > 0 and now - fired.last < limits.cooldown)

    def record_firing(self, rule: Rule, now: float) -> None:
        """Adds one firing of the rule at `now`, for its cooldown and its limit."""
        before = self._fired.get(rule.name)
        self._fired[rule.name] = _Fired(1 if before is None else before.firings + 1, now)

    def mark(self, names: Iterable[str], since: Elapsed = JUST_NOW) -> None:
        """Does nothing: the firing was counted already."""

    def end_answer(self) -> None:
        """Does nothing: answers do not count."""

    def end_turn(self) -> None:
        """Does nothing: turns do not count."""
