"""The steps of the history that a model sees: those of its agent, since its last compaction, without
discarded answers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn import (
    CompactionRehydration,
    CompactionSummary,
    Injection,
    Interruption,
    ModelCall,
    NumberedStep,
    ToolBatch,
    TurnTrigger,
)


class Exchange(Struct, frozen=True, gc=False):
    """An answer with the batch of its tool calls; without a batch if none is on record."""

    answer: ModelCall
    batch: ToolBatch | None


Visible = TurnTrigger | Injection | CompactionSummary | CompactionRehydration | Exchange


def discarded_answers(steps: Iterable[NumberedStep], agent: str) -> set[int]:
    """The numbers of the interrupted answers of `agent` that are not in its model's context."""
    return {
        step.content.answer
        for step in steps
        if isinstance(step.content, Interruption)
        and step.content.agent == agent
        and step.content.context is ContextMode.DISCARD
    }


def visible_steps(
    steps: Iterable[NumberedStep], agent: str, discarded: Container[int]
) -> Iterator[Injection | CompactionSummary | CompactionRehydration | Exchange]:
    """Yields the steps that the model of `agent` sees, from consecutive steps that begin with a turn or with an answer
    of `agent`.
    """
    numbered_steps = [step for step in steps if step.content.agent == agent]
    batches = _batches(numbered_steps)
    for step in numbered_steps:
        match step.content:
            case ModelCall():
                if step.number not in discarded:
                    yield Exchange(step.content, batches.get(step.number))
            case ToolBatch() | Interruption():
                pass  # Batches are part of their exchange, and interruptions are not sent.
            case _:
                yield step.content


def _batches(steps: Iterable[NumberedStep]) -> dict[int, ToolBatch]:
    """Each batch by the number of its answer, the last one before it. An answer has one batch: the first."""
    batches: dict[int, ToolBatch] = {}
    answer: int | None = None
    for step in steps:
        if isinstance(step.content, ModelCall):
            answer = step.number
        elif isinstance(step.content, ToolBatch) and answer is not None:
            batches.setdefault(answer, step.content)
    return batches
