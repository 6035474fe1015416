"""The parts of a pi-ttsr rule that other rules do not have (spec P2)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.rules.condition import Condition
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.pattern import PiFlags


class FiringLimits(Struct, frozen=True):
    """The limits on the firings of a rule in a session. Both may be fractions, negative, infinite or not a number.

    `max_firings` limits the number of firings, `cooldown` is in seconds. A limit that is not a number has no effect.
    """

    max_firings: float
    cooldown: float


class PiTrigger(Struct, frozen=True):
    """The trigger, to be tested on a line or a delta.

    The rule's only condition is matched on the agent's text and matches whenever the trigger does
    (`syntax.pi.pattern`).
    """

    condition: Condition
    flags: PiFlags
    scope: PiScope
    limits: FiringLimits
