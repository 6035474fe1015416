"""The session machine: its records and commands for each input."""

from __future__ import annotations

import pytest

from tests.session.lifecycle.machine import EXAMPLES, INJECTION, INTERRUPT, PATHS, A, B, DrivenMachine
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
    driven = DrivenMachine(*PATHS[Phase.ANSWERING])
    before = (driven.machine.position, driven.machine.transient)
    assert driven.machine.decide(INTERRUPT) == driven.machine.decide(INTERRUPT)
    assert (driven.machine.position, driven.machine.transient) == before


def test_an_interruption_is_recorded_and_aborts_the_request() -> None:
    """Seed 000, section 3: no hook is called before the abort."""
    driven = DrivenMachine(*PATHS[Phase.ANSWERING])
    (event,) = driven.tr(INTERRUPT)
    assert isinstance(event, OutputInterrupted)
    assert (event.interruption.cause, event.interruption.context) == (InterruptedByRules(("r",)), ContextMode.DISCARD)
    assert driven.commands == [AbortRequest()]


def test_a_second_match_while_aborting_is_recorded_without_another_abort() -> None:
    driven = DrivenMachine(*PATHS[Phase.ABORTING])
    (event,) = driven.tr(InterruptOutput(("s",), ContextMode.DISCARD, None))
    assert isinstance(event, OutputInterrupted)
    assert driven.commands == [AbortRequest()]
    assert [rules for _, rules in driven.machine.transient.matched_calls] == [("r",), ("s",)]


def test_calls_of_an_interrupted_answer_are_abandoned_with_the_reason() -> None:
    """spec I2: the call that matched names the rules, its siblings that it was another."""
    driven = DrivenMachine(*PATHS[Phase.ABORTING])
    records = driven.tr(OutputFailed("m", (A, B)))
    (batch,) = [event.content for event in records if isinstance(event, StepAppended) and event.step == 1]
    assert isinstance(batch, ToolBatch)
    assert [item.state for item in batch.items] == [
        CallAbandoned(abandoned_by_rules(("r",))),
        CallAbandoned(OTHER_CALL),
    ]
    assert abandoned_by_rules(("r", "s", "r")) == "stopped by the rules r, s"


def test_the_retry_timer_commits_the_injections_and_starts_the_retry() -> None:
    """Seed 000, section 4."""
    driven = DrivenMachine(*PATHS[Phase.WAITING])
    timer = driven.commands[-1]
    assert isinstance(timer, StartRetryTimer)
    assert timer.after == 0.05
    injected, retry = driven.tr(RetryTimerFired(timer.token))
    assert isinstance(injected, InjectionCommitted)
    assert (injected.injection.text, injected.rules) == ("do not", ("r",))
    assert isinstance(retry, RetryStarted)
    assert (retry.attempt, retry.step) == (1, driven.machine.position.step)
    assert driven.phase is Phase.READY


@pytest.mark.parametrize(
    "between", [StopTurn(), RewindHistory("t1"), ClearHistory(), CloseSession(), EndTurn(TurnCompleted())]
)
def test_stops_rewinds_and_ends_before_the_retry_cancel_it(between: LifecycleInput) -> None:
    """Seed 000, section 8: during the timer window, state can change."""
    driven = DrivenMachine(*PATHS[Phase.WAITING])
    timer = driven.commands[-1]
    assert isinstance(timer, StartRetryTimer)
    driven.tr(between)
    phase = driven.phase
    assert driven.tr(RetryTimerFired(timer.token)) == ()
    assert driven.phase is phase
    assert not [event for event in driven.log if isinstance(event, InjectionCommitted)]


def test_an_outdated_retry_timer_does_nothing() -> None:
    driven = DrivenMachine(*PATHS[Phase.WAITING])
    first = driven.commands[-1]
    assert isinstance(first, StartRetryTimer)
    for item in (
        RetryTimerFired(first.token),
        RequestSent(),
        INTERRUPT,
        OutputFailed("m", ()),
        ScheduleRetry((INJECTION,), 0.05),
    ):
        driven.tr(item)
    assert driven.tr(RetryTimerFired(first.token)) == ()
    assert driven.phase is Phase.WAITING


