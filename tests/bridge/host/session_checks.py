"""Sessions with rules that fire, and what holds of their logs whatever happened to them."""

from __future__ import annotations

import json
from collections import Counter

from driving import FINE, OLD, PUSH, SORRY, TYPED, Run
from provider_answers import Part
from wire_rules import check_anthropic, check_chat, check_responses

from ttsr_ls.bridge.hooks.contract import Append, Feature, RequestContext, RequestResult
from ttsr_ls.engine.lifecycle.rule_state import RuleFold
from ttsr_ls.engine.projection.anthropic import anthropic_messages
from ttsr_ls.engine.projection.build import conversation
from ttsr_ls.engine.projection.openai_chat import chat_messages
from ttsr_ls.engine.projection.openai_responses import responses_input
from ttsr_ls.engine.turn import ModelCall, RuleCut
from ttsr_ls.engine.turn_events import (
    MAIN_AGENT,
    Done,
    FeatureRecorded,
    InjectionCommitted,
    InjectionDeferred,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    TurnEvent,
)
from ttsr_ls.engine.turn_fold import fold

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


async def play(run: Run, turns: Turns) -> None:
    for answers in turns:
        await run.turn(*answers)
        assert run.sent


def rules_of(events: list[TurnEvent]) -> object:
    state = RuleFold(MAIN_AGENT)
    for event in events:
        state.evolve(event)
    return state.state


def told_rules(events: list[TurnEvent]) -> Counter[str]:
    told = (event for event in events if isinstance(event, InjectionCommitted | ReminderFolded))
    return Counter(rule for event in told for rule in event.rules)


def check(events: list[TurnEvent]) -> None:
    """What holds of the log of a session at any time."""
    told = told_rules(events)
    assert not [rule for rule, times in told.items() if times > 1], "injected twice"
    state = RuleFold(MAIN_AGENT)
    for event in events:
        state.evolve(event)
    assert {mark.rule for mark in state.state.injected} == set(told), "marked, and not told"
    items = conversation(fold(events).turns, MAIN_AGENT)
    check_anthropic(anthropic_messages(items))
    check_chat(chat_messages(items))
    check_responses(responses_input(items))
    notes = [event for event in events if isinstance(event, InjectionCommitted) and "nagging" in event.injection.text]
    said = [note.injection.text.splitlines()[1] for note in notes]  # Between the tags of a feature.
    assert said == [f"nagging {at + 1}." for at in range(len(notes))]
    assert [note.noted[0].content for note in notes] == said


def check_whole(run: Run, events: list[TurnEvent]) -> None:
    """What holds when the last turn was over: nothing that was owed is still owed."""
    check(events)
    told = set(told_rules(events))
    complete = {
        (event.turn, event.step)
        for event in events
        if isinstance(event, StepAppended) and isinstance(event.content, ModelCall) and event.content.complete
    }
    done = {event.call for event in events if isinstance(event, StepUpdated) and isinstance(event.state, Done)}
    for event in events:
        match event:
            case OutputInterrupted(interruption=interruption) if isinstance(interruption.cut, RuleCut):
                assert set(interruption.cut.rules) <= told, "lost"
            case InjectionDeferred() if (event.turn, event.step) in complete:
                assert set(event.rules) <= told, "lost"
            case RuleTriggered(interrupts=False, call=str() as call) if call in done:
                assert event.rule in told, "lost"
            case _:
                pass
    live = run.session._core
    assert live.fold.turns == fold(events).turns
    assert run.state == rules_of(events)
    final = json.dumps(run.session.messages)
    for event in events:
        if isinstance(event, InjectionCommitted):
            assert final.count(json.dumps(event.injection.text)[1:-1]) == 1, "told once, and still"
