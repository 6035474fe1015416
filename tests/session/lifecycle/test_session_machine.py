"""The lifecycle machine: what goes on record, and what is to be done."""

from __future__ import annotations

import pytest

from tests.session.lifecycle.machine import CUT, EXAMPLES, TOLD, WAY, A, B, Tried
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.abandoned import MAY_HAVE_RUN, OTHER_CALL, STOPPED, abandoned_by_rules
from ttsr_ls.session.history.turn import InterruptedByRules, InterruptedByUser
from ttsr_ls.session.history.turn_events import (
    CallAbandoned,
    CallDone,
    InjectionCommitted,
    OutputInterrupted,
    RetryStarted,
    StepAppended,
    StepUpdated,
    ToolBatch,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
)
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.lifecycle.session_machine import SESSION_CLOSED
from ttsr_ls.session.lifecycle.transition_table import TABLE
from ttsr_ls.session.lifecycle.transitions import (
    AbortRequest,
    AddToolReminder,
    ClearHistory,
    CloseSession,
    CompactHistory,
    EndTurn,
    Inject,
    InterruptOutput,
    LifecycleInput,
    OutputFailed,
    Phase,
    RequestSent,
    RetryTimerFired,
    RetryWithoutInjection,
    RewindHistory,
    ScheduleRetry,
    StartRetryTimer,
    StopTurn,
    ToolFinished,
)


def test_deciding_changes_nothing() -> None:
    tried = Tried(*WAY[Phase.ANSWERING])
    before = (tried.machine.position, tried.machine.transient)
    assert tried.machine.decide(CUT) == tried.machine.decide(CUT)
    assert (tried.machine.position, tried.machine.transient) == before


def test_a_match_aborts_at_once_and_is_on_record_first() -> None:
    """Seed 000, section 3: nobody is asked before the abort."""
    tried = Tried(*WAY[Phase.ANSWERING])
    (event,) = tried.tr(CUT)
    assert isinstance(event, OutputInterrupted)
    assert (event.interruption.cause, event.interruption.context) == (InterruptedByRules(("r",)), ContextMode.DISCARD)
    assert tried.done == [AbortRequest()]


def test_a_second_match_while_aborting_joins_and_aborts_nothing_again() -> None:
    tried = Tried(*WAY[Phase.ABORTING])
    (event,) = tried.tr(InterruptOutput(("s",), ContextMode.DISCARD, None))
    assert isinstance(event, OutputInterrupted)
    assert tried.done == [AbortRequest()]
    assert [rules for _, rules in tried.machine.transient.matched_calls] == [("r",), ("s",)]


def test_calls_of_an_aborted_answer_say_why_they_never_ran() -> None:
    """spec I2: the call that matched names the rules, its siblings that it was another."""
    tried = Tried(*WAY[Phase.ABORTING])
    records = tried.tr(OutputFailed("m", (A, B)))
    (batch,) = [event.content for event in records if isinstance(event, StepAppended) and event.step == 1]
    assert isinstance(batch, ToolBatch)
    assert [item.state for item in batch.items] == [
        CallAbandoned(abandoned_by_rules(("r",))),
        CallAbandoned(OTHER_CALL),
    ]
    assert abandoned_by_rules(("r", "s", "r")) == "stopped by the rules r, s"


def test_the_request_is_made_again_after_a_while_with_what_the_model_is_to_be_told() -> None:
    """Seed 000, section 4."""
    tried = Tried(*WAY[Phase.WAITING])
    wake = tried.done[-1]
    assert isinstance(wake, StartRetryTimer)
    assert wake.after == 0.05
    told, retry = tried.tr(RetryTimerFired(wake.token))
    assert isinstance(told, InjectionCommitted)
    assert (told.injection.text, told.rules) == ("do not", ("r",))
    assert isinstance(retry, RetryStarted)
    assert (retry.attempt, retry.step) == (1, tried.machine.position.step)
    assert tried.phase is Phase.READY


@pytest.mark.parametrize(
    "between", [StopTurn(), RewindHistory("t1"), ClearHistory(), CloseSession(), EndTurn(TurnCompleted())]
)
def test_whatever_comes_between_makes_the_retry_stale(between: LifecycleInput) -> None:
    """Seed 000, section 8: during the timer window, state can change."""
    tried = Tried(*WAY[Phase.WAITING])
    wake = tried.done[-1]
    assert isinstance(wake, StartRetryTimer)
    tried.tr(between)
    phase = tried.phase
    assert tried.tr(RetryTimerFired(wake.token)) == ()
    assert tried.phase is phase
    assert not [event for event in tried.log if isinstance(event, InjectionCommitted)]


