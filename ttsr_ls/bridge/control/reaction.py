"""The results of the controller, and its limits."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.control.driver import ToAgent
from ttsr_ls.bridge.control.views import RunView
from ttsr_ls.rules.settings.settings import Settings


class ControlLimits(Struct, frozen=True):
    """The limits of one session.

    `interrupts` is the most interrupts of one turn, unless settings have another limit; `timeout` is the time limit of
    an answer of the agent, in milliseconds.
    """

    interrupts: int = 10
    timeout: int = 60_000

    def max_interrupts_of(self, settings: Settings) -> int:
        """Returns the maximum number of interrupts of a turn under these settings."""
        return self.interrupts if settings.max_interrupts is None else settings.max_interrupts


CONTROL_LIMITS = ControlLimits()


class Reaction(Struct, frozen=True):
    """The result of handling a line or the passing of time."""

    outgoing: tuple[ToAgent, ...] = ()
    views: tuple[RunView, ...] = ()
