"""Where in the history a session is, as its log tells: what the next turn and the next step will be called."""

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
    """How many turns began, the one under way, and the number of its next step."""

    turns: int = 0
    turn: str | None = None
    step: int = 0

    @property
    def next_turn(self) -> str:
        """The name of the turn that begins next. None is used twice in a log."""
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
