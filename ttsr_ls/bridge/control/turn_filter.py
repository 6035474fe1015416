"""Keeps one turn in the log where the agent's protocol makes several: its turn ends by our interrupt or reminder, and
our message begins another."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.session.history.turn_events import TurnCancelled, UserInput
from ttsr_ls.session.output.agent_events import AgentEvent, TurnClosed, TurnOpened


class TurnFilter:
    """Leaves out the ends and beginnings of turns that our own messages make."""

    __slots__ = ("_is_held", "_sent")

    def __init__(self) -> None:
        self._sent: set[str] = set()
        self._is_held = False

    @property
    def is_held(self) -> bool:
        """The turn goes on, whatever the agent says of its turns."""
        return self._is_held

    def hold(self) -> None:
        """From here on the turn goes on."""
        self._is_held = True

    def release(self) -> None:
        """The agent answers again, or the turn is over."""
        self._is_held = False

    def add_sent(self, text: str) -> None:
        """A message of ours, which the agent may repeat as a prompt."""
        self._sent.add(text)

    def filtered(self, events: Iterable[AgentEvent], *, in_turn: bool, is_stopping: bool) -> list[AgentEvent]:
        """The events that count. `is_stopping`: the agent was asked to stop and has not confirmed it."""
        kept: list[AgentEvent] = []
        for event in events:
            match event:
                case TurnOpened(trigger=UserInput(text=text)) if text in self._sent and in_turn:
                    if kept and isinstance(kept[-1], TurnClosed):
                        kept.pop()
                case TurnOpened() if self._is_held:
                    pass
                case TurnClosed() if self._is_held and (is_stopping or isinstance(event.outcome, TurnCancelled)):
                    pass
                case _:
                    kept.append(event)
        return kept
