"""The Claude adapter raises for no input, and reports what it cannot read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.adapters.claude_stream import (
    answer,
    event,
    init,
    message_stop,
    prompt,
    prose,
    result,
    to_bytes,
    tool,
    tool_result,
    whole,
)
from tests.bridge.adapters.reading import only, read
from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.bridge.wire.answer_limits import AnswerLimits
from ttsr_ls.session.history.turn_events import Text
from ttsr_ls.session.output.agent_events import BlockFinished, SessionSeen, StreamDamaged

WRITE = '{"file_path": "/home/dev/shop/a.ts", "content": "let a: any;"}'


@pytest.mark.parametrize(
    "line",
    [b"{", b"7", b'"text"', b"[]", b"\xff", b"null", b"{" * 5000, b'{"a":' * 100_000, b'{"n":' + b"9" * 5000 + b"}"],
)
def test_an_unreadable_line_is_reported_and_skipped(line: bytes) -> None:
    adapter = ClaudeAdapter()
    events = adapter.feed(to_bytes([init()]) + line + b"\n\n" + to_bytes(answer(prose("text", ["a"]))))
    (damage,) = only(events, StreamDamaged)
    assert damage.message.startswith("Line 2 of the stream was skipped: ")  # type: ignore[union-attr]
    assert [item for item in events if item != damage] == read(init(), answer(prose("text", ["a"])))[:-1]


def test_unknown_events_of_an_answer_are_reported_once() -> None:
    events = read(init(), *answer(prose("text", ["a"])), event({"type": "content_block_moved"}), event({}), event({}))
    messages = [item.message for item in events if isinstance(item, StreamDamaged)]
    assert [message.partition(": its kind, ")[2] for message in messages] == [
        "'stream_event: content_block_moved', is not known.",
        "'stream_event: ', is not known.",
    ]


def test_unknown_kinds_of_lines_are_reported_once() -> None:
    lines = [init(), {"type": "keep_alive"}, {"type": "thought"}, {"type": "thought"}, {"type": 7}]
    messages = [item.message for item in read(lines) if isinstance(item, StreamDamaged)]
    assert [message.partition(": its kind, ")[2] for message in messages] == [
        "'thought', is not known.",
        "'', is not known.",
    ]


def test_the_number_of_reported_lines_is_limited() -> None:
    adapter = ClaudeAdapter()
    events = adapter.feed(b"nothing\n" * (ADAPTER_LIMITS.damaged_lines + 50))
    damaged = [each_event.message for each_event in events if isinstance(each_event, StreamDamaged)]
    assert len(damaged) == ADAPTER_LIMITS.damaged_lines
    assert damaged[-1].endswith("Further lines that cannot be read are not reported.")
    assert isinstance(adapter.feed(to_bytes([init()]))[0], SessionSeen)


def test_an_overlong_line_is_reported_and_skipped() -> None:
    adapter = ClaudeAdapter()
    piece = b"x" * (1 << 20)
    events = [item for _ in range(ADAPTER_LIMITS.line // len(piece) + 1) for item in adapter.feed(piece)]
    events += adapter.feed(b"\n" + to_bytes([init()]))
    assert events == [
        StreamDamaged("Line 1 of the stream was skipped: it is too long."),
        SessionSeen("s1", "/home/dev/shop"),
    ]


@pytest.mark.parametrize("way", ["streamed", "whole"])
def test_an_overlong_answer_is_reported_once_and_no_longer_matched(way: str) -> None:
    pieces = ["x" * 90] * 30
    lines = (
        answer(prose("text", pieces))
        if way == "streamed"
        else whole(*({"type": "text", "text": text} for text in pieces))
    )
    events = read(lines, limits=AdapterLimits(AnswerLimits(characters=1000)))
    assert len(only(events, StreamDamaged)) == 1
    outputs = [item.output for item in events if isinstance(item, BlockFinished)]
    assert sum(len(output.text) for output in outputs if isinstance(output, Text)) in range(800, 1000)


ODD = st.recursive(
    st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=2), max_leaves=3
)
SHAPES = [
    *answer(prose("text", ["ab"]), tool("Write", [WRITE], 1), tool("Task", ['{"subagent_type": "x"}'], 2)),
    *whole({"type": "text", "text": "x"}, {"type": "tool_use", "id": "t", "name": "Edit", "input": {}}, message="m9"),
    tool_result("toolu_1", "ok"),
    prompt("hi"),
    result(),
    init(),
    event({"type": "error", "error": {"type": "overloaded_error"}}),
    *message_stop(None),
]


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in inner for found in [(*path, key), *paths_in(item, (*path, key))]]


@given(st.data())
def test_the_claude_adapter_does_not_raise_for_odd_values(data: st.DataObject) -> None:
    lines = json.loads(json.dumps(data.draw(st.lists(st.sampled_from(SHAPES), max_size=12))))
    for line in lines:
        if data.draw(st.booleans()):
            *way, last = data.draw(st.sampled_from(paths_in(line)))
            place = line
            for key in way:
                place = place[key]
            place[last] = data.draw(ODD)
    read(*lines)
