"""What the controller gives back, and its limits."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.control.driver import ToAgent
from ttsr_ls.bridge.control.views import RunView


class ControlLimits(Struct, frozen=True):
    """`interrupts` bounds those of one turn; `patience` is how long the agent may take to answer, in milliseconds."""

    interrupts: int = 10
    patience: int = 60_000


CONTROL_LIMITS = ControlLimits()


class Reaction(Struct, frozen=True):
    """What follows from a line or from the passing of time."""

    outgoing: tuple[ToAgent, ...] = ()
    views: tuple[RunView, ...] = ()
