"""Token usage of a session: a fold of its events, live and at replay."""

from __future__ import annotations

from ttsr_ls.session.history.turn import CompactionSummary, ModelCall
from ttsr_ls.session.history.turn_events import (
    HistoryCleared,
    HistoryCompacted,
    HistoryRewound,
    StepAppended,
    TurnEvent,
)
from ttsr_ls.session.history.usage import NO_USAGE, Usage


def is_answer(event: TurnEvent) -> bool:
    """Returns whether the event records an answer of a model."""
    return isinstance(event, StepAppended) and isinstance(event.content, ModelCall)


class UsageMeter:
    """Counts the tokens of the answers of `agent`."""

    __slots__ = ("_agent", "last", "total")

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self.total = NO_USAGE
        """The sum over all answers and summaries on record. Rewinding and clearing do not reduce it."""
        self.last: Usage | None = None
        """The usage of the last complete answer since the history last got shorter; None where there is none."""

    def evolve(self, event: TurnEvent) -> None:
        """Updates the counts by an event that is on record."""
        match event:
            case StepAppended(content=ModelCall(agent=self._agent, usage=usage) as call) if usage is not None:
                self.total += usage
                if call.complete:
                    self.last = usage
            case HistoryCompacted():
                summaries = (step for step in event.steps if isinstance(step, CompactionSummary))
                self.total = sum((summary.usage for summary in summaries if summary.usage is not None), self.total)
                self.last = None
            case HistoryRewound() | HistoryCleared():
                self.last = None
            case _:
                pass
