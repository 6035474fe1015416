"""Merges turns of the agent's protocol into one turn in the log: an interrupt ends its turn, and the injected message
begins another one."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.session.history.turn_events import TurnCancelled, UserInput
from ttsr_ls.session.output.agent_events import AgentEvent, TurnClosed, TurnOpened


class TurnMerger:
    """Removes the ends and starts of turns that the messages of this program cause."""

    __slots__ = ("_sent", "is_merging")

    def __init__(self) -> None:
        self._sent: set[str] = set()
        self.is_merging = False
        """True if the turn continues although the agent reports its end."""

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
                case TurnOpened() if self.is_merging:
                    pass
                case TurnClosed() if self.is_merging and (is_stopping or isinstance(event.outcome, TurnCancelled)):
                    pass
                case _:
                    kept_events.append(event)
        return kept_events
