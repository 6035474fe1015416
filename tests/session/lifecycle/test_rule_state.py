"""The rule state is a fold of the log: pending and deferred injections, tool reminders, marks, and their removal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

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
    AgentRuleState,
    DeferredInjection,
    InjectionMark,
    RuleFold,
    RuleRef,
    ToolReminder,
)
from ttsr_ls.session.lifecycle.transitions import CANCELLED_BY_USER

R, S = RuleRef("r", "/r.md"), RuleRef("s", "/s.md")
START = TurnStarted("t1", UserInput("go"))
END = TurnEnded("t1", TurnCompleted())
CUT = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByRules(("r",)), ContextMode.DISCARD))
INJECTION = InjectionCommitted("t1", 3, Injection(MAIN_AGENT, InjectionKind.INTERRUPT, Role.USER, "x"), ("r",))
DEFERRAL = InjectionDeferred("t1", 0, MAIN_AGENT, ("r",))
REMINDER = ReminderFolded("t1", 1, "a", ("r",), "x")


def fired(rule: RuleRef = R, *, call: str | None = None, interrupts: bool = False) -> RuleTriggered:
    source = Source.TEXT if call is None else Source.TOOL
    return RuleTriggered(
        "t1", 0, MAIN_AGENT, rule.name, rule.path, "c", 0, source, None, call, None, 0, 1, 1,
        Excerpt("c", 0, 1), interrupts,
    )  # fmt: skip


def answer(*, complete: bool) -> StepAppended:
    return StepAppended("t1", 0, ModelCall(MAIN_AGENT, "m", (), complete=complete))


def state(*events: TurnEvent) -> AgentRuleState:
    fold = RuleFold(MAIN_AGENT)
    for event in events:
        fold.evolve(event)
    return fold.state


INTERRUPTED = (START, fired(interrupts=True), CUT)
DEFERRED = (START, fired(), DEFERRAL, answer(complete=True))
REMINDED = (START, fired(call="a"))


def test_a_match_alone_adds_no_mark_and_no_pending_injection() -> None:
    assert state(START, fired(interrupts=True)) == AgentRuleState(seen=(R,))
    assert state(START, fired(call="a", interrupts=True)) == AgentRuleState(seen=(R,))


def test_an_interrupting_rule_is_pending_until_its_injection() -> None:
    assert state(*INTERRUPTED).interrupts == (R,)
    injected = state(*INTERRUPTED, INJECTION)
    assert (injected.interrupts, injected.injected) == ((), (InjectionMark("r", 0, path=R.path),))


def test_a_second_match_of_a_pending_rule_adds_no_second_injection() -> None:
    assert state(*INTERRUPTED, CUT).interrupts == (R,)


def test_a_deferred_injection_is_pending_once_its_answer_is_complete() -> None:
    assert state(*DEFERRED[:3]).deferred_injections == (DeferredInjection(R, 0),)
    assert (state(*DEFERRED).reminders, state(*DEFERRED).injected) == ((R,), ())
    assert state(*DEFERRED, INJECTION) == AgentRuleState(injected=(InjectionMark("r", 0, 1, R.path),), answers=1)


def test_an_incomplete_answer_drops_its_deferred_injections() -> None:
    assert state(*DEFERRED[:3], answer(complete=False)) == AgentRuleState(answers=1)


def test_a_deferred_injection_is_pending_at_once_if_another_rule_interrupts() -> None:
    cut = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByRules(("s",)), ContextMode.DISCARD))
    later = OutputInterrupted("t1", 4, Interruption(MAIN_AGENT, 2, InterruptedByRules(("s",)), ContextMode.DISCARD))
    by_user = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByUser(), ContextMode.KEEP))
    rule_state = state(*DEFERRED[:3], fired(S, interrupts=True), cut)
    assert (rule_state.interrupts, rule_state.deferred_injections) == ((R, S), ())
    assert state(*DEFERRED[:3], fired(S, interrupts=True), later).deferred_injections == (DeferredInjection(R, 0),)
    assert state(*DEFERRED[:3], by_user).interrupts == ()


def test_a_tool_reminder_belongs_to_one_call_and_ends_with_its_result() -> None:
    assert state(*REMINDED, fired(call="b")).tool_reminders == (ToolReminder(R, "a"),)
    rule_state = state(*REMINDED, answer(complete=True), REMINDER)
    assert (rule_state.tool_reminders, rule_state.injected) == ((), (InjectionMark("r", 0, path=R.path),))


def test_an_incomplete_answer_drops_its_tool_reminders() -> None:
    assert state(*REMINDED, answer(complete=False)) == AgentRuleState(answers=1)
    assert state(*REMINDED, answer(complete=True)).tool_reminders == (ToolReminder(R, "a"),)


def test_a_reminder_stays_pending_if_the_result_lacks_it() -> None:
    assert state(*REMINDED, StepUpdated("t1", 1, "a", CallDone("ok"))).reminders == (R,)
    assert state(*REMINDED, StepUpdated("t1", 1, "a", CallAbandoned("no"))) == AgentRuleState(seen=(R,))


@pytest.mark.parametrize("ended", [TurnCompleted(), TurnCancelled("the session was closed")])
def test_pending_injections_outlive_their_turn(ended: TurnCompleted | TurnCancelled) -> None:
    assert state(*INTERRUPTED, TurnEnded("t1", ended)).interrupts == (R,)
    assert state(*DEFERRED, TurnEnded("t1", ended)).reminders == (R,)


def test_a_turn_stopped_by_the_user_drops_pending_injections() -> None:
    for events in (INTERRUPTED, DEFERRED, REMINDED):
        answers = sum(isinstance(event, StepAppended) for event in events)
        assert state(*events, TurnEnded("t1", CANCELLED_BY_USER)) == AgentRuleState(turns=1, answers=answers)


def test_a_user_interruption_makes_no_injection_pending() -> None:
    cut = OutputInterrupted("t1", 2, Interruption(MAIN_AGENT, 0, InterruptedByUser(), ContextMode.KEEP))
    assert state(START, fired(interrupts=True), cut).interrupts == ()


def test_a_crash_keeps_pending_injections_and_drops_those_of_the_open_answer() -> None:
    assert state(*INTERRUPTED, SessionResumed()).interrupts == (R,)
    assert state(*DEFERRED, SessionResumed()).reminders == (R,)
    assert state(*DEFERRED[:3], SessionResumed()) == AgentRuleState()
    assert state(*REMINDED, SessionResumed()) == AgentRuleState()


def test_an_interrupting_rule_loses_its_tool_reminder() -> None:
    assert state(*REMINDED, fired(interrupts=True), CUT).tool_reminders == ()
    assert state(START, fired(S, call="a"), fired(interrupts=True), CUT).tool_reminders == (ToolReminder(S, "a"),)


def test_a_deferred_injection_waits_for_its_own_answer() -> None:
    other = StepAppended("t1", 4, ModelCall(MAIN_AGENT, "m", (), complete=True))
    assert state(*DEFERRED[:3], other).deferred_injections == (DeferredInjection(R, 0),)


def test_a_reminder_marks_only_the_rules_that_it_names() -> None:
    rule_state = state(*REMINDED, fired(S, call="a"), answer(complete=True), REMINDER)
    assert (rule_state.tool_reminders, rule_state.injected) == (
        (ToolReminder(S, "a"),),
        (InjectionMark("r", 0, path=R.path),),
    )


def test_an_injection_marks_one_of_two_pending_rules_with_the_same_name() -> None:
    other = RuleRef("r", "/other.md")
    both = (START, fired(interrupts=True), fired(other, interrupts=True), CUT)
    first = state(*both, INJECTION)
    assert (first.interrupts, first.injected) == ((other,), (InjectionMark("r", 0, path=R.path),))
    second = state(*both, INJECTION, INJECTION)
    assert (second.interrupts, {mark.path for mark in second.injected}) == ((), {R.path, other.path})


def test_an_injection_with_paths_marks_the_rules_with_these_paths() -> None:
    other = RuleRef("r", "/other.md")
    both = (START, fired(interrupts=True), fired(other, interrupts=True), CUT)
    rule_state = state(*both, replace(INJECTION, rule_paths=(other.path,)))
    assert (rule_state.interrupts, [mark.ref for mark in rule_state.injected]) == ((R,), [other])


def test_one_injection_of_two_deferred_rules_with_the_same_name_leaves_none_pending() -> None:
    both = (START, fired(), fired(RuleRef("r", "/other.md")), replace(DEFERRAL, rules=("r", "r")))
    pending = state(*both, answer(complete=True))
    assert pending.reminders == (R, RuleRef("r", "/other.md"))
    injected = state(*both, answer(complete=True), replace(INJECTION, rules=("r", "r")))
    assert (injected.reminders, {mark.ref for mark in injected.injected}) == ((), {*pending.reminders})


def test_injection_marks_count_finished_turns() -> None:
    """Seed 000, section 5: deltas and answers do not count."""
    assert [mark.turns for mark in state(START, END, *INTERRUPTED, answer(complete=False), INJECTION).injected] == [1]


def test_injection_marks_count_finished_answers() -> None:
    """An interrupted answer counts; an answer whose calls still run does not, because a reminder belongs to it."""
    assert [mark.answers for mark in state(*INTERRUPTED, answer(complete=False), INJECTION).injected] == [1]
    assert [mark.answers for mark in state(*REMINDED, answer(complete=True), REMINDER).injected] == [0]
    other = StepAppended("t1", 4, ModelCall("call_sub", "m", (), complete=True))
    assert state(START, other, answer(complete=True), other).answers == 1


def test_the_gap_since_a_mark_counts_answers_and_turns() -> None:
    now = state(
        *INTERRUPTED, answer(complete=False), INJECTION, StepAppended("t1", 4, answer(complete=True).content), END
    )
    assert [now.since(mark) for mark in now.injected] == [Elapsed(answers=1, turns=1)]


def test_rewinding_restores_the_rule_state_at_the_start_of_the_turn() -> None:
    assert state(*INTERRUPTED, INJECTION, HistoryRewound("t1")) == AgentRuleState()
    second = (TurnStarted("t2", UserInput("b")), fired(S), DEFERRAL)
    assert state(*INTERRUPTED, INJECTION, END, *second, HistoryRewound("t2")).injected == (
        InjectionMark("r", 0, path=R.path),
    )
    assert state(*INTERRUPTED, HistoryRewound("t9")).interrupts == (R,)


def test_clearing_empties_the_rule_state() -> None:
    assert state(*INTERRUPTED, INJECTION, HistoryCleared()) == AgentRuleState()


def test_events_of_other_agents_are_ignored() -> None:
    fold = RuleFold("call_sub")
    for event in (*INTERRUPTED, INJECTION):
        fold.evolve(event)
    assert fold.state == AgentRuleState()


EVENTS = st.sampled_from(
    [
        *INTERRUPTED,
        *DEFERRED,
        *REMINDED,
        INJECTION,
        REMINDER,
        END,
        SessionResumed(),
        HistoryRewound("t1"),
        HistoryCleared(),
        fired(S, call="b"),
    ]
)


@given(st.lists(EVENTS))
def test_every_mark_has_an_injection_on_record(events: list[TurnEvent]) -> None:
    fold = RuleFold(MAIN_AGENT)
    for position, event in enumerate(events):
        fold.evolve(event)
        injected = any(isinstance(event, InjectionCommitted | ReminderFolded) for event in events[: position + 1])
        assert injected or fold.state.injected == ()
        assert len(set(fold.state.interrupts)) == len(fold.state.interrupts)
