"""The lifecycle machine: what goes on record, and what is to be done."""

from __future__ import annotations

import pytest

from tests.session.lifecycle.machine import CUT, EXAMPLES, TOLD, WAY, A, B, Tried
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.abandoned import MAY_HAVE_RUN, OTHER_CALL, STOPPED, by_rules
from ttsr_ls.session.history.turn import PersonCut, RuleCut
from ttsr_ls.session.history.turn_events import (
    Abandoned,
    Completed,
    Done,
    InjectionCommitted,
    OutputInterrupted,
    RetryStarted,
    StepAppended,
    StepUpdated,
    ToolBatch,
    TurnEnded,
    TurnEvent,
)
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.lifecycle.flow import SESSION_CLOSED
from ttsr_ls.session.lifecycle.phases import (
    Abort,
    Ask,
    Broken,
    Clear,
    Close,
    Compact,
    Cut,
    Due,
    End,
    GoOn,
    Hold,
    Input,
    Phase,
    Remind,
    Rewind,
    Settle,
    Stop,
    Tell,
    Wake,
)
from ttsr_ls.session.lifecycle.table import TABLE


def test_deciding_changes_nothing() -> None:
    tried = Tried(*WAY[Phase.ANSWERING])
    before = (tried.flow.place, tried.flow.flight)
    assert tried.flow.decide(CUT) == tried.flow.decide(CUT)
    assert (tried.flow.place, tried.flow.flight) == before


def test_a_match_aborts_at_once_and_is_on_record_first() -> None:
    """Seed 000, section 3: nobody is asked before the abort."""
    tried = Tried(*WAY[Phase.ANSWERING])
    (event,) = tried.tr(CUT)
    assert isinstance(event, OutputInterrupted)
    assert (event.interruption.cut, event.interruption.context) == (RuleCut(("r",)), ContextMode.DISCARD)
    assert tried.done == [Abort()]


def test_a_second_match_while_aborting_joins_and_aborts_nothing_again() -> None:
    tried = Tried(*WAY[Phase.ABORTING])
    (event,) = tried.tr(Cut(("s",), ContextMode.DISCARD, None))
    assert isinstance(event, OutputInterrupted)
    assert tried.done == [Abort()]
    assert [rules for _, rules in tried.flow.flight.blamed] == [("r",), ("s",)]


def test_calls_of_an_aborted_answer_say_why_they_never_ran() -> None:
    """spec I2: the call that matched names the rules, its siblings that it was another."""
    tried = Tried(*WAY[Phase.ABORTING])
    records = tried.tr(Broken("m", (A, B)))
    (batch,) = [event.content for event in records if isinstance(event, StepAppended) and event.step == 1]
    assert isinstance(batch, ToolBatch)
    assert [item.state for item in batch.items] == [Abandoned(by_rules(("r",))), Abandoned(OTHER_CALL)]
    assert by_rules(("r", "s", "r")) == "stopped by the rules r, s"


def test_the_request_is_made_again_after_a_while_with_what_the_model_is_to_be_told() -> None:
    """Seed 000, section 4."""
    tried = Tried(*WAY[Phase.WAITING])
    wake = tried.done[-1]
    assert isinstance(wake, Wake)
    assert wake.after == 0.05
    told, retry = tried.tr(Due(wake.token))
    assert isinstance(told, InjectionCommitted)
    assert (told.injection.text, told.rules) == ("do not", ("r",))
    assert isinstance(retry, RetryStarted)
    assert (retry.attempt, retry.step) == (1, tried.flow.place.step)
    assert tried.phase is Phase.READY


@pytest.mark.parametrize("between", [Stop(), Rewind("t1"), Clear(), Close(), End(Completed())])
def test_whatever_comes_between_makes_the_retry_stale(between: Input) -> None:
    """Seed 000, section 8: during the timer window, state can change."""
    tried = Tried(*WAY[Phase.WAITING])
    wake = tried.done[-1]
    assert isinstance(wake, Wake)
    tried.tr(between)
    phase = tried.phase
    assert tried.tr(Due(wake.token)) == ()
    assert tried.phase is phase
    assert not [event for event in tried.log if isinstance(event, InjectionCommitted)]


