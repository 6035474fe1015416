"""Captured streams with a malformed, missing, or unknown field: lost text is reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.adapters.expected_events import EXPECTED
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS
from ttsr_ls.rules.stream import Delta
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, StreamDamaged

SAMPLES = Path(__file__).parents[2] / "samples"
CAPTURES = sorted({*EXPECTED, *(("claude", f"claude/{path.name}") for path in (SAMPLES / "claude").glob("*.jsonl"))})
KINDS = frozenset(
    {"field", "format", "kind", "method", "operation", "role", "sessionUpdate", "state", "status", "type"}
)
"""Fields whose values are kinds."""
OPTIONAL = frozenset(
    {
        ("acp", "result.stopReason"),
        ("acp", "params.update.status"),
        ("codex-app-server", "params.item.changes.#.kind.move_path"),
        ("gemini-api", "candidates"),
        ("gemini-api", "candidates.#.content"),
        ("gemini-api", "candidates.#.content.parts"),
        ("gemini-api", "candidates.#.content.parts.#.functionCall"),
        ("gemini-api", "candidates.#.content.parts.#.text"),
        ("gemini-api", "candidates.#.content.parts.#.thought"),
        ("gemini-chat", "toolCalls"),
        ("gemini-chat", "toolCalls.#.result"),
        ("openai-chat-api", "choices.#.delta"),
        ("openai-chat-api", "choices.#.delta.content"),
        ("openai-chat-api", "choices.#.delta.reasoning_content"),
    }
)
"""Fields that the wire may leave out: an event without them means something else, and is well-formed."""
TEXT_OR_LIST = frozenset({("claude", "message.content"), ("claude-transcript", "message.content")})
"""Fields that may be a string in place of a list, with another meaning."""
NEW_KIND = "some-new-kind"
PathInLine = tuple[str | int, ...]
MISSING = object()


def paths_in(value: Any, path: PathInLine = ()) -> Iterator[PathInLine]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*path, key)
        yield from paths_in(item, (*path, key))


def value_at(value: Any, path: PathInLine) -> Any:
    for key in path:
        value = value[key]
    return value


def without_repetition(data: bytes) -> bytes:
    """The stream with two lines of each form, which takes half as long to read."""
    counts: Counter[Any] = Counter()
    kept = []
    for line in data.split(b"\n"):
        try:
            form = shape(json.loads(line.removeprefix(b"data:")))
        except ValueError:
            kept.append(line)
            continue
        counts[form] += 1
        if counts[form] <= 2:
            kept.append(line)
    return b"\n".join(kept)


def shape(value: Any) -> Any:
    """The form of a line: its keys and kinds, without other values."""
    if isinstance(value, dict):
        return (*((key, shape(item)) for key, item in sorted(value.items())), str(value.get("type")))
    return tuple(dict.fromkeys(map(shape, value))) if isinstance(value, list) else type(value).__name__


def replacements(path: PathInLine, value: Any) -> Iterator[Any]:
    match value:
        case None:
            return
        case str():
            yield from (7, {"z": 1}, ["a"])
        case dict():
            yield from ("x", [1])
        case list():
            yield from ({"z": 1}, "x", [7], 7)
        case _:
            yield "x"
    if isinstance(path[-1], str):
        yield MISSING
    if path[-1] in KINDS:
        yield NEW_KIND


def changed_lines(source: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The stream with one field of one line changed, for each field of one line of each form."""
    lines = data.split(b"\n")
    shapes = set()
    for number, line in enumerate(lines):
        prefix = b"data: " if line.startswith(b"data:") else b""
        body = line.removeprefix(prefix.strip())
        try:
            message = json.loads(body)
        except ValueError:
            continue
        form = shape(message)
        if not isinstance(message, dict) or form in shapes:
            continue
        shapes.add(form)
        for path in paths_in(message):
            name = ".".join("#" if isinstance(key, int) else key for key in path)
            for new in replacements(path, value_at(message, path)):
                if (source, name) in OPTIONAL and (new is MISSING or new == "x"):
                    continue
                if (source, name) in TEXT_OR_LIST and new == "x":
                    continue
                if (source, name) == ("claude-transcript", "type") and new == NEW_KIND:
                    continue  # A transcript repeats prompts and results in lines of other kinds.
                copy = json.loads(body)
                if new is MISSING:
                    del value_at(copy, path[:-1])[path[-1]]
                else:
                    value_at(copy, path[:-1])[path[-1]] = new
                shown = "missing" if new is MISSING else repr(new)
                changed = [*lines[:number], prefix + json.dumps(copy).encode(), *lines[number + 1 :]]
                yield f"line {number + 1}: {name} {shown}", b"\n".join(changed)


