"""Live state equals the fold of the log at any crash; an invalid event is reported and changes nothing."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from tests.session.history.sessions import sessions
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import (
    CompactionRehydration,
    CompactionSummary,
    Injection,
    InjectionKind,
    InterruptedByUser,
    Interruption,
    NumberedStep,
    Step,
    ToolBatch,
    TurnInProgress,
    UserInput,
)
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    HistoryCleared,
    HistoryRewound,
    ModelCall,
    ReminderFolded,
    SessionResumed,
    StepAppended,
    StepUpdated,
    ToolInputChanged,
    TurnCancelled,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import CRASHED, FoldProblemKind, TurnFold, fold
from ttsr_ls.session.history.turn_output import (
    CallAbandoned,
    CallDone,
    CallPending,
    CallRunning,
    Text,
    ToolCall,
    ToolItem,
)

ANSWER = ModelCall(MAIN_AGENT, "m", (ToolCall("a", "bash", "{}"), ToolCall("b", "bash", "{}")), complete=True)
BATCH = ToolBatch(MAIN_AGENT, (ToolItem("a", "bash", CallRunning()), ToolItem("b", "bash", CallPending())))
START = TurnStarted("t1", UserInput("go"))
END = TurnEnded("t1", TurnCompleted())
RUNNING = (START, StepAppended("t1", 0, ANSWER), StepAppended("t1", 1, BATCH))


def live(events: tuple[TurnEvent, ...] | list[TurnEvent]) -> TurnFold:
    state = TurnFold()
    for event in events:
        state.evolve(event)
    return state


def batch(state: TurnFold) -> ToolBatch:
    step = state.turns[0].steps[1].content
    assert isinstance(step, ToolBatch)
    return step


def test_a_turn_has_its_trigger_its_steps_and_its_outcome() -> None:
    folded = fold([START, StepAppended("t1", 0, ANSWER), TurnEnded("t1", TurnCompleted())])
    (turn,) = folded.turns
    assert (turn.trigger, turn.steps, turn.state) == (UserInput("go"), (NumberedStep(0, ANSWER),), TurnCompleted())
    assert not folded.problems


def test_a_turn_may_have_steps_of_every_kind() -> None:
    """Seed 003, PR-1: model calls, tool batches, compactions, and injections with their kind and text."""
    injection = Injection(MAIN_AGENT, InjectionKind.GOVERNANCE, Role.USER, "Ten requests are left.")
    steps: tuple[Step, ...] = (
        ANSWER,
        BATCH,
        injection,
        CompactionSummary(MAIN_AGENT, "so far", "understood"),
        CompactionRehydration(MAIN_AGENT, "read", ()),
        Interruption(MAIN_AGENT, 0, InterruptedByUser(), ContextMode.KEEP),
    )
    assert {type(step) for step in steps} == set(get_args(Step))
    folded = fold([START, *(StepAppended("t1", position, step) for position, step in enumerate(steps)), END])
    (turn,) = folded.turns
    assert [(step.number, type(step.content)) for step in turn.steps] == list(enumerate(map(type, steps)))
    assert turn.steps[2].content == injection
    assert not folded.problems


def test_started_appended_updated_and_ended_events_fold_to_a_turn() -> None:
    """Seed 003, PR-1: the four events."""
    update = StepUpdated("t1", 1, "a", CallDone("1"))
    (turn,) = fold([*RUNNING, update, StepUpdated("t1", 1, "b", CallDone("2")), END]).turns
    assert (turn.id, turn.trigger, turn.state) == ("t1", UserInput("go"), TurnCompleted())
    (answer, calls) = (step.content for step in turn.steps)
    assert answer == ANSWER
    assert isinstance(calls, ToolBatch)
    assert [item.state for item in calls.items] == [CallDone("1"), CallDone("2")]


@pytest.mark.parametrize("state", [CallPending(), CallRunning()])
def test_an_unfinished_call_is_abandoned_with_its_turn(state: CallPending | CallRunning) -> None:
    """Seed 003, PR-3: pending and running tools."""
    tool_batch = ToolBatch(MAIN_AGENT, (ToolItem("a", "bash", state),))
    (turn,) = fold([START, StepAppended("t1", 0, ANSWER), StepAppended("t1", 1, tool_batch)]).turns
    step = turn.steps[1].content
    assert turn.state == CRASHED
    assert isinstance(step, ToolBatch)
    assert isinstance(step.items[0].state, CallAbandoned)


def test_a_turn_without_an_end_is_in_progress() -> None:
    state = live(RUNNING)
    assert state.open_turn is not None
    assert state.turns[0].state == TurnInProgress()


def test_crash_recovery_cancels_an_unfinished_turn_and_its_running_tools() -> None:
    folded = fold([*RUNNING, StepUpdated("t1", 1, "a", CallDone("ok"))])
    (turn,) = folded.turns
    step = turn.steps[1].content
    assert turn.state == CRASHED
    assert isinstance(step, ToolBatch)
    assert [type(item.state) for item in step.items] == [CallDone, CallAbandoned]
    assert [problem.kind for problem in folded.problems] == [FoldProblemKind.UNFINISHED_TURN]


def test_a_resumed_session_continues_with_another_turn() -> None:
    folded = fold([*RUNNING, SessionResumed(), TurnStarted("t2", UserInput("on")), TurnEnded("t2", TurnCompleted())])
    assert [turn.state for turn in folded.turns] == [CRASHED, TurnCompleted()]


def test_resuming_a_finished_session_changes_nothing() -> None:
    ended: list[TurnEvent] = [START, TurnEnded("t1", TurnCompleted())]
    assert fold([*ended, SessionResumed()]) == fold(ended)


def test_a_turn_that_starts_within_another_ends_it() -> None:
    folded = fold([START, TurnStarted("t2", UserInput("on"))])
    assert [turn.state for turn in folded.turns] == [CRASHED, CRASHED]


def test_calls_keep_their_order_in_the_batch_for_any_order_of_results() -> None:
    state = live([*RUNNING, StepUpdated("t1", 1, "b", CallDone("2")), StepUpdated("t1", 1, "a", CallDone("1"))])
    assert [(item.call, item.state) for item in batch(state).items] == [("a", CallDone("1")), ("b", CallDone("2"))]


def test_reminders_stay_with_their_call() -> None:
    reminders = [ReminderFolded("t1", 1, "a", ("rule",), text) for text in ("first", "second")]
    state = live([*RUNNING, reminders[0], StepUpdated("t1", 1, "a", CallDone("1")), reminders[1]])
    assert [item.reminders for item in batch(state).items] == [("first", "second"), ()]


def test_steps_are_sorted_by_their_numbers() -> None:
    """Answers of concurrent agents end in any order."""
    second = ModelCall("sub", "m", (Text("x"),), complete=True)
    state = live([START, StepAppended("t1", 4, ANSWER), StepAppended("t1", 2, second)])
    assert [step.number for step in state.turns[0].steps] == [2, 4]


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (START, FoldProblemKind.REPEATED_TURN),
        (StepAppended("t1", 1, ANSWER), FoldProblemKind.REPEATED_STEP),
        (StepAppended("t9", 2, ANSWER), FoldProblemKind.UNKNOWN_TURN),
        (StepUpdated("t1", 1, "z", CallDone("")), FoldProblemKind.UNKNOWN_CALL),
        (StepUpdated("t1", 0, "a", CallDone("")), FoldProblemKind.UNKNOWN_CALL),
        (StepUpdated("t1", 1, "a", CallRunning()), FoldProblemKind.SETTLED_CALL),
        (ReminderFolded("t1", 5, "a", (), ""), FoldProblemKind.UNKNOWN_CALL),
        (TurnEnded("t9", TurnCompleted()), FoldProblemKind.UNKNOWN_TURN),
        (TurnEnded("t0", TurnCompleted()), FoldProblemKind.TURN_OVER),
        (StepAppended("t0", 0, ANSWER), FoldProblemKind.TURN_OVER),
        (StepUpdated("t0", 1, "a", CallDone("")), FoldProblemKind.TURN_OVER),
        (ReminderFolded("t0", 1, "a", (), ""), FoldProblemKind.TURN_OVER),
        (ToolInputChanged("t0", 1, "a", "guard", "{}"), FoldProblemKind.TURN_OVER),
        (ToolInputChanged("t1", 1, "a", "guard", "{}"), FoldProblemKind.SETTLED_CALL),
        (ToolInputChanged("t1", 1, "z", "guard", "{}"), FoldProblemKind.UNKNOWN_CALL),
        (HistoryRewound("t9"), FoldProblemKind.UNKNOWN_TURN),
    ],
)
def test_an_invalid_event_is_reported_and_changes_nothing(event: TurnEvent, kind: FoldProblemKind) -> None:
    earlier: list[TurnEvent] = [TurnStarted("t0", UserInput("")), TurnEnded("t0", TurnCompleted())]
    state = live([*earlier, *RUNNING, StepUpdated("t1", 1, "a", CallDone("1"))])
    before = state.turns
    state.evolve(event)
    assert state.turns == before
    assert [(problem.kind, problem.event) for problem in state.problems] == [(kind, 6)]


def test_rewinding_removes_a_turn_and_all_later_ones() -> None:
    first: list[TurnEvent] = [START, TurnEnded("t1", TurnCompleted())]
    rest: list[TurnEvent] = [
        TurnStarted("t2", UserInput("b")),
        TurnEnded("t2", TurnCompleted()),
        TurnStarted("t3", UserInput("c")),
    ]
    assert fold([*first, *rest, HistoryRewound("t2")]) == fold(first)


def test_a_rewound_turn_may_start_again() -> None:
    folded = fold([START, HistoryRewound("t1"), START, TurnEnded("t1", TurnCancelled("a person"))])
    assert [turn.state for turn in folded.turns] == [TurnCancelled("a person")]
    assert not folded.problems


def test_clearing_removes_all_turns_and_frees_their_ids() -> None:
    assert fold([*RUNNING, HistoryCleared()]).turns == ()
    assert [turn.id for turn in fold([*RUNNING, HistoryCleared(), START]).turns] == ["t1"]


@given(sessions(), st.data())
def test_a_crash_at_any_event_keeps_the_live_state_and_ends_its_turn(
    events: list[TurnEvent], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(events)))
    state = live(events[:cut])
    state.evolve(SessionResumed())
    folded = fold(events[:cut])
    assert (folded.turns, folded.problems) == (state.turns, state.problems)
    assert not any(isinstance(turn.state, TurnInProgress) for turn in folded.turns)
    steps = [step.content for turn in folded.turns for step in turn.steps]
    items = [item for step in steps if isinstance(step, ToolBatch) for item in step.items]
    assert not [item for item in items if isinstance(item.state, CallPending | CallRunning)]


@given(sessions())
def test_a_valid_session_has_no_problems_except_unfinished_turns(events: list[TurnEvent]) -> None:
    assert {problem.kind for problem in fold(events).problems} <= {FoldProblemKind.UNFINISHED_TURN}


@given(sessions(), st.data())
def test_any_selection_of_events_folds(events: list[TurnEvent], data: st.DataObject) -> None:
    picked = data.draw(st.lists(st.sampled_from(events))) if events else []
    folded = fold(picked)
    assert len({turn.id for turn in folded.turns}) == len(folded.turns)


def test_ten_thousand_turns_fold_in_a_second() -> None:
    events: list[TurnEvent] = []
    for index in range(10_000):
        turn = f"t{index}"
        events += [TurnStarted(turn, UserInput("go")), StepAppended(turn, 0, ANSWER), StepAppended(turn, 1, BATCH)]
        events += [StepUpdated(turn, 1, call, CallDone("ok")) for call in ("a", "b")]
        events.append(TurnEnded(turn, TurnCompleted()))
    with processor_time_below(1):
        folded = fold(events)
    assert len(folded.turns) == 10_000