def test_a_wake_of_an_earlier_waiting_does_nothing() -> None:
    tried = Tried(*WAY[Phase.WAITING])
    first = tried.done[-1]
    assert isinstance(first, Wake)
    for each in (Due(first.token), Ask(), CUT, Broken("m", ()), Hold((TOLD,), 0.05)):
        tried.tr(each)
    assert tried.tr(Due(first.token)) == ()
    assert tried.phase is Phase.WAITING


def test_without_a_record_of_what_to_tell_the_request_is_made_again_all_the_same() -> None:
    tried = Tried(*WAY[Phase.WAITING])
    wake = tried.done[-1]
    assert isinstance(wake, Wake)
    assert tried.tr(GoOn(wake.token)) == ()
    assert tried.phase is Phase.READY
    assert tried.flow.flight.held == ()


def test_a_person_outranks_rules() -> None:
    tried = Tried(*WAY[Phase.ABORTING])
    (event,) = tried.tr(Stop())
    assert isinstance(event, OutputInterrupted)
    assert event.interruption.cut == PersonCut()
    records = tried.tr(Broken("m", (A,)))
    assert tried.phase is Phase.DONE
    (batch,) = [each.content for each in records if isinstance(each, StepAppended) and each.step == 1]
    assert isinstance(batch, ToolBatch)
    assert [item.state for item in batch.items] == [Abandoned(STOPPED)]


def test_a_person_who_stops_an_answer_twice_is_on_record_once() -> None:
    tried = Tried(*WAY[Phase.ANSWERING], Stop(), Stop())
    assert [type(event) for event in tried.log].count(OutputInterrupted) == 1
    assert tried.done == [Abort()]


def test_a_person_stops_tools_that_run() -> None:
    tried = Tried(*WAY[Phase.TOOLS])
    records = tried.tr(Stop())
    assert [event.state for event in records if isinstance(event, StepUpdated)] == [Abandoned(MAY_HAVE_RUN)] * 2
    assert tried.phase is Phase.DONE


def test_a_session_that_closes_says_so_of_its_turn() -> None:
    tried = Tried(*WAY[Phase.ANSWERING])
    assert tried.tr(Close()) == (TurnEnded("t1", SESSION_CLOSED),)
    assert tried.done == [Abort()]


def test_what_the_model_is_told_stands_behind_the_answer_and_its_results() -> None:
    tried = Tried(*WAY[Phase.TOOLS])
    (event,) = tried.tr(Tell((TOLD,)))
    assert isinstance(event, InjectionCommitted)
    assert event.step == tried.flow.flight.batch + 1
    assert tried.phase is Phase.TOOLS


def test_a_result_is_given_once_and_to_a_call_that_waits() -> None:
    tried = Tried(*WAY[Phase.TOOLS], Settle("a", Done("ok")))
    for wrong in (Settle("a", Done("again")), Remind("a", "late"), Settle("z", Done("?"))):
        with pytest.raises(UsageError, match="waits for a result"):
            tried.flow.decide(wrong)


def test_compacting_between_turns_is_a_turn_by_itself() -> None:
    tried = Tried(Compact("all", "yes", "read", ()))
    (turn,) = _fold(tried.log).turns
    assert [type(step.content).__name__ for step in turn.steps] == ["CompactionSummary"]
    assert tried.phase is Phase.IDLE


@pytest.mark.parametrize("way", WAY.values())
def test_no_record_of_the_machine_is_a_problem_to_the_fold(way: tuple[Input, ...]) -> None:
    for happened in EXAMPLES:
        tried = Tried(*way)
        if tried.phase in TABLE[type(happened)] and (not isinstance(happened, Rewind) or tried.log):
            tried.tr(happened)
            assert not _fold(tried.log).problems


def _fold(events: list[TurnEvent]) -> TurnFold:
    state = TurnFold()
    for event in events:
        state.evolve(event)
    return state
