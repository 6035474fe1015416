"""A state that is rewound together with its session, for folds of a log that must respect rewinding and clearing.

States are immutable values. A fold passes every event to `evolve` before it handles the event, and sets `now` to its
next state.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from ttsr_ls.session.history.turn_events import HistoryCleared, HistoryCompacted, HistoryRewound, TurnEvent, TurnStarted

State = TypeVar("State")


class Rewindable(Generic[State]):
    """A state with its values at the beginning of each turn of the history."""

    __slots__ = ("_at_start", "_initial", "now")

    def __init__(self, initial: State) -> None:
        self._initial = initial
        self._at_start: dict[str, State] = {}
        """In the order of the turns. States that did not change are shared, so that a turn costs little."""
        self.now = initial
        """The state so far."""

    def evolve(self, event: TurnEvent) -> None:
        """Saves the state at the start of a turn; restores a saved or the initial state when the session is rewound or
        cleared.
        """
        match event:
            case TurnStarted() | HistoryCompacted():
                self._at_start.setdefault(event.turn, self.now)
            case HistoryRewound():
                self._rewind(event.turn)
            case HistoryCleared():
                self._at_start.clear()
                self.now = self._initial
            case _:
                pass

    def _rewind(self, turn: str) -> None:
        if turn not in self._at_start:
            return
        while True:
            began, state = self._at_start.popitem()
            if began == turn:
                self.now = state
                return
