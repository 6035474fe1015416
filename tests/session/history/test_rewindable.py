"""A rewindable state is rewound together with its session."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import UserInput
from ttsr_ls.session.history.turn_events import HistoryCleared, HistoryRewound, TurnEvent, TurnStarted


def started(turn: str) -> TurnStarted:
    return TurnStarted(turn, UserInput("go"))


def test_rewinding_restores_the_state_at_the_start_of_the_turn() -> None:
    state = Rewindable(0)
    for number, turn in enumerate(("t1", "t2", "t3")):
        state.evolve(started(turn))
        state.now = number + 1
    state.evolve(HistoryRewound("t2"))
    assert state.now == 1
    state.evolve(HistoryRewound("t3"))
    assert state.now == 1, "a removed turn cannot be rewound again"
    state.evolve(HistoryRewound("t1"))
    assert state.now == 0


def test_clearing_restores_the_initial_state_and_drops_all_turns() -> None:
    state = Rewindable("")
    state.now = "before any turn"
    state.evolve(started("t1"))
    state.evolve(HistoryCleared())
    assert state.now == ""
    state.now = "after"
    state.evolve(HistoryRewound("t1"))
    assert state.now == "after"


EVENT = st.one_of(
    st.sampled_from("abcd").map(started),
    st.sampled_from("abcd").map(HistoryRewound),
    st.just(HistoryCleared()),
    st.integers(1, 9),
)


@given(st.lists(EVENT, max_size=30))
def test_the_state_equals_a_fold_of_the_events_that_were_not_rewound(events: list[TurnEvent | int]) -> None:
    """Compared with a model that stores all events, and deletes those after the turn."""
    state: Rewindable[tuple[int, ...]] = Rewindable(())
    kept: list[TurnStarted | int] = []
    for event in events:
        match event:
            case int():
                state.now = (*state.now, event)
                kept.append(event)
                continue
            case TurnStarted():
                if event in kept:
                    continue  # No session has two turns with one id.
                kept.append(event)
            case HistoryRewound(turn):
                if started(turn) in kept:
                    del kept[kept.index(started(turn)) :]
            case _:
                kept = []
        state.evolve(event)
        assert state.now == tuple(item for item in kept if isinstance(item, int))
