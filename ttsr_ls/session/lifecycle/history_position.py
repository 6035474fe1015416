"""The current position in the history, derived from the log: the ids of the next turn and the next step."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.session.history.turn_events import (
    HistoryCleared,
    HistoryCompacted,
    HistoryRewound,
    InjectionCommitted,
    OutputInterrupted,
    SessionResumed,
    StepAppended,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)


class HistoryPosition(Struct, frozen=True, gc=False):
    """The number of turns so far, the turn in progress, and the number of its next step."""

    turns: int = 0
    turn: str | None = None
    step: int = 0

    @property
    def next_turn(self) -> str:
        """The id of the next turn. No id is used twice in a log."""
        return f"t{self.turns + 1}"

    def after(self, event: TurnEvent) -> HistoryPosition:
        match event:
            case TurnStarted():
                return HistoryPosition(self.turns + 1, event.turn, 0)
            case StepAppended() | OutputInterrupted() | InjectionCommitted():
                return HistoryPosition(self.turns, self.turn, max(self.step, event.step + 1))
            case HistoryCompacted():
                is_here = event.turn == self.turn
                return replace(self, step=event.step + len(event.steps)) if is_here else HistoryPosition(self.turns + 1)
            case TurnEnded() | SessionResumed() | HistoryRewound() | HistoryCleared():
                return HistoryPosition(self.turns)
            case _:
                return self