def test_a_retry_without_injection_drops_the_pending_injections() -> None:
    driven = DrivenMachine(*PATHS[Phase.WAITING])
    timer = driven.commands[-1]
    assert isinstance(timer, StartRetryTimer)
    assert driven.tr(RetryWithoutInjection(timer.token)) == ()
    assert driven.phase is Phase.READY
    assert driven.machine.transient.pending_injections == ()


def test_stopping_while_aborting_ends_the_turn_instead_of_retrying() -> None:
    driven = DrivenMachine(*PATHS[Phase.ABORTING])
    (event,) = driven.tr(StopTurn())
    assert isinstance(event, OutputInterrupted)
    assert event.interruption.cause == InterruptedByUser()
    records = driven.tr(OutputFailed("m", (A,)))
    assert driven.phase is Phase.DONE
    (batch,) = [event.content for event in records if isinstance(event, StepAppended) and event.step == 1]
    assert isinstance(batch, ToolBatch)
    assert [item.state for item in batch.items] == [CallAbandoned(STOPPED)]


def test_stopping_an_answer_twice_is_recorded_once() -> None:
    driven = DrivenMachine(*PATHS[Phase.ANSWERING], StopTurn(), StopTurn())
    assert [type(event) for event in driven.log].count(OutputInterrupted) == 1
    assert driven.commands == [AbortRequest()]


def test_stopping_abandons_running_calls() -> None:
    driven = DrivenMachine(*PATHS[Phase.TOOLS])
    records = driven.tr(StopTurn())
    assert [event.state for event in records if isinstance(event, StepUpdated)] == [CallAbandoned(MAY_HAVE_RUN)] * 2
    assert driven.phase is Phase.DONE


def test_closing_a_session_ends_its_turn() -> None:
    driven = DrivenMachine(*PATHS[Phase.ANSWERING])
    assert driven.tr(CloseSession()) == (TurnEnded("t1", SESSION_CLOSED),)
    assert driven.commands == [AbortRequest()]


def test_an_injection_while_tools_run_comes_after_the_tool_batch() -> None:
    driven = DrivenMachine(*PATHS[Phase.TOOLS])
    (event,) = driven.tr(Inject((INJECTION,)))
    assert isinstance(event, InjectionCommitted)
    assert event.step == driven.machine.transient.batch + 1
    assert driven.phase is Phase.TOOLS


def test_only_an_unfinished_call_accepts_a_result_or_a_reminder() -> None:
    driven = DrivenMachine(*PATHS[Phase.TOOLS], ToolFinished("a", CallDone("ok")))
    for wrong in (ToolFinished("a", CallDone("again")), AddToolReminder("a", "late"), ToolFinished("z", CallDone("?"))):
        with pytest.raises(UsageError, match="waits for a result"):
            driven.machine.decide(wrong)


def test_compacting_between_turns_creates_a_turn() -> None:
    driven = DrivenMachine(CompactHistory("all", "yes", "read", ()))
    (turn,) = _fold(driven.log).turns
    assert [type(step.content).__name__ for step in turn.steps] == ["CompactionSummary"]
    assert driven.phase is Phase.IDLE


@pytest.mark.parametrize("path", PATHS.values())
def test_the_fold_has_no_problems_with_records_of_the_machine(path: tuple[LifecycleInput, ...]) -> None:
    for action in EXAMPLES:
        driven = DrivenMachine(*path)
        if driven.phase in TABLE[type(action)] and (not isinstance(action, RewindHistory) or driven.log):
            driven.tr(action)
            assert not _fold(driven.log).problems


def _fold(events: list[TurnEvent]) -> TurnFold:
    state = TurnFold()
    for event in events:
        state.evolve(event)
    return state
