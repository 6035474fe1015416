"""Changing the messages of one request does not change other requests."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.projection.projections import WIRES, Whole, cached, spoil, turn, whole
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
)
from ttsr_ls.session.projection.message_list import MessageList, copy_value
from ttsr_ls.session.projection.wire import Wire


def _spoil_all(*messages: dict[str, Any]) -> None:
    spoil(list(messages))


@pytest.mark.parametrize("index", [-5, -4, 3])
def test_an_index_outside_of_the_list_is_refused(index: int) -> None:
    with pytest.raises(IndexError):
        MessageList([{}, {}, {}], 3)[index]


CHANGES: dict[str, Callable[[MessageList], object]] = {
    "getitem": lambda messages: messages[0].update(role="x"),
    "negative": lambda messages: messages[-3].update(role="x"),
    "slice": lambda messages: [message.clear() for message in messages[:3]],
    "iteration": lambda messages: [spoil(message) for message in messages],
    "reversed": lambda messages: [spoil(message) for message in reversed(messages)],
    "pop": lambda messages: messages.pop(0).clear(),
    "pop and again": lambda messages: (messages.pop(0), spoil(messages[0])),
    "list": lambda messages: [item.clear() for item in list(messages)],
    "tuple": lambda messages: [item.clear() for item in tuple(messages)],
    "unpacked": lambda messages: [item.clear() for item in [*messages]],
    "copy": lambda messages: [item.clear() for item in messages.copy()],
    "copy.copy": lambda messages: [item.clear() for item in copy.copy(messages)],
    "deepcopy": lambda messages: [item.clear() for item in copy.deepcopy(messages)],
    "sum": lambda messages: [item.clear() for item in messages.__add__([{}])],
    "sum behind": lambda messages: [item.clear() for item in added([{}], messages)],
    "product": lambda messages: [item.clear() for item in messages * 2],
    "product behind": lambda messages: [message.clear() for message in 2 * messages],
    "product in place": lambda messages: [item.clear() for item in messages.__imul__(2)],
    "extend": lambda messages: [item.clear() for item in extended([], messages)],
    "assigned": lambda messages: [item.clear() for item in assigned([], messages)],
    "insert": lambda messages: (messages.insert(0, {}), [spoil(message) for message in messages]),
    "delete": lambda messages: (messages.__delitem__(0), spoil(messages)),
    "set": lambda messages: (messages.__setitem__(0, {"a": 1}), messages[0].clear(), spoil(messages)),
    "set slice": lambda messages: (messages.__setitem__(slice(0, 2), []), spoil(messages)),
    "remove": lambda messages: (messages.remove(messages[1]), spoil(messages)),
    "sort": lambda messages: messages.sort(key=lambda item: spoil(item) or 0),
    "reverse": lambda messages: (messages.reverse(), spoil(messages)),
    "arguments": lambda messages: _spoil_all(*messages),
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


@pytest.mark.parametrize(("new", "project"), WIRES)
def test_changing_the_messages_of_one_request_changes_no_other(new: Callable[[], Wire], project: Whole) -> None:
    for name, change in CHANGES.items():
        history, cache = cached(3, new)
        for event in turn(3)[:3]:
            history.evolve(event)
        right = whole(history, MAIN_AGENT, project, None)
        kept = cache.messages(None)
        change(cache.messages(None))
        assert cache.messages(None) == right, name
        assert kept == right, name


def test_a_changed_message_stays_changed_in_its_own_list() -> None:
    _, cache = cached(3)
    messages = cache.messages(None)
    messages[1]["content"][0]["cache_control"] = {"type": "ephemeral"}
    messages[0] = {"role": "user", "content": "x"}
    messages.append({"role": "user", "content": "y"})
    for message in (list(messages), json.loads(json.dumps(messages)), pickle.loads(pickle.dumps(messages))):  # noqa: S301
        assert message[0]["content"] == "x"
        assert message[1]["content"][0]["cache_control"] == {"type": "ephemeral"}
        assert message[-1]["content"] == "y"
    assert messages[1] is messages[1]
    assert "cache_control" not in json.dumps(cache.messages(None))


@given(st.recursive(st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=2), inner)))
def test_a_copy_is_equal_and_shares_nothing(value: Any) -> None:
    twin = copy_value(value)
    assert twin == value
    if isinstance(value, dict | list):
        before = json.dumps(value)
        spoil(twin)
        assert json.dumps(value) == before


def test_nesting_has_no_limit() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    twin = copy_value(value)
    while twin:
        (twin,) = twin
        (value,) = value
        assert twin is not value
