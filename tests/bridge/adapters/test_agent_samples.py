"""The events of captured streams of all other sources, for any split and with damage."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.adapters.expected_events import EXPECTED
from tests.bridge.event_summaries import summarize
from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules, watch
from tests.hostile.damaged_streams import KINDS, problems
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.detection import detect_source, source_of
from ttsr_ls.bridge.adapters.line_adapter import LineReader
from ttsr_ls.rules.stream import Delta
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, StreamDamaged

SAMPLES = Path(__file__).parents[2] / "samples"
pytestmark = pytest.mark.usefixtures("shared_automata")


def events_of(source: str, data: bytes) -> list[AgentEvent]:
    adapter = SOURCES[source].make(None)
    return [*adapter.feed(data), *adapter.finish()]


@pytest.mark.parametrize(("source", "sample"), sorted(EXPECTED))
def test_a_captured_stream_gives_the_expected_events(source: str, sample: str) -> None:
    log = MemoryLog()
    watch((SAMPLES / sample).read_bytes(), log, rules(no_old=NO_OLD), adapter=SOURCES[source].make(None))
    assert [summarize(event) for event in log.events] == EXPECTED[source, sample]


@pytest.mark.parametrize(("source", "sample"), sorted(EXPECTED))
def test_the_source_of_a_captured_stream_is_detected(source: str, sample: str) -> None:
    data = (SAMPLES / sample).read_bytes()
    pieces = [data[start : start + 50] for start in range(0, len(data), 50)]
    name, chunks = detect_source(pieces)
    assert name == source
    assert b"".join(chunks) == data


def test_every_sample_has_expected_events() -> None:
    names = {str(path.relative_to(SAMPLES)) for path in SAMPLES.glob("*/*") if path.parent.name != "claude"}
    # A database is no stream: `tests/cli/replay/test_opencode_sessions.py` reads it.
    assert names == {sample for _, sample in EXPECTED} | {"opencode/storage.sql"}


@pytest.mark.parametrize("data", [b"", b"\n\n", b"hello\nyou\n", b'{"type": "weather"}\n', b"[1]\n" * 300, b"\xff\x00"])
def test_an_unknown_stream_is_not_detected(data: bytes) -> None:
    assert detect_source([data])[0] is None
    assert source_of(data) is None


@pytest.mark.parametrize(("source", "sample"), sorted(EXPECTED))
def test_any_split_of_the_bytes_gives_the_same_events(source: str, sample: str) -> None:
    data = (SAMPLES / sample).read_bytes()
    whole = events_of(source, data)
    choices = random.Random(7)
    for size in (1, 7, 4096):
        adapter = SOURCES[source].make(None)
        events: list[AgentEvent] = []
        position = 0
        while position < len(data):
            step = choices.randint(1, size)
            events += adapter.feed(data[position : position + step])
            position += step
        assert events + adapter.finish() == whole


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("source", "sample"), sorted(EXPECTED))
def test_damage_is_reported_and_undamaged_lines_are_kept(source: str, sample: str, kind: str) -> None:
    data = (SAMPLES / sample).read_bytes()
    choices = random.Random(f"{sample} {kind}")
    assert [problem for _ in range(4) for problem in problems(source, data, kind, choices)] == []


ODD: list[Any] = [None, True, 7, -1, 1e300, "", "x", [], [None], {}, {"type": 3}, [[["a"]]], {"id": {"id": []}}]


@pytest.mark.parametrize(("source", "sample"), [pair for pair in sorted(EXPECTED) if pair[1].endswith(".jsonl")])
def test_adapters_do_not_raise_for_odd_values(source: str, sample: str) -> None:
    lines = [json.loads(line) for line in (SAMPLES / sample).read_bytes().splitlines()]
    choices = random.Random(13)
    for _ in range(150):
        odd = json.loads(json.dumps(choices.sample(lines, min(len(lines), 12))))
        for line in odd:
            place = line
            for _ in range(choices.randrange(5)):
                inner = [value for value in (place.values() if isinstance(place, dict) else place) if value]
                inner = [value for value in inner if isinstance(value, dict | list)]
                if not inner:
                    break
                place = choices.choice(inner)
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if keys:
                place[choices.choice(keys)] = choices.choice(ODD)
        events_of(source, b"".join(json.dumps(line).encode() + b"\n" for line in odd))


def test_an_unknown_kind_is_reported_once() -> None:
    events = events_of("codex", b'{"type": "thread.hummed\\u001b[2J"}\n' * 3)
    (damage,) = events
    assert isinstance(damage, StreamDamaged)
    assert damage.message.startswith("Line 1 of the stream was skipped: its kind, 'thread.hummed")
    assert "\x1b" not in damage.message


def written(events: list[AgentEvent]) -> str:
    deltas = [event.event for event in events if isinstance(event, AgentDelta)]
    return "".join(delta.text for delta in deltas if isinstance(delta, Delta))


def test_plain_text_is_one_answer_for_any_split() -> None:
    data = "schön: import deprecated_module\n".encode()
    whole = events_of("text", data)
    adapter = SOURCES["text"].make(None)
    pieces = [event for byte in data for event in adapter.feed(bytes([byte]))] + adapter.finish()
    assert written(whole) == written(pieces) == data.decode()
    assert events_of("text", b"") == []


def test_every_adapter_of_json_lines_is_a_line_reader() -> None:
    other = {name for name, source in SOURCES.items() if not isinstance(source.make(None), LineReader)}
    assert other == {"text", "anthropic-api", "openai-chat-api", "openai-responses-api", "gemini-api"}
