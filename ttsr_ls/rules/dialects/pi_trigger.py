"""What a rule of pi-ttsr has beyond a rule as any other (spec P2)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.rules.condition import Condition
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.pattern import PiFlags


class FiringLimits(Struct, frozen=True):
    """How often a rule fires in a session. Both may be fractions, negative, infinite or not a number.

    `max_firings` counts firings, `cooldown` is in seconds; a limit that is not a number limits nothing.
    """

    max_firings: float
    cooldown: float


class PiTrigger(Struct, frozen=True):
    """The trigger by itself, to be tried on a line or a delta.

    The rule's one condition watches the agent's text, and holds of that text when the trigger does (`pi_pattern`).
    """

    condition: Condition
    flags: PiFlags
    scope: PiScope
    limits: FiringLimits