def test_a_wake_of_an_earlier_waiting_does_nothing() -> None:
    tried = Tried(*WAY[Phase.WAITING])
    first = tried.done[-1]
    assert isinstance(first, StartRetryTimer)
    for item in (RetryTimerFired(first.token), RequestSent(), CUT, OutputFailed("m", ()), ScheduleRetry((TOLD,), 0.05)):
        tried.tr(item)
    assert tried.tr(RetryTimerFired(first.token)) == ()
    assert tried.phase is Phase.WAITING


def test_without_a_record_of_what_to_tell_the_request_is_made_again_all_the_same() -> None:
    tried = Tried(*WAY[Phase.WAITING])
    wake = tried.done[-1]
    assert isinstance(wake, StartRetryTimer)
    assert tried.tr(RetryWithoutInjection(wake.token)) == ()
    assert tried.phase is Phase.READY
    assert tried.machine.transient.pending_injections == ()


def test_a_person_outranks_rules() -> None:
    tried = Tried(*WAY[Phase.ABORTING])
    (event,) = tried.tr(StopTurn())
    assert isinstance(event, OutputInterrupted)
    assert event.interruption.cause == InterruptedByUser()
    records = tried.tr(OutputFailed("m", (A,)))
    assert tried.phase is Phase.DONE
    (batch,) = [event.content for event in records if isinstance(event, StepAppended) and event.step == 1]
    assert isinstance(batch, ToolBatch)
    assert [item.state for item in batch.items] == [CallAbandoned(STOPPED)]


def test_a_person_who_stops_an_answer_twice_is_on_record_once() -> None:
    tried = Tried(*WAY[Phase.ANSWERING], StopTurn(), StopTurn())
    assert [type(event) for event in tried.log].count(OutputInterrupted) == 1
    assert tried.done == [AbortRequest()]


def test_a_person_stops_tools_that_run() -> None:
    tried = Tried(*WAY[Phase.TOOLS])
    records = tried.tr(StopTurn())
    assert [event.state for event in records if isinstance(event, StepUpdated)] == [CallAbandoned(MAY_HAVE_RUN)] * 2
    assert tried.phase is Phase.DONE


def test_a_session_that_closes_says_so_of_its_turn() -> None:
    tried = Tried(*WAY[Phase.ANSWERING])
    assert tried.tr(CloseSession()) == (TurnEnded("t1", SESSION_CLOSED),)
    assert tried.done == [AbortRequest()]


def test_what_the_model_is_told_stands_behind_the_answer_and_its_results() -> None:
    tried = Tried(*WAY[Phase.TOOLS])
    (event,) = tried.tr(Inject((TOLD,)))
    assert isinstance(event, InjectionCommitted)
    assert event.step == tried.machine.transient.batch + 1
    assert tried.phase is Phase.TOOLS


def test_a_result_is_given_once_and_to_a_call_that_waits() -> None:
    tried = Tried(*WAY[Phase.TOOLS], ToolFinished("a", CallDone("ok")))
    for wrong in (ToolFinished("a", CallDone("again")), AddToolReminder("a", "late"), ToolFinished("z", CallDone("?"))):
        with pytest.raises(UsageError, match="waits for a result"):
            tried.machine.decide(wrong)


def test_compacting_between_turns_is_a_turn_by_itself() -> None:
    tried = Tried(CompactHistory("all", "yes", "read", ()))
    (turn,) = _fold(tried.log).turns
    assert [type(step.content).__name__ for step in turn.steps] == ["CompactionSummary"]
    assert tried.phase is Phase.IDLE


@pytest.mark.parametrize("way", WAY.values())
def test_no_record_of_the_machine_is_a_problem_to_the_fold(way: tuple[LifecycleInput, ...]) -> None:
    for happened in EXAMPLES:
        tried = Tried(*way)
        if tried.phase in TABLE[type(happened)] and (not isinstance(happened, RewindHistory) or tried.log):
            tried.tr(happened)
            assert not _fold(tried.log).problems


def _fold(events: list[TurnEvent]) -> TurnFold:
    state = TurnFold()
    for event in events:
        state.evolve(event)
    return state
