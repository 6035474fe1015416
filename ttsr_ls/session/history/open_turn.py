"""The turn in progress: its steps as they arrive, and the states of its tool calls.

Reports whether a change is valid; the fold reports problems. Also reports the first step whose view changes with each
change, so that views of earlier steps stay valid.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Container
from math import inf

from msgspec.structs import replace

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.abandoned import MAY_HAVE_RUN, NEVER_RAN
from ttsr_ls.session.history.turn import (
    Interruption,
    ModelCall,
    NumberedStep,
    Step,
    ToolBatch,
    Turn,
    TurnInProgress,
    TurnOutcome,
    TurnTrigger,
)
from ttsr_ls.session.history.turn_output import CallAbandoned, CallPending, CallRunning, ToolItem, ToolState


class OpenTurn:
    """A turn that has started and not ended."""

    __slots__ = ("_answers", "_changes", "_discarded", "_items", "_numbers", "_steps", "id", "trigger")

    def __init__(self, turn: str, trigger: TurnTrigger) -> None:
        self.id = turn
        self.trigger = trigger
        self._changes: dict[str, list[int]] = {}
        self._discarded: dict[str, set[int]] = {}
        self._numbers: list[int] = []
        """The numbers of the steps, sorted."""
        self._answers: dict[str, list[int]] = {}
        """The numbers of the answers of each agent, sorted."""
        self._steps: dict[int, Step] = {}
        self._items: dict[int, dict[str, ToolItem]] = {}
        """The calls of each tool batch, in order."""

    def append(self, number: int, step: Step) -> bool:
        """Adds a step; returns False if there is one with this number. Of two calls of one id in a batch, the first
        counts.

        Answers of concurrent agents end in any order, so steps need not arrive in order of their numbers.
        """
        if number in self._steps:
            return False
        self._steps[number] = step
        insort(self._numbers, number)
        first = self._owner(number, step.agent)
        if isinstance(step, Interruption):
            first = min(first, step.answer)
            if step.context is ContextMode.DISCARD:
                self._discarded.setdefault(step.agent, set()).add(step.answer)
        self.changed_steps(step.agent).append(first)
        if isinstance(step, ModelCall):
            insort(self._answers.setdefault(step.agent, []), number)
        if isinstance(step, ToolBatch):
            items = self._items[number] = {}
            for item in step.items:
                items.setdefault(item.call, item)
        return True

    def knows_call(self, number: int, call_id: str) -> bool:
        """Returns whether step `number` is a tool batch with this call."""
        return call_id in self._items.get(number, ())

    def call_item(self, number: int, call_id: str) -> ToolItem | None:
        """Returns a call of the tool batch that is step `number`; None if there is none."""
        return self._items.get(number, {}).get(call_id)

    def change_input(self, number: int, call_id: str, arguments: str) -> bool:
        """Replaces the arguments of a call; False if its state was final."""
        item = self._items[number][call_id]
        if not _is_unsettled(item.state):
            return False
        self._change(number, replace(item, arguments=arguments))
        return True

    def update(self, number: int, call_id: str, state: ToolState) -> bool:
        """Sets a call's new state; returns False if its state was final."""
        item = self._items[number][call_id]
        if not _is_unsettled(item.state):
            return False
        self._change(number, replace(item, state=state))
        return True

    def add_tool_reminder(self, number: int, call_id: str, text: str) -> None:
        """Adds a reminder to the call's result."""
        item = self._items[number][call_id]
        self._change(number, replace(item, reminders=(*item.reminders, text)))

    def changed_steps(self, agent: str) -> list[int]:
        """Returns a step number for each change to steps of `agent`, in order: the model's view of earlier steps did
        not change.
        """
        return self._changes.setdefault(agent, [])

    def discarded_answers_of(self, agent: str) -> Container[int]:
        """The numbers of the interrupted answers of `agent` that are not in its model's context."""
        return self._discarded.get(agent, ())

    def last_answer(self, agent: str) -> int | None:
        """Returns the number of the last answer of `agent`; None if there is none."""
        answers = self._answers.get(agent)
        return answers[-1] if answers else None

    def steps_from(self, number: float) -> tuple[NumberedStep, ...]:
        """Returns the current steps from `number` on."""
        start = bisect_left(self._numbers, number)
        return tuple(NumberedStep(number, self._step(number)) for number in self._numbers[start:])

    def turn(self) -> Turn:
        """Returns the current state of the turn."""
        return Turn(self.id, self.trigger, self.steps_from(-inf), TurnInProgress())

    def finished_turn(self, outcome: TurnOutcome) -> Turn:
        """Returns the finished turn. Calls without a result are abandoned."""
        for number, items in self._items.items():
            for item in tuple(items.values()):
                if _is_unsettled(item.state):
                    reason = NEVER_RAN if isinstance(item.state, CallPending) else MAY_HAVE_RUN
                    self._change(number, replace(item, state=CallAbandoned(reason)))
        return Turn(self.id, self.trigger, self.steps_from(-inf), outcome)

    def _change(self, number: int, item: ToolItem) -> None:
        self._items[number][item.call] = item
        agent = self._steps[number].agent
        self.changed_steps(agent).append(self._owner(number, agent))

    def _owner(self, number: int, agent: str) -> int:
        """The number of the answer to which a step belongs: the last of its agent before it; else the step's own."""
        answers = self._answers.get(agent, [])
        before = bisect_left(answers, number)
        return answers[before - 1] if before else number

    def _step(self, number: int) -> Step:
        step = self._steps[number]
        return replace(step, items=tuple(self._items[number].values())) if isinstance(step, ToolBatch) else step


def _is_unsettled(state: ToolState) -> bool:
    return isinstance(state, CallPending | CallRunning)
