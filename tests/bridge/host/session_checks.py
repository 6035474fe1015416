"""Sessions with rules that fire, and invariants of their logs after any failure."""

from __future__ import annotations

import json
from collections import Counter

from tests.bridge.host.driving import FINE, OLD, PUSH, SORRY, TYPED, Run
from tests.bridge.wire.provider_answers import Part
from tests.session.projection.whole import (
    anthropic_messages,
    chat_messages,
    conversation,
    gemini_contents,
    responses_input,
)
from tests.session.projection.wire_rules import check_anthropic, check_chat, check_gemini, check_responses
from ttsr_ls.session.history.turn import InterruptedByRules, ModelCall, ToolBatch
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    FeatureRecorded,
    InjectionCommitted,
    InjectionDeferred,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    ToolInputChanged,
    TurnEvent,
)
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.session.hooks.contract import (
    Append,
    ChangeInput,
    Deny,
    Feature,
    Proceed,
    RequestContext,
    RequestResult,
    ToolCallContext,
    ToolCallResult,
)
from ttsr_ls.session.lifecycle.rule_state import RuleFold

Turns = tuple[tuple[tuple[Part, ...], ...], ...]

SCRIPT: Turns = (((OLD), FINE), (PUSH, SORRY, FINE), (TYPED, (*TYPED, *PUSH), SORRY, OLD))


class Nagging(Feature):
    """Reminds at every second request, and knows from its own records when it did."""

    name = "nagging"

    def __init__(self) -> None:
        self.requests = 0
        self.nagged = 0

    def evolve(self, event: TurnEvent) -> None:
        if isinstance(event, FeatureRecorded) and event.feature == self.name:
            self.nagged += 1
        elif isinstance(event, StepAppended) and isinstance(event.content, ModelCall):
            self.requests += 1

    async def on_request(self, context: RequestContext) -> RequestResult:
        text = f"nagging {self.nagged + 1}."
        return Append((context.items.reminder(text),), (FeatureRecorded(self.name, text),))


class Guarding(Feature):
    """Has `read` look at another file, and denies the tool `write`."""

    name = "guarding"

    async def before_tool_call(self, context: ToolCallContext) -> ToolCallResult:
        records = (FeatureRecorded(self.name, context.call),)
        match context.tool:
            case "read":
                return ChangeInput(READ_INSTEAD, records)
            case "write":
                return Deny("Nothing is written.", records)
            case _:
                return Proceed()


READ_INSTEAD = '{"path": "/w/other.ts"}'


def check_guarded(events: list[TurnEvent]) -> None:
    """Asserts that each call about which a feature decided has the result that the feature decided."""
    turns = {turn.id: turn for turn in fold(events).turns}
    changed = {(event.turn, event.step, event.call) for event in events if isinstance(event, ToolInputChanged)}
    for turn in turns.values():
        for step in turn.steps:
            for item in step.content.items if isinstance(step.content, ToolBatch) else ():
                assert not (item.tool == "write" and isinstance(item.state, CallDone)), "denied, and run"
                if item.tool == "read" and isinstance(item.state, CallDone):
                    assert (turn.id, step.number, item.call) in changed, "run before its change was on record"
                    assert item.arguments == READ_INSTEAD
                if isinstance(item.state, CallRefused):
                    assert item.state.denied_by == "guarding"


async def play(run: Run, turns: Turns) -> None:
    for answers in turns:
        await run.turn(*answers)
        assert run.sent


def rules_of(events: list[TurnEvent]) -> object:
    state = RuleFold(MAIN_AGENT)
    for event in events:
        state.evolve(event)
    return state.state


def injected_rules(events: list[TurnEvent]) -> Counter[str]:
    injections = (event for event in events if isinstance(event, InjectionCommitted | ReminderFolded))
    return Counter(rule for event in injections for rule in event.rules)


def check(events: list[TurnEvent]) -> None:
    """Asserts the invariants of a session's log at any time."""
    check_guarded(events)
    injected = injected_rules(events)
    assert not [rule for rule, times in injected.items() if times > 1], "injected twice"
    state = RuleFold(MAIN_AGENT)
    for event in events:
        state.evolve(event)
    assert {mark.rule for mark in state.state.injected} == set(injected), "marked, and not injected"
    items = conversation(fold(events).turns, MAIN_AGENT)
    check_anthropic(anthropic_messages(items))
    check_chat(chat_messages(items))
    check_responses(responses_input(items))
    check_gemini(gemini_contents(items))
    notes = [event for event in events if isinstance(event, InjectionCommitted) and "nagging" in event.injection.text]
    texts = [note.injection.text.splitlines()[1] for note in notes]  # Between the tags of a feature.
    assert texts == [f"nagging {position + 1}." for position in range(len(notes))]
    assert [note.feature_records[0].content for note in notes] == texts


def check_whole(run: Run, events: list[TurnEvent]) -> None:
    """Asserts the invariants after the last turn: nothing is pending."""
    check(events)
    injected = set(injected_rules(events))
    complete = {
        (event.turn, event.step)
        for event in events
        if isinstance(event, StepAppended) and isinstance(event.content, ModelCall) and event.content.complete
    }
    done = {
        (event.turn, event.call)
        for event in events
        if isinstance(event, StepUpdated) and isinstance(event.state, CallDone)
    }
    for event in events:
        match event:
            case OutputInterrupted(interruption=interruption) if isinstance(interruption.cause, InterruptedByRules):
                assert set(interruption.cause.rules) <= injected, "lost"
            case InjectionDeferred() if (event.turn, event.step) in complete:
                assert set(event.rules) <= injected, "lost"
            case RuleTriggered(interrupts=False, call=str() as call) if (event.turn, call) in done:
                assert event.rule in injected, "lost"
            case _:
                pass
    live = run.session._core
    assert live.fold.turns == fold(events).turns
    assert run.state == rules_of(events)
    final = json.dumps(run.session.messages)
    for event in events:
        if isinstance(event, InjectionCommitted):
            assert final.count(json.dumps(event.injection.text)[1:-1]) == 1, "injected once, and still there"
