"""A trigger in a run, with its position in the transcript."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.ide.triggers.trigger_board import LiveTrigger


class RunTrigger(Struct, frozen=True):
    """The trigger with this `number` (from 0, in its session), which fired at `time` (ms since the Unix epoch).

    `is_live` is true if it fired while the server followed the session.
    """

    number: int
    time: int
    trigger: LiveTrigger
    is_live: bool

    @property
    def matched(self) -> str:
        """The text that matched, as the excerpt has it."""
        excerpt = self.trigger.event.excerpt
        return excerpt.text[excerpt.start : excerpt.end]
