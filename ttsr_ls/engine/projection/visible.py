"""Which steps of the history a model sees: those of its agent, since its last compaction, less what was discarded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ttsr_ls.engine.settings import ContextMode
from ttsr_ls.engine.turn import (
    CompactionRehydration,
    CompactionSummary,
    Injection,
    Interruption,
    ModelCall,
    ToolBatch,
    Turn,
    TurnTrigger,
)
from ttsr_ls.engine.turn_events import MAIN_AGENT


class Exchange(Struct, frozen=True):
    """An answer with the batch of its tool calls; without a batch where none is on record."""

    answer: ModelCall
    batch: ToolBatch | None


Visible = TurnTrigger | Injection | CompactionSummary | CompactionRehydration | Exchange


def visible(turns: Iterable[Turn], agent: str, top: str = MAIN_AGENT) -> list[Visible]:
    """What the model of `agent` sees, in order. Only `top`, whose turns they are, is told what set them off."""
    found: list[Visible] = []
    for turn in turns:
        if agent == top:
            found.append(turn.trigger)
        for step in _of_turn(turn, agent):
            if isinstance(step, CompactionSummary):
                found.clear()  # It stands for all before, so nothing of that may be sent again.
            found.append(step)
    return found


def _of_turn(turn: Turn, agent: str) -> Iterator[Injection | CompactionSummary | CompactionRehydration | Exchange]:
    steps = [step for step in turn.steps if step.content.agent == agent]
    discarded = {
        step.content.answer
        for step in steps
        if isinstance(step.content, Interruption) and step.content.context is ContextMode.DISCARD
    }
    batches = _batches(turn, agent)
    for step in steps:
        match step.content:
            case ModelCall():
                if step.number not in discarded:
                    yield Exchange(step.content, batches.get(step.number))
            case ToolBatch() | Interruption():
                pass  # Its answer has it.
            case _:
                yield step.content


def _batches(turn: Turn, agent: str) -> dict[int, ToolBatch]:
    """Each batch by the number of the answer that it belongs to: the last before it, and one batch an answer."""
    found: dict[int, ToolBatch] = {}
    answer: int | None = None
    for step in turn.steps:
        if step.content.agent != agent:
            continue
        if isinstance(step.content, ModelCall):
            answer = step.number
        elif isinstance(step.content, ToolBatch) and answer is not None:
            found.setdefault(answer, step.content)
    return found
