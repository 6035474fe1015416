"""The fast reader of delta lines gives the same events as plain JSON values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bridge.adapters.claude_stream import answer, to_bytes, tool
from tests.bridge.watch.watching import claude
from ttsr_ls.bridge.adapters.claude import adapter as claude_module
from ttsr_ls.bridge.adapters.claude.lines import parse_delta_line
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent

TEXTS = st.text(st.characters(codec=None), max_size=5)
ODD: st.SearchStrategy[object] = st.none() | st.booleans() | st.integers(-3, 3) | st.just({}) | st.just([]) | TEXTS
KINDS = (
    st.sampled_from(["text_delta", "thinking_delta", "input_json_delta", "signature_delta", "citations_delta"]) | ODD
)
DELTAS = st.fixed_dictionaries(
    {},
    optional={"type": KINDS, "text": ODD, "thinking": ODD, "partial_json": ODD, "signature": ODD, "citation": ODD},
)
EVENTS = st.fixed_dictionaries(
    {"type": st.sampled_from(["content_block_delta", "content_block_stop"]) | ODD},
    optional={"index": st.integers(0, 3) | ODD | st.just(2**70), "delta": DELTAS | ODD},
)
LINES = st.fixed_dictionaries(
    {"type": st.just("stream_event") | ODD, "event": EVENTS | ODD},
    optional={"parent_tool_use_id": ODD, "uuid": ODD},
)
BEGUN = [
    {"type": "stream_event", "event": {"type": "message_start", "message": {"id": "m", "model": "x"}}},
    *(
        {"type": "stream_event", "event": {"type": "content_block_start", "index": index, "content_block": block}}
        for index, block in enumerate(
            ({"type": "text"}, {"type": "thinking"}, {"type": "tool_use", "id": "t", "name": "Write"})
        )
    ),
]


def events_of(lines: list[dict[str, Any]], *, escaped: bool) -> list[AgentEvent]:
    adapter = claude()
    data = b"".join(json.dumps(line, ensure_ascii=escaped).encode("utf-8", "surrogatepass") + b"\n" for line in lines)
    return [*adapter.feed(data), *adapter.finish()]


@given(st.lists(LINES, max_size=6), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_fast_reader_of_deltas_gives_the_same_events_as_plain_json(
    monkeypatch: pytest.MonkeyPatch, lines: list[dict[str, Any]], escaped: bool
) -> None:
    by_form = events_of([*BEGUN, *lines], escaped=escaped)
    with monkeypatch.context() as patched:
        patched.setattr(claude_module, "parse_delta_line", lambda _: None)
        assert by_form == events_of([*BEGUN, *lines], escaped=escaped)


def test_recorded_deltas_are_read_by_the_fast_reader() -> None:
    lines = [to_bytes([line]).strip() for line in answer(tool("Write", ['{"file_path": "/a', '.ts"}']))]
    deltas = [line for line in lines if b"partial_json" in line]
    assert len(deltas) == 2
    assert all(parse_delta_line(line) is not None for line in deltas)


def test_a_text_that_contains_the_mark_is_no_delta() -> None:
    lines = [*BEGUN, {"type": "user", "message": {"content": 'a "content_block_delta"'}}]
    assert not any(isinstance(event, AgentDelta) for event in events_of(lines, escaped=True))
