"""What is kept from request to request is exactly what the whole history projects to, and no caller can change it."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import OTHER_AGENT, sessions

from ttsr_ls.engine.projection.anthropic import AnthropicWire, anthropic_messages
from ttsr_ls.engine.projection.build import conversation
from ttsr_ls.engine.projection.cache import ProjectionCache
from ttsr_ls.engine.projection.conversation import Item
from ttsr_ls.engine.projection.message_list import MessageList, copied
from ttsr_ls.engine.projection.openai_chat import ChatWire, chat_messages
from ttsr_ls.engine.projection.openai_responses import ResponsesWire, responses_input
from ttsr_ls.engine.projection.trimming import Trimming, trimmed
from ttsr_ls.engine.projection.wire import Wire
from ttsr_ls.engine.settings import ContextMode
from ttsr_ls.engine.turn import Interruption, PersonCut, UserInput
from ttsr_ls.engine.turn_events import (
    MAIN_AGENT,
    Cleared,
    Completed,
    Done,
    ModelCall,
    OutputInterrupted,
    ReminderFolded,
    Rewound,
    Running,
    StepAppended,
    StepUpdated,
    Text,
    ToolBatch,
    ToolCall,
    ToolInputChanged,
    ToolItem,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.engine.turn_fold import TurnFold

Whole = Callable[[tuple[Item, ...]], list[dict[str, Any]]]
WIRES: list[tuple[Callable[[], Wire], Whole]] = [
    (AnthropicWire, anthropic_messages),
    (ChatWire, chat_messages),
    (ResponsesWire, responses_input),
]
TRIMMINGS = st.none() | st.builds(Trimming, st.integers(-1, 4), st.integers(0, 5))


def whole(history: TurnFold, agent: str, project: Whole, trimming: Trimming | None) -> list[dict[str, Any]]:
    """The specification: everything projected from the turns, with nothing kept."""
    items = conversation(history.turns, agent, top=agent)
    return project(items if trimming is None else trimmed(items, trimming))


def shuffled(events: list[TurnEvent], swaps: list[tuple[int, int]]) -> list[TurnEvent]:
    """Events in an order that no correct host writes."""
    mixed = list(events)
    for one, other in swaps:
        if mixed:
            one, other = one % len(mixed), other % len(mixed)
            mixed[one], mixed[other] = mixed[other], mixed[one]
    return mixed


SWAPS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6)


@settings(max_examples=400)
@given(sessions(), SWAPS | st.just([]), st.data())
def test_kept_messages_are_those_of_the_whole_history(
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
        for agent, cache, project in caches:
            found = cache.messages(trimming)
            assert found == whole(history, agent, project, trimming)
            spoil(found)
    history.recover()
    for agent, cache, project in caches:
        assert cache.messages(trimming) == whole(history, agent, project, trimming)


def spoil(messages: Any) -> None:
    """Changes everything in some messages that can be changed."""
    containers = [messages]
    while containers:
        container = containers.pop()
        children = list(container.values() if isinstance(container, dict) else container)
        containers += [child for child in children if isinstance(child, dict | list)]
        container.clear()


def turn(number: int) -> list[TurnEvent]:
    name, call = f"t{number}", ToolCall(f"c{number}", "bash", '{"command": ["ls", {"deep": []}]}')
    return [
        TurnStarted(name, UserInput(f"prompt {number}")),
        StepAppended(name, 0, ModelCall(MAIN_AGENT, "m", (Text(f"answer {number}"), call), complete=True)),
        StepAppended(name, 1, ToolBatch(MAIN_AGENT, (ToolItem(call.id, "bash", Running()),))),
        StepUpdated(name, 1, call.id, Done(f"result {number}")),
        StepAppended(name, 2, ModelCall(MAIN_AGENT, "m", (Text("done"),), complete=True)),
        TurnEnded(name, Completed()),
    ]


def cached(turns: int, new: Callable[[], Wire] = AnthropicWire) -> tuple[TurnFold, ProjectionCache]:
    history = TurnFold()
    for number in range(turns):
        for event in turn(number):
            history.evolve(event)
    return history, ProjectionCache(history, MAIN_AGENT, new)


@pytest.mark.parametrize(("new", "project"), WIRES)
@pytest.mark.parametrize(
    "late",
    [
        StepUpdated("t9", 1, "a", Done("late")),
        ToolInputChanged("t9", 1, "a", "guard", '{"x": 2}'),
        ReminderFolded("t9", 1, "a", ("r",), "late"),
        StepAppended("t9", 3, ToolBatch(MAIN_AGENT, (ToolItem("b", "bash", Done("late")),))),
        StepAppended("t9", -4, ModelCall(MAIN_AGENT, "m", (Text("first"),), complete=True)),
        OutputInterrupted("t9", 9, Interruption(MAIN_AGENT, 0, PersonCut(), ContextMode.DISCARD)),
        Rewound("t2"),
        Cleared(),
    ],
    ids=["result", "input", "reminder", "batch", "answer", "interruption", "rewound", "cleared"],
)
def test_an_event_about_what_was_projected_already_counts(
    new: Callable[[], Wire], project: Whole, late: TurnEvent
) -> None:
    history, cache = cached(4, new)
    calls = (ToolCall("a", "bash", '{"x": 1}'), ToolCall("b", "bash", '{"x": 1}'))
    for event in (
        TurnStarted("t9", UserInput("go")),
        StepAppended("t9", 0, ModelCall(MAIN_AGENT, "m", calls[:1], complete=True)),
        StepAppended("t9", 1, ToolBatch(MAIN_AGENT, (ToolItem("a", "bash", Running()),))),
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


def test_only_what_is_new_is_projected(monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[Item] = []
    add = AnthropicWire.add
    monkeypatch.setattr(AnthropicWire, "add", lambda wire, item: (added.append(item), add(wire, item))[1])
    history, cache = cached(200)
    cache.messages(None)
    assert len(added) == 600
    for number in range(200, 230):
        added.clear()
        for event in turn(number):
            history.evolve(event)
            cache.messages(None)
        assert len(added) <= 16


def test_a_long_turn_is_projected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[Item] = []
    add = AnthropicWire.add
    monkeypatch.setattr(AnthropicWire, "add", lambda wire, item: (added.append(item), add(wire, item))[1])
    history, cache = cached(0)
    history.evolve(TurnStarted("t", UserInput("go")))
    for number in range(300):
        history.evolve(StepAppended("t", number, ModelCall(MAIN_AGENT, "m", (Text(f"{number}"),), complete=True)))
        cache.messages(None)
    history.evolve(TurnEnded("t", Completed()))
    assert cache.messages(None) == whole(history, MAIN_AGENT, anthropic_messages, None)
    assert len(added) <= 2 * 300 + 2 + 301  # The specification adds the rest.


CHANGES: dict[str, Callable[[MessageList], object]] = {
    "getitem": lambda messages: messages[0].update(role="x"),
    "negative": lambda messages: messages[-3].update(role="x"),
    "slice": lambda messages: [each.clear() for each in messages[:3]],
    "iteration": lambda messages: [spoil(each) for each in messages],
    "reversed": lambda messages: [spoil(each) for each in reversed(messages)],
    "pop": lambda messages: messages.pop(0).clear(),
    "pop and again": lambda messages: (messages.pop(0), spoil(messages[0])),
    "list": lambda messages: [each.clear() for each in list(messages)],
    "tuple": lambda messages: [each.clear() for each in tuple(messages)],
    "unpacked": lambda messages: [each.clear() for each in [*messages]],
    "copy": lambda messages: [each.clear() for each in messages.copy()],
    "copy.copy": lambda messages: [each.clear() for each in copy.copy(messages)],
    "deepcopy": lambda messages: [each.clear() for each in copy.deepcopy(messages)],
    "sum": lambda messages: [each.clear() for each in messages.__add__([{}])],
    "sum behind": lambda messages: [each.clear() for each in added([{}], messages)],
    "product": lambda messages: [each.clear() for each in messages * 2],
    "product behind": lambda messages: [each.clear() for each in 2 * messages],
    "product in place": lambda messages: [each.clear() for each in messages.__imul__(2)],
    "extend": lambda messages: [each.clear() for each in extended([], messages)],
    "assigned": lambda messages: [each.clear() for each in assigned([], messages)],
    "insert": lambda messages: (messages.insert(0, {}), [spoil(each) for each in messages]),
    "delete": lambda messages: (messages.__delitem__(0), spoil(messages)),
    "set": lambda messages: (messages.__setitem__(0, {"a": 1}), messages[0].clear(), spoil(messages)),
    "set slice": lambda messages: (messages.__setitem__(slice(0, 2), []), spoil(messages)),
    "remove": lambda messages: (messages.remove(messages[1]), spoil(messages)),
    "sort": lambda messages: messages.sort(key=lambda each: spoil(each) or 0),
    "reverse": lambda messages: (messages.reverse(), spoil(messages)),
    "arguments": lambda messages: (lambda *each: spoil(list(each)))(*messages),
    "zip": lambda messages: [spoil(one) for one, _ in zip(messages, messages, strict=True)],
}


def added(one: list[Any], other: list[Any]) -> list[Any]:
    return one + other


def extended(one: list[Any], other: list[Any]) -> list[Any]:
    one += other
    return one


def assigned(one: list[Any], other: list[Any]) -> list[Any]:
    one[0:0] = other
    return one


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("new", "project"), WIRES)
def test_a_caller_who_changes_messages_changes_no_other_request(
    new: Callable[[], Wire], project: Whole, change: str
) -> None:
    history, cache = cached(3, new)
    for event in turn(3)[:3]:
        history.evolve(event)
    right = whole(history, MAIN_AGENT, project, None)
    kept = cache.messages(None)
    CHANGES[change](cache.messages(None))
    assert cache.messages(None) == right
    assert kept == right


def test_a_message_that_was_changed_stays_so_in_its_own_list() -> None:
    _, cache = cached(3)
    messages = cache.messages(None)
    messages[1]["content"][0]["cache_control"] = {"type": "ephemeral"}
    messages[0] = {"role": "user", "content": "x"}
    messages.append({"role": "user", "content": "y"})
    for found in (list(messages), json.loads(json.dumps(messages)), pickle.loads(pickle.dumps(messages))):
        assert found[0]["content"] == "x"
        assert found[1]["content"][0]["cache_control"] == {"type": "ephemeral"}
        assert found[-1]["content"] == "y"
    assert messages[1] is messages[1]
    assert "cache_control" not in json.dumps(cache.messages(None))


@given(st.recursive(st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=2), inner)))
def test_a_copy_is_equal_and_shares_nothing(value: Any) -> None:
    twin = copied(value)
    assert twin == value
    if isinstance(value, dict | list):
        before = json.dumps(value)
        spoil(twin)
        assert json.dumps(value) == before


def test_nesting_has_no_limit() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    twin = copied(value)
    while twin:
        (twin,) = twin
        (value,) = value
        assert twin is not value
