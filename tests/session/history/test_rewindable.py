"""A state goes back where its session does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import UserInput
from ttsr_ls.session.history.turn_events import HistoryCleared, HistoryRewound, TurnEvent, TurnStarted


def started(turn: str) -> TurnStarted:
    return TurnStarted(turn, UserInput("go"))


def test_rewinding_goes_back_to_the_start_of_the_turn() -> None:
    state = Rewindable(0)
    for number, turn in enumerate(("t1", "t2", "t3")):
        state.evolve(started(turn))
        state.now = number + 1
    state.evolve(HistoryRewound("t2"))
    assert state.now == 1
    state.evolve(HistoryRewound("t3"))
    assert state.now == 1, "what was taken back is no place to go back to"
    state.evolve(HistoryRewound("t1"))
    assert state.now == 0


def test_clearing_goes_back_to_the_beginning_and_forgets_all_turns() -> None:
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
def test_it_is_what_the_events_that_were_not_taken_back_make_of_it(events: list[TurnEvent | int]) -> None:
    """Against a model that keeps the whole history and takes its end away."""
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
                    continue  # No session has two turns of one name.
                kept.append(event)
            case HistoryRewound(turn):
                if started(turn) in kept:
                    del kept[kept.index(started(turn)) :]
            case _:
                kept = []
        state.evolve(event)
        assert state.now == tuple(item for item in kept if isinstance(item, int))
