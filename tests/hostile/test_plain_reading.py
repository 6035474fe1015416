"""Adapters lose nothing that a plain JSON reader finds in a damaged stream, and report each line that is no JSON."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bridge.adapters.expected_events import EXPECTED
from tests.hostile.damaged_streams import is_unreadable
from tests.hostile.plain_reading import PROSE, plain_arguments, plain_prose
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.rules.stream import Delta, Snapshot, Source
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, StreamDamaged

SAMPLES = Path(__file__).parents[1] / "samples"
CAPTURES = [*sorted(EXPECTED), *(("claude", f"claude/{path.name}") for path in sorted(SAMPLES.glob("claude/*.jsonl")))]
SEEDS = int(os.environ.get("TTSR_DAMAGE_SEEDS", "3"))
NOISE = [b"data: {nothing\n", b"{\n", b"}{\n", b"\xff\xfe\n", b"panic: at the disco\n"]


def reading_of(source: str, sample: str) -> str:
    if "/session" in sample and source in ("pi", "omp"):
        return "pi-session"
    return "pi" if source == "omp" else source


def damaged(data: bytes, choices: random.Random) -> list[bytes]:
    """The lines of a stream after up to three of them were cut, garbled, lost, doubled, or had noise before them."""
    lines = data.splitlines(keepends=True)
    for _ in range(choices.randint(1, 3)):
        number = choices.randrange(len(lines))
        line = lines[number]
        at = choices.randrange(len(line))
        noise = bytes(byte for byte in choices.randbytes(3) if byte not in b"\r\n")
        instead = {
            "cut": [line[:at] + b"\n"],
            "garbled": [line[:at] + noise + line[at + 3 :].rstrip(b"\n") + b"\n"],
            "lost": [],
            "doubled": [line, line],
            "noise": [choices.choice(NOISE), line],
        }
        lines[number : number + 1] = instead[choices.choice(sorted(instead))]
    return lines


def pieces(data: bytes, choices: random.Random) -> Iterator[bytes]:
    while data:
        size = choices.randint(1, 4096)
        yield data[:size]
        data = data[size:]


def lost(source: str, reading: str, lines: list[bytes], events: list[AgentEvent]) -> list[str]:
    """What the stream says and the events do not."""
    streamed = [event.event for event in events if isinstance(event, AgentDelta)]
    texts = [each for each in streamed if isinstance(each, Delta | Snapshot)]
    prose = "".join(each.text for each in texts if each.context.source is not Source.TOOL)
    written = "\n".join(each.text for each in texts if each.context.source is Source.TOOL)
    written += "".join(each.text for each in texts if each.context.source is Source.TOOL and isinstance(each, Delta))
    missing: list[str] = []
    position = 0
    for piece in plain_prose(reading, lines):
        found = prose.find(piece, position)
        if found < 0:
            missing.append(f"prose {piece!r}")
        else:
            position = found
    for text in plain_arguments(reading, lines):
        escaped = (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
        if text not in written and not any(each in written for each in escaped):
            missing.append(f"argument {text!r}")
    unreadable = sum(is_unreadable(line.rstrip(b"\r\n")) for line in lines)
    reports = sum(isinstance(event, StreamDamaged) for event in events)
    if reports < (min(unreadable, 1) if source.endswith("-api") else unreadable):
        missing.append(f"{unreadable - reports} reports of lines that cannot be read")
    return missing


def read(source: str, chunks: Iterator[bytes]) -> list[AgentEvent]:
    adapter = SOURCES[source].make(None)
    return [*(event for chunk in chunks for event in adapter.feed(chunk)), *adapter.finish()]


def test_every_source_has_a_plain_reading() -> None:
    assert set(PROSE) - {"pi-session"} | {"omp", "session-log", "text"} == set(SOURCES)


@pytest.mark.parametrize(("source", "sample"), CAPTURES)
def test_nothing_is_lost_that_a_plain_reader_finds(source: str, sample: str) -> None:
    data = (SAMPLES / sample).read_bytes()
    reading = reading_of(source, sample)
    lines = data.splitlines(keepends=True)
    assert plain_prose(reading, lines) or plain_arguments(reading, lines)
    assert lost(source, reading, lines, read(source, iter([data]))) == []
    for seed in range(SEEDS):
        choices = random.Random(f"{sample} {seed}")
        for _ in range(4):
            lines = damaged(data, choices)
            events = read(source, pieces(b"".join(lines), choices))
            assert lost(source, reading, lines, events) == [], seed


REPEATING = ["claude/print-partial.jsonl", "pi/json.jsonl", "opencode/api-event.sse", "apis/openai-responses.sse"]


@pytest.mark.parametrize(("source", "sample"), [capture for capture in CAPTURES if capture[1] in REPEATING])
def test_a_lost_line_takes_nothing_with_it_that_others_repeat(source: str, sample: str) -> None:
    lines = (SAMPLES / sample).read_bytes().splitlines(keepends=True)
    reading = reading_of(source, sample)
    for number in range(len(lines)):
        rest = [*lines[:number], *lines[number + 1 :]]
        missing = lost(source, reading, rest, read(source, iter(rest)))
        assert [each for each in missing if each.startswith("argument")] == [], number
