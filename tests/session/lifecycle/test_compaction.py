"""Compacting is one record: on record with all that belongs to it, or not at all."""

from __future__ import annotations

import pytest

from tests.session.lifecycle.machine import WAY, Tried
from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import RehydratedFile, TurnIdle
from ttsr_ls.session.history.turn_events import HistoryCompacted, HistoryRewound
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.lifecycle.transitions import CompactHistory, LifecycleInput, Phase

COMPACT = CompactHistory("all", "yes", "read", (RehydratedFile("{}", "x"),))


def fold(tried: Tried) -> TurnFold:
    folded = TurnFold()
    for event in tried.log:
        folded.evolve(event)
    return folded


@pytest.mark.parametrize("way", [(), WAY[Phase.READY], WAY[Phase.DONE]])
def test_summary_and_files_are_one_record_and_two_steps(way: tuple[LifecycleInput, ...]) -> None:
    tried = Tried(*way)
    before = len(tried.log)
    tried.tr(COMPACT)
    assert [type(event) for event in tried.log[before:]] == [HistoryCompacted]
    turn = fold(tried).turns[-1]
    assert [type(step.content).__name__ for step in turn.steps[-2:]] == ["CompactionSummary", "CompactionRehydration"]
    assert tried.machine.position.step == (turn.steps[-1].number + 1 if way else 0)
    assert not fold(tried).problems


def test_between_turns_it_is_a_turn_that_is_over_and_can_be_gone_back_to() -> None:
    tried = Tried(COMPACT)
    folded = fold(tried)
    assert [(turn.id, turn.state) for turn in folded.turns] == [("t1", TurnIdle())]
    assert tried.machine.position.next_turn == "t2"
    folded.evolve(HistoryRewound("t1"))
    assert folded.turns == ()
    assert not folded.problems


def test_one_of_a_turn_that_is_over_is_reported_and_changes_nothing() -> None:
    tried = Tried(COMPACT)
    (compacted,) = tried.log
    folded = fold(tried)
    folded.evolve(compacted)
    assert len(folded.turns) == 1
    assert folded.problems


def test_a_state_that_goes_back_to_it_forgets_what_came_after() -> None:
    (compacted,) = Tried(COMPACT).log
    state = Rewindable("before")
    state.evolve(compacted)
    state.now = "after"
    state.evolve(HistoryRewound("t1"))
    assert state.now == "before"
