"""What rules did is a fold of the log: pending, claimed, deferred, injected, and what takes each of these back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.matching.repeat.repeat_policy import Elapsed
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind, InterruptedByRules, InterruptedByUser, Interruption
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallAbandoned,
    CallDone,
    Excerpt,
    HistoryCleared,
    HistoryRewound,
    InjectionCommitted,
    InjectionDeferred,
    ModelCall,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    SessionResumed,
    StepAppended,
    StepUpdated,
    TurnCancelled,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
    UserInput,
)
from ttsr_ls.session.lifecycle.rule_state import (
    DeferredInjection,
    InjectionMark,
    RuleFold,
    RuleRef,
    RuleState,
    ToolReminder,
)
from ttsr_ls.session.lifecycle.transitions import CANCELLED_BY_USER

R, S = RuleRef("r", "/r.md"), RuleRef("s", "/s.md")
START = TurnStarted("t1", UserInput("go"))
END = TurnEnded("t1", TurnCompleted())
CUT = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByRules(("r",)), ContextMode.DISCARD))
TOLD = InjectionCommitted("t1", 3, Injection(MAIN_AGENT, InjectionKind.INTERRUPT, Role.USER, "x"), ("r",))
LATER = InjectionDeferred("t1", 0, MAIN_AGENT, ("r",))
FOLDED = ReminderFolded("t1", 1, "a", ("r",), "x")


def fired(rule: RuleRef = R, *, call: str | None = None, interrupts: bool = False) -> RuleTriggered:
    source = Source.TEXT if call is None else Source.TOOL
    return RuleTriggered(
        "t1", 0, MAIN_AGENT, rule.name, rule.path, "c", 0, source, None, call, None, 0, 1, 1,
        Excerpt("c", 0, 1), interrupts,
    )  # fmt: skip


def answer(*, complete: bool) -> StepAppended:
    return StepAppended("t1", 0, ModelCall(MAIN_AGENT, "m", (), complete=complete))


def state(*events: TurnEvent) -> RuleState:
    fold = RuleFold(MAIN_AGENT)
    for event in events:
        fold.evolve(event)
    return fold.state


OWED = (START, fired(interrupts=True), CUT)
DUE = (START, fired(), LATER, answer(complete=True))
CLAIMED = (START, fired(call="a"))


def test_a_match_alone_marks_nothing_and_owes_nothing() -> None:
    assert state(START, fired(interrupts=True)) == RuleState(seen=(R,))
    assert state(START, fired(call="a", interrupts=True)) == RuleState(seen=(R,))


def test_an_interrupt_on_record_is_owed_until_it_is_told() -> None:
    assert state(*OWED).interrupts == (R,)
    told = state(*OWED, TOLD)
    assert (told.interrupts, told.injected) == ((), (InjectionMark("r", 0),))


def test_a_second_match_of_an_owed_rule_owes_it_once() -> None:
    assert state(*OWED, CUT).interrupts == (R,)


def test_a_deferral_is_owed_once_its_answer_is_complete() -> None:
    assert state(*DUE[:3]).deferred_injections == (DeferredInjection(R, 0),)
    assert (state(*DUE).reminders, state(*DUE).injected) == ((R,), ())
    assert state(*DUE, TOLD) == RuleState(injected=(InjectionMark("r", 0, 1),), answers=1)


def test_a_deferral_is_dropped_with_an_answer_that_is_not_complete() -> None:
    assert state(*DUE[:3], answer(complete=False)) == RuleState(answers=1)


def test_a_deferral_is_owed_at_once_where_another_rule_cuts_its_answer_off() -> None:
    cut = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByRules(("s",)), ContextMode.DISCARD))
    later = OutputInterrupted("t1", 4, Interruption(MAIN_AGENT, 2, InterruptedByRules(("s",)), ContextMode.DISCARD))
    by_person = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByUser(), ContextMode.KEEP))
    rule_state = state(*DUE[:3], fired(S, interrupts=True), cut)
    assert (rule_state.interrupts, rule_state.deferred_injections) == ((R, S), ())
    assert state(*DUE[:3], fired(S, interrupts=True), later).deferred_injections == (DeferredInjection(R, 0),)
    assert state(*DUE[:3], by_person).interrupts == ()


def test_a_claim_is_of_one_call_and_ends_with_its_reminder() -> None:
    assert state(*CLAIMED, fired(call="b")).tool_reminders == (ToolReminder(R, "a"),)
    rule_state = state(*CLAIMED, answer(complete=True), FOLDED)
    assert (rule_state.tool_reminders, rule_state.injected) == ((), (InjectionMark("r", 0),))


def test_claims_are_cleared_with_an_answer_that_is_not_complete_and_kept_with_one_that_is() -> None:
    assert state(*CLAIMED, answer(complete=False)) == RuleState(answers=1)
    assert state(*CLAIMED, answer(complete=True)).tool_reminders == (ToolReminder(R, "a"),)


def test_a_result_without_its_reminder_leaves_it_owed_and_a_call_without_result_does_not() -> None:
    assert state(*CLAIMED, StepUpdated("t1", 1, "a", CallDone("ok"))).reminders == (R,)
    assert state(*CLAIMED, StepUpdated("t1", 1, "a", CallAbandoned("no"))) == RuleState(seen=(R,))


@pytest.mark.parametrize("ended", [TurnCompleted(), TurnCancelled("the session was closed")])
def test_what_is_owed_outlives_its_turn(ended: TurnCompleted | TurnCancelled) -> None:
    assert state(*OWED, TurnEnded("t1", ended)).interrupts == (R,)
    assert state(*DUE, TurnEnded("t1", ended)).reminders == (R,)


def test_what_a_person_stopped_is_not_owed() -> None:
    for events in (OWED, DUE, CLAIMED):
        answers = sum(isinstance(event, StepAppended) for event in events)
        assert state(*events, TurnEnded("t1", CANCELLED_BY_USER)) == RuleState(turns=1, answers=answers)


def test_a_cut_by_a_person_owes_nothing() -> None:
    cut = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByUser(), ContextMode.KEEP))
    assert state(START, fired(interrupts=True), cut).interrupts == ()


def test_a_crash_leaves_what_is_owed_and_takes_what_was_under_way() -> None:
    assert state(*OWED, SessionResumed()).interrupts == (R,)
    assert state(*DUE, SessionResumed()).reminders == (R,)
    assert state(*DUE[:3], SessionResumed()) == RuleState()
    assert state(*CLAIMED, SessionResumed()) == RuleState()


def test_a_rule_that_cuts_its_answer_off_claims_nothing_any_more() -> None:
    assert state(*CLAIMED, fired(interrupts=True), CUT).tool_reminders == ()
    assert state(START, fired(S, call="a"), fired(interrupts=True), CUT).tool_reminders == (ToolReminder(S, "a"),)


def test_a_deferral_waits_for_its_own_answer() -> None:
    other = StepAppended("t1", 4, ModelCall(MAIN_AGENT, "m", (), complete=True))
    assert state(*DUE[:3], other).deferred_injections == (DeferredInjection(R, 0),)


def test_of_two_rules_that_claim_a_call_those_are_told_that_the_reminder_names() -> None:
    rule_state = state(*CLAIMED, fired(S, call="a"), answer(complete=True), FOLDED)
    assert (rule_state.tool_reminders, rule_state.injected) == ((ToolReminder(S, "a"),), (InjectionMark("r", 0),))


def test_marks_count_the_turns_that_were_over() -> None:
    """Seed 000, section 5: deltas and answers do not count."""
    assert [mark.turns for mark in state(START, END, *OWED, answer(complete=False), TOLD).injected] == [1]


def test_marks_count_the_answers_that_were_over() -> None:
    """One that was cut off counts; one whose calls still run, as a reminder goes into their results, does not."""
    assert [mark.answers for mark in state(*OWED, answer(complete=False), TOLD).injected] == [1]
    assert [mark.answers for mark in state(*CLAIMED, answer(complete=True), FOLDED).injected] == [0]
    other = StepAppended("t1", 4, ModelCall("call_sub", "m", (), complete=True))
    assert state(START, other, answer(complete=True), other).answers == 1


def test_what_ended_since_a_mark_is_what_its_gap_consists_of() -> None:
    now = state(*OWED, answer(complete=False), TOLD, StepAppended("t1", 4, answer(complete=True).content), END)
    assert [now.since(mark) for mark in now.injected] == [Elapsed(answers=1, turns=1)]


def test_rewinding_brings_back_what_was_when_the_turn_began() -> None:
    assert state(*OWED, TOLD, HistoryRewound("t1")) == RuleState()
    second = (TurnStarted("t2", UserInput("b")), fired(S), LATER)
    assert state(*OWED, TOLD, END, *second, HistoryRewound("t2")).injected == (InjectionMark("r", 0),)
    assert state(*OWED, HistoryRewound("t9")).interrupts == (R,)


def test_clearing_leaves_nothing() -> None:
    assert state(*OWED, TOLD, HistoryCleared()) == RuleState()


def test_other_agents_do_not_count() -> None:
    fold = RuleFold("call_sub")
    for event in (*OWED, TOLD):
        fold.evolve(event)
    assert fold.state == RuleState()


EVENTS = st.sampled_from(
    [
        *OWED,
        *DUE,
        *CLAIMED,
        TOLD,
        FOLDED,
        END,
        SessionResumed(),
        HistoryRewound("t1"),
        HistoryCleared(),
        fired(S, call="b"),
    ]
)


@given(st.lists(EVENTS))
def test_whatever_is_injected_was_told(events: list[TurnEvent]) -> None:
    fold = RuleFold(MAIN_AGENT)
    for position, event in enumerate(events):
        fold.evolve(event)
        told = any(isinstance(event, InjectionCommitted | ReminderFolded) for event in events[: position + 1])
        assert told or fold.state.injected == ()
        assert len(set(fold.state.interrupts)) == len(fold.state.interrupts)
