"""Chunks of frames in oh-my-pi's RPC protocol 2: any split reads as the frame itself, and damage is reported."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.adapters.claude_stream import to_bytes
from ttsr_ls.bridge.adapters.limits import AdapterLimits
from ttsr_ls.bridge.adapters.pi import PiAdapter
from ttsr_ls.session.output.agent_events import AgentEvent, StreamDamaged

SAMPLE = Path(__file__).parents[2] / "samples" / "pi" / "json.jsonl"


def chunks(frame: str, size: int, identity: str = "rpc-1") -> list[dict[str, Any]]:
    data = frame.encode()
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    common = {"type": "rpc_chunk", "chunkId": identity, "count": len(parts), "byteLength": len(data)}
    return [{**common, "index": index, "data": b64encode(part).decode()} for index, part in enumerate(parts)]


def read(lines: Sequence[dict[str, Any]], limits: AdapterLimits | None = None) -> list[AgentEvent]:
    adapter = PiAdapter(limits=limits or AdapterLimits())
    return [*adapter.feed(to_bytes(lines)), *adapter.finish()]


def damage(lines: Sequence[dict[str, Any]], limits: AdapterLimits | None = None) -> list[str]:
    return [event.message for event in read(lines, limits) if isinstance(event, StreamDamaged)]


@pytest.mark.parametrize("size", [7, 100, 1_000])
def test_frames_in_chunks_read_as_whole_frames(size: int) -> None:
    frames = SAMPLE.read_text().splitlines()
    split = [
        chunk
        for number, frame in enumerate(frames)
        for chunk in (chunks(frame, size, f"rpc-{number}") if len(frame) > 300 else [json.loads(frame)])
    ]
    assert len(split) > len(frames)
    assert read(split) == read([json.loads(frame) for frame in frames])


def test_a_missing_chunk_is_reported_and_the_next_frame_is_read() -> None:
    frame = json.dumps({"type": "message_start", "message": {"role": "assistant", "model": "m"}})
    first, _, third = chunks(frame, 30)[:3]
    whole = chunks(frame, 30, "rpc-2")
    assert damage([first, third, *whole]) == ["Line 2 of the stream was skipped: a chunk of its frame is missing."]
    assert read([first, third, *whole])[1:] == read(whole)


def test_a_chunk_that_is_no_base64_is_reported() -> None:
    chunk = {**chunks("{}", 2)[0], "data": "not base64"}
    assert damage([chunk]) == ["Line 1 of the stream was skipped: its chunk of a frame is not base64."]


def test_a_frame_without_its_end_is_reported() -> None:
    assert damage(chunks('{"type": "turn_start"}', 4)[:-1]) == [
        "Line 5 of the stream was skipped: the end of its frame is missing."
    ]


def test_a_frame_beyond_the_limit_of_a_line_is_reported() -> None:
    text = json.dumps({"type": "notice", "text": "x" * 900})
    assert damage(chunks(text, 200), AdapterLimits(line=600)) == [
        "Line 4 of the stream was skipped: its frame is too long.",
        "Line 5 of the stream was skipped: a chunk of its frame is missing.",
    ]


def test_frames_in_frames_are_read_without_an_error() -> None:
    frame = json.dumps({"type": "session", "id": "s", "cwd": "/w"})
    for depth in range(30):
        frame = json.dumps(chunks(frame, 10_000_000, f"rpc-{depth}")[0])
    assert read([json.loads(frame)]) == read([{"type": "session", "id": "s", "cwd": "/w"}])