def events_of(source: str, data: bytes) -> list[AgentEvent]:
    adapter = SOURCES[source].make(None)
    return [*adapter.feed(data), *adapter.finish()]


def extent(events: list[AgentEvent]) -> tuple[int, Counter[str]]:
    """The characters that stream, and the number of all other events, by their types."""
    streamed = [event.event for event in events if isinstance(event, AgentDelta)]
    others = [type(event).__name__ for event in events if not isinstance(event, AgentDelta | StreamDamaged)]
    return sum(len(delta.text) for delta in streamed if isinstance(delta, Delta)), Counter(others)


def damages(events: list[AgentEvent]) -> list[str]:
    return [event.message for event in events if isinstance(event, StreamDamaged)]


@pytest.mark.parametrize(("source", "sample"), CAPTURES)
def test_text_lost_to_a_malformed_field_is_reported(source: str, sample: str) -> None:
    data = without_repetition((SAMPLES / sample).read_bytes())
    before = events_of(source, data)
    size, others = extent(before)
    silent = []
    for change, stream in changed_lines(source, data):
        events = events_of(source, stream)
        new_size, new_others = extent(events)
        is_lost = new_size < size or bool(others - new_others)
        if is_lost and len(damages(events)) <= len(damages(before)):
            silent.append(change)
    assert silent == []


ASSISTANT = {"type": "assistant", "session_id": "s", "parent_tool_use_id": None}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (ASSISTANT, "its field 'message' is missing"),
        ({**ASSISTANT, "message": "hello"}, "its field 'message' is a string instead of an object"),
        ({**ASSISTANT, "message": {"content": {}}}, "its field 'content' is an object instead of a list"),
        ({**ASSISTANT, "message": {"content": [7]}}, "its list 'content' has a number instead of an object"),
        (
            {**ASSISTANT, "message": {"content": [{"type": "song", "text": "la"}]}},
            "the kind of its block, 'song', is not known",
        ),
        (
            {**ASSISTANT, "message": {"content": [{"type": "text", "text": 7}]}},
            "its field 'text' is a number instead of a string",
        ),
        (
            {**ASSISTANT, "message": {"content": [{"type": "tool_use", "id": "t", "name": True, "input": "x"}]}},
            "its field 'input' is a string instead of an object; its field 'name' is a boolean instead of a string",
        ),
        (
            {"type": "stream_event", "event": {"type": "content_block_delta", "index": 0, "delta": {}}},
            "the answer that it belongs to did not begin, or has ended",
        ),
    ],
)
def test_a_malformed_line_of_claude_code_is_reported(line: dict[str, Any], problem: str) -> None:
    events = events_of("claude", json.dumps(line).encode() + b"\n")
    assert damages(events) == [f"Line 1 of the stream was read only in part: {problem}."]


def test_the_content_of_an_answer_may_be_a_string() -> None:
    events = events_of("claude", json.dumps({**ASSISTANT, "message": {"content": "let a: any"}}).encode())
    assert extent(events)[0] == len("let a: any")
    assert damages(events) == []


def test_blocks_beside_a_malformed_block_are_read() -> None:
    blocks = [7, {"type": "text", "text": "let a: any"}]
    events = events_of("claude", json.dumps({**ASSISTANT, "message": {"content": blocks}}).encode())
    assert extent(events)[0] == len("let a: any")
    assert len(damages(events)) == 1


def test_an_unknown_kind_of_block_is_reported_once() -> None:
    line = json.dumps({**ASSISTANT, "message": {"content": [{"type": "song\x1b[2J"}] * 9}}).encode() + b"\n"
    (damage,) = damages(events_of("claude", line * 50))
    assert damage.startswith("Line 1 of the stream was read only in part: the kind of its block, 'song")
    assert "\x1b" not in damage


def test_reports_of_malformed_lines_are_bounded() -> None:
    line = json.dumps({**ASSISTANT, "message": {"content": [[n] for n in range(1000)]}}).encode() + b"\n"
    reported = damages(events_of("claude", line * (ADAPTER_LIMITS.damaged_lines + 9)))
    assert len(reported) == ADAPTER_LIMITS.damaged_lines
    assert all(len(message) < 300 for message in reported)


@pytest.mark.parametrize("role", ["assistant", "user", "system"])
def test_an_unknown_kind_of_transcript_line_is_reported_if_the_model_wrote_it(role: str) -> None:
    line = {"type": "request-copy", "sessionId": "s", "message": {"role": role, "content": "hello"}}
    expected = ["Line 1 of the stream was skipped: its kind, 'request-copy', is not known."]
    assert damages(events_of("claude-transcript", json.dumps(line).encode())) == expected * (role == "assistant")
