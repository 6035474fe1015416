"""Merges turns of the agent's protocol into one turn in the log: an interrupt ends its turn, and the injected message
begins another one."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.session.history.turn_events import TurnCancelled, UserInput
from ttsr_ls.session.output.agent_events import AgentEvent, TurnClosed, TurnOpened


class TurnMerger:
    """Removes the ends and starts of turns that the messages of this program cause."""

    __slots__ = ("_is_merging", "_sent")

    def __init__(self) -> None:
        self._sent: set[str] = set()
        self._is_merging = False

    @property
    def is_merging(self) -> bool:
        """True if the turn continues although the agent reports its end."""
        return self._is_merging

    def start_merging(self) -> None:
        """Makes the turn continue until `stop_merging`."""
        self._is_merging = True

    def stop_merging(self) -> None:
        """Ends merging: the agent answers again, or the turn is over."""
        self._is_merging = False

    def add_sent(self, text: str) -> None:
        """Adds a sent message, which the agent may repeat as a prompt."""
        self._sent.add(text)

    def merged(self, events: Iterable[AgentEvent], *, in_turn: bool, is_stopping: bool) -> list[AgentEvent]:
        """Returns the events to record. `is_stopping`: the agent was asked to stop and has not confirmed it."""
        kept_events: list[AgentEvent] = []
        for event in events:
            match event:
                case TurnOpened(trigger=UserInput(text=text)) if text in self._sent and in_turn:
                    if kept_events and isinstance(kept_events[-1], TurnClosed):
                        kept_events.pop()
                case TurnOpened() if self._is_merging:
                    pass
                case TurnClosed() if self._is_merging and (is_stopping or isinstance(event.outcome, TurnCancelled)):
                    pass
                case _:
                    kept_events.append(event)
        return kept_events
