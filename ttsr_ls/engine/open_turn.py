"""The turn under way: its steps as they come, and the states of its tool calls.

Says whether a change can be; what to report where it cannot is the fold's business.
"""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.engine.lifecycle.abandoned import MAY_HAVE_RUN, NEVER_RAN
from ttsr_ls.engine.turn import InProgress, NumberedStep, Outcome, Step, ToolBatch, Turn, TurnTrigger
from ttsr_ls.engine.turn_output import Abandoned, Pending, Running, ToolItem, ToolState


class OpenTurn:
    """A turn that has begun and not ended."""

    __slots__ = ("_items", "_steps", "_trigger", "id")

    def __init__(self, turn: str, trigger: TurnTrigger) -> None:
        self.id = turn
        self._trigger = trigger
        self._steps: dict[int, Step] = {}
        self._items: dict[int, dict[str, ToolItem]] = {}
        """The calls of each tool batch, in order."""

    def append(self, number: int, step: Step) -> bool:
        """Adds a step; False where there is one with this number. Of two calls of one id in a batch the first counts.

        Answers of agents that run side by side end in any order, so steps need not come in order of their numbers.
        """
        if number in self._steps:
            return False
        self._steps[number] = step
        if isinstance(step, ToolBatch):
            items = self._items[number] = {}
            for item in step.items:
                items.setdefault(item.call, item)
        return True

    def knows_call(self, number: int, call: str) -> bool:
        """Whether step `number` is a tool batch with this call."""
        return call in self._items.get(number, ())

    def update(self, number: int, call: str, state: ToolState) -> bool:
        """A call's new state; False where its state was final."""
        item = self._items[number][call]
        if not _is_unsettled(item.state):
            return False
        self._items[number][call] = replace(item, state=state)
        return True

    def remind(self, number: int, call: str, text: str) -> None:
        """Has the call's result carry a reminder."""
        item = self._items[number][call]
        self._items[number][call] = replace(item, reminders=(*item.reminders, text))

    def turn(self) -> Turn:
        """The turn as it is now."""
        return Turn(self.id, self._trigger, self._numbered(), InProgress())

    def ended(self, outcome: Outcome) -> Turn:
        """The turn, over. No call outlives it: what had no result gets none."""
        for items in self._items.values():
            for call, item in items.items():
                if _is_unsettled(item.state):
                    why = NEVER_RAN if isinstance(item.state, Pending) else MAY_HAVE_RUN
                    items[call] = replace(item, state=Abandoned(why))
        return Turn(self.id, self._trigger, self._numbered(), outcome)

    def _numbered(self) -> tuple[NumberedStep, ...]:
        return tuple(NumberedStep(number, self._step(number)) for number in sorted(self._steps))

    def _step(self, number: int) -> Step:
        step = self._steps[number]
        return replace(step, items=tuple(self._items[number].values())) if isinstance(step, ToolBatch) else step


def _is_unsettled(state: ToolState) -> bool:
    return isinstance(state, Pending | Running)
