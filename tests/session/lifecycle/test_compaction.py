"""A compaction is one record, so it is on record completely or not at all."""

from __future__ import annotations

import pytest

from tests.session.lifecycle.machine import PATHS, DrivenMachine
from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import RehydratedFile, TurnIdle
from ttsr_ls.session.history.turn_events import HistoryCompacted, HistoryRewound
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.lifecycle.transitions import CompactHistory, LifecycleInput, Phase

COMPACT = CompactHistory("all", "yes", "read", (RehydratedFile("{}", "x"),))


def fold(driven: DrivenMachine) -> TurnFold:
    folded = TurnFold()
    for event in driven.log:
        folded.evolve(event)
    return folded


@pytest.mark.parametrize("path", [(), PATHS[Phase.READY], PATHS[Phase.DONE]])
def test_a_compaction_is_one_record_and_two_steps(path: tuple[LifecycleInput, ...]) -> None:
    driven = DrivenMachine(*path)
    before = len(driven.log)
    driven.tr(COMPACT)
    assert [type(event) for event in driven.log[before:]] == [HistoryCompacted]
    turn = fold(driven).turns[-1]
    assert [type(step.content).__name__ for step in turn.steps[-2:]] == ["CompactionSummary", "CompactionRehydration"]
    assert driven.machine.position.step == (turn.steps[-1].number + 1 if path else 0)
    assert not fold(driven).problems


def test_a_compaction_between_turns_is_a_finished_turn_that_can_be_rewound() -> None:
    driven = DrivenMachine(COMPACT)
    folded = fold(driven)
    assert [(turn.id, turn.state) for turn in folded.turns] == [("t1", TurnIdle())]
    assert driven.machine.position.next_turn == "t2"
    folded.evolve(HistoryRewound("t1"))
    assert folded.turns == ()
    assert not folded.problems


def test_a_compaction_of_a_finished_turn_is_reported_and_changes_nothing() -> None:
    driven = DrivenMachine(COMPACT)
    (compacted,) = driven.log
    folded = fold(driven)
    folded.evolve(compacted)
    assert len(folded.turns) == 1
    assert folded.problems


def test_rewinding_to_a_compaction_restores_the_state_before_it() -> None:
    (compacted,) = DrivenMachine(COMPACT).log
    state = Rewindable("before")
    state.evolve(compacted)
    state.now = "after"
    state.evolve(HistoryRewound("t1"))
    assert state.now == "before"
