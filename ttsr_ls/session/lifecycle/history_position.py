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

_MAX_DIGITS = 16


class HistoryPosition(Struct, frozen=True, gc=False):
    """The highest number of a turn so far, the turn in progress, and the number of its next step.

    Turns are not counted, because the record of one may be lost in a damaged log.
    """

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
                return HistoryPosition(self._turns_with(event.turn), event.turn, 0)
            case StepAppended() | OutputInterrupted() | InjectionCommitted():
                return HistoryPosition(self.turns, self.turn, max(self.step, event.step + 1))
            case HistoryCompacted():
                if event.turn == self.turn:
                    return replace(self, step=event.step + len(event.steps))
                return HistoryPosition(self._turns_with(event.turn))
            case TurnEnded():
                return HistoryPosition(max(self.turns, _number(event.turn)))
            case SessionResumed() | HistoryRewound() | HistoryCleared():
                return HistoryPosition(self.turns)
            case _:
                return self

    def _turns_with(self, turn: str) -> int:
        return max(self.turns + 1, _number(turn))


def _number(turn: str) -> int:
    """The number in the id of a turn; 0 for an id of another form, which only a damaged log has."""
    digits = turn.removeprefix("t")
    return int(digits) if digits.isdecimal() and len(digits) < _MAX_DIGITS else 0
