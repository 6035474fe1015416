"""Transcript lines give the same events whether only the used fields are decoded, or all of the JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ttsr_ls.bridge.adapters import line_adapter
from ttsr_ls.bridge.adapters.claude import transcript as transcript_module
from ttsr_ls.bridge.adapters.claude.transcript import ClaudeTranscriptAdapter
from ttsr_ls.session.output.agent_events import AgentEvent, BlockFinished, StreamDamaged, ToolResultSeen

TEXTS = st.text(st.characters(codec=None), max_size=4)
ODD: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.just({}) | st.just([]) | st.just([[{}]]) | TEXTS
)
BLOCKS = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "tool_use", "tool_result"]) | ODD},
    optional={
        "text": ODD,
        "thinking": ODD,
        "id": ODD,
        "name": st.just("Write") | ODD,
        "input": st.just({"file_path": "a.py", "content": "x"}) | ODD,
        "tool_use_id": ODD,
        "content": ODD,
        "is_error": ODD,
    },
)
MESSAGES = st.fixed_dictionaries(
    {"content": st.lists(BLOCKS, max_size=3) | ODD}, optional={"id": ODD, "model": ODD, "usage": ODD}
)
LINES = st.fixed_dictionaries(
    {"type": st.sampled_from(["assistant", "user", "system", "result", "stream_event", "last-prompt"]) | ODD},
    optional={
        "message": MESSAGES | ODD,
        "sessionId": st.sampled_from(["s1", "s2"]) | ODD,
        "cwd": st.just("/work") | ODD,
        "isMeta": ODD,
        "isSidechain": ODD,
        "isSynthetic": ODD,
        "agentId": ODD,
        "parent_tool_use_id": ODD,
        "subtype": st.just("init") | ODD,
        "session_id": ODD,
        "toolUseResult": ODD,
    },
)


def events_of(data: bytes) -> list[AgentEvent]:
    adapter = ClaudeTranscriptAdapter()
    return [*adapter.feed(data), *adapter.finish()]


@given(st.lists(LINES | ODD, max_size=5), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_fast_reader_of_transcripts_gives_the_same_events_as_plain_json(
    monkeypatch: pytest.MonkeyPatch, lines: list[Any], escaped: bool
) -> None:
    encoded = (json.dumps(line, ensure_ascii=escaped).encode("utf-8", "surrogatepass") for line in lines)
    data = b"".join(line + b"\n" for line in encoded)
    by_form = events_of(data)
    with monkeypatch.context() as patched:
        patched.setattr(transcript_module, "parse_transcript_line", lambda _: None)
        assert by_form == events_of(data)


def test_unused_fields_of_transcript_lines_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = Path(__file__).parents[2] / "samples" / "claude_transcript" / "session.jsonl"
    monkeypatch.setattr(line_adapter, "parse_object", lambda line: pytest.fail(f"decoded as a whole: {line[:80]!r}"))
    lines = [line for line in sample.read_bytes().splitlines() if b'"type":"system"' not in line]
    kinds = {type(event) for event in events_of(b"\n".join(lines))}
    assert kinds >= {BlockFinished, ToolResultSeen}


def test_the_repeated_message_of_a_request_is_skipped() -> None:
    answer = {"role": "assistant", "content": [{"type": "text", "text": "Fine."}]}
    line = json.dumps({"type": "api-request-blob", "sessionId": "s", "hash": "0", "message": answer}).encode() + b"\n"
    assert [event for event in events_of(line) if isinstance(event, BlockFinished | StreamDamaged)] == []
