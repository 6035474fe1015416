"""Rules of pi-ttsr as the engine uses them: a rule as any other, and what its own dialect adds (spec P2)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.syntax.pi.pattern import PiFlags
from ttsr_ls.syntax.pi.rule_file import PiScope


class FiringLimits(Struct, frozen=True):
    """How often a rule fires in a session. Both may be fractions, negative, infinite or not a number.

    `max_firings` counts firings, `cooldown` is in seconds; a limit that is not a number limits nothing.
    """

    max_firings: float
    cooldown: float


class PiRule(Struct, frozen=True):
    """A rule of pi-ttsr.

    `rule` watches the agent's text by one condition, which holds of that text when the trigger does (`pi_pattern`).
    `trigger` is the trigger by itself, to be tried on a line or a piece.
    """

    rule: Rule
    trigger: Condition
    flags: PiFlags
    scope: PiScope
    limits: FiringLimits
