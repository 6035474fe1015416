"""The cached messages equal a projection of the whole history, and callers cannot change them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property_examples import examples
from tests.session.history.sessions import OTHER_AGENT, sessions
from tests.session.projection.projections import WIRES, Whole, cached, sent_items, spoil, turn, whole
from tests.session.projection.whole import anthropic_messages
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn import InterruptedByUser, Interruption, UserInput
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRunning,
    HistoryCleared,
    HistoryRewound,
    ModelCall,
    OutputInterrupted,
    ReminderFolded,
    StepAppended,
    StepUpdated,
    Text,
    ToolBatch,
    ToolCall,
    ToolInputChanged,
    ToolItem,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.projection.anthropic import AnthropicWire
from ttsr_ls.session.projection.cache import ProjectionCache
from ttsr_ls.session.projection.conversation import Item
from ttsr_ls.session.projection.trimming import Trimming
from ttsr_ls.session.projection.wire import Wire

TRIMMINGS = st.none() | st.builds(Trimming, st.integers(-1, 4), st.integers(0, 5))


def shuffled(events: list[TurnEvent], swaps: list[tuple[int, int]]) -> list[TurnEvent]:
    """Events in an order that no correct host writes."""
    mixed = list(events)
    for one, other in swaps:
        if mixed:
            a, b = one % len(mixed), other % len(mixed)
            mixed[a], mixed[b] = mixed[b], mixed[a]
    return mixed


SWAPS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6)


@examples(150)
@given(sessions(), SWAPS | st.just([]), st.data())
def test_cached_messages_equal_a_projection_of_the_whole_history(
    events: list[TurnEvent], swaps: list[tuple[int, int]], data: st.DataObject
) -> None:
    history = TurnFold()
    caches = [
        (agent, ProjectionCache(history, agent, new), project)
        for agent in (MAIN_AGENT, OTHER_AGENT)
        for new, project in WIRES
    ]
    trimming = data.draw(TRIMMINGS)
    for event in shuffled(events, swaps):
        history.evolve(event)
        if data.draw(st.integers(0, 9)) == 0:
            trimming = data.draw(TRIMMINGS)
        if data.draw(st.booleans()):
            continue
        items = {agent: sent_items(history, agent, trimming) for agent in (MAIN_AGENT, OTHER_AGENT)}
        for agent, cache, project in caches:
            message_list = cache.messages(trimming)
            assert message_list == project(items[agent])
            spoil(message_list)
    history.recover()
    for agent, cache, project in caches:
        assert cache.messages(trimming) == whole(history, agent, project, trimming)


@pytest.mark.parametrize(("new", "project"), WIRES)
@pytest.mark.parametrize(
    "late",
    [
        StepUpdated("t9", 1, "a", CallDone("late")),
        ToolInputChanged("t9", 1, "a", "guard", '{"x": 2}'),
        ReminderFolded("t9", 1, "a", ("r",), "late"),
        StepAppended("t9", 3, ToolBatch(MAIN_AGENT, (ToolItem("b", "bash", CallDone("late")),))),
        StepAppended("t9", -4, ModelCall(MAIN_AGENT, "m", (Text("first"),), complete=True)),
        OutputInterrupted("t9", 9, Interruption(MAIN_AGENT, 0, InterruptedByUser(), ContextMode.DISCARD)),
        HistoryRewound("t2"),
        HistoryCleared(),
    ],
    ids=["result", "input", "reminder", "batch", "answer", "interruption", "rewound", "cleared"],
)
def test_an_event_about_projected_steps_updates_the_messages(
    new: Callable[[], Wire], project: Whole, late: TurnEvent
) -> None:
    history, cache = cached(4, new)
    calls = (ToolCall("a", "bash", '{"x": 1}'), ToolCall("b", "bash", '{"x": 1}'))
    for event in (
        TurnStarted("t9", UserInput("go")),
        StepAppended("t9", 0, ModelCall(MAIN_AGENT, "m", calls[:1], complete=True)),
        StepAppended("t9", 1, ToolBatch(MAIN_AGENT, (ToolItem("a", "bash", CallRunning()),))),
        StepAppended("t9", 2, ModelCall(MAIN_AGENT, "m", calls[1:], complete=True)),
        StepAppended("t9", 4, ModelCall(MAIN_AGENT, "m", (Text("x"),), complete=True)),
    ):
        history.evolve(event)
        cache.messages(None)
    before = json.dumps(cache.messages(None))
    history.evolve(late)
    after = cache.messages(None)
    assert after == whole(history, MAIN_AGENT, project, None)
    assert json.dumps(after) != before


def test_only_new_events_are_projected(monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[Item] = []
    add = AnthropicWire.add
    monkeypatch.setattr(AnthropicWire, "add", lambda wire, item: (messages.append(item), add(wire, item))[1])
    history, cache = cached(200)
    cache.messages(None)
    assert len(messages) == 600
    for number in range(200, 230):
        messages.clear()
        for event in turn(number):
            history.evolve(event)
            cache.messages(None)
        assert len(messages) <= 16


def test_a_long_turn_is_projected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[Item] = []
    add = AnthropicWire.add
    monkeypatch.setattr(AnthropicWire, "add", lambda wire, item: (messages.append(item), add(wire, item))[1])
    history, cache = cached(0)
    history.evolve(TurnStarted("t", UserInput("go")))
    for number in range(300):
        history.evolve(StepAppended("t", number, ModelCall(MAIN_AGENT, "m", (Text(f"{number}"),), complete=True)))
        cache.messages(None)
    history.evolve(TurnEnded("t", TurnCompleted()))
    assert cache.messages(None) == whole(history, MAIN_AGENT, anthropic_messages, None)
    assert len(messages) <= 2 * 300 + 2 + 301  # `whole` adds 301.
