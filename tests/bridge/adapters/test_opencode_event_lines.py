"""Server-sent events of opencode whose data has several lines are joined by line feeds, as the SSE standard says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ttsr_ls.bridge.adapters.lines import NumberedLine
from ttsr_ls.bridge.adapters.opencode.adapter import OpencodeAdapter
from ttsr_ls.bridge.adapters.opencode.event_lines import EventLines
from ttsr_ls.bridge.control.transports.agent_server import line_of
from ttsr_ls.bridge.model.sse import ServerSentEvent, SseParser
from ttsr_ls.session.output.agent_events import AgentEvent, StreamDamaged

SAMPLE = Path(__file__).parents[2] / "samples" / "opencode" / "api-event.sse"


def read(data: bytes) -> list[AgentEvent]:
    adapter = OpencodeAdapter()
    return [*adapter.feed(data), *adapter.finish()]


def pretty(data: bytes, end: str = "\n") -> bytes:
    """The stream with the data of each event on several lines."""
    lines: list[str] = []
    for line in data.decode().splitlines():
        if line.startswith("data:"):
            indented = json.dumps(json.loads(line.removeprefix("data:")), indent=1)
            lines += [f"data: {part}" for part in indented.splitlines()]
        else:
            lines.append(line)
    return (end.join(lines) + end).encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_data_on_several_lines_reads_as_on_one(end: str) -> None:
    data = SAMPLE.read_bytes()
    assert pretty(data, end).count(b"data:") > 5 * data.count(b"data:")
    assert read(pretty(data, end)) == read(data)


def test_an_event_with_several_lines_at_the_end_of_the_stream_is_read() -> None:
    data = SAMPLE.read_bytes()
    assert read(pretty(data).rstrip(b"\n")) == read(data)


def test_lines_that_are_no_json_together_are_read_and_reported_by_themselves() -> None:
    event = b'data: {"type": "server.connected", "properties": {}}\n'
    before = len(read(event + b"\n"))
    events = read(b'data: {"type"\n' + event + b"data: ]\n\n" + event)
    damages = [each.message for each in events if isinstance(each, StreamDamaged)]
    assert [message.partition(":")[0] for message in damages] == [
        "Line 1 of the stream was skipped", "Line 3 of the stream was skipped",
    ]  # fmt: skip
    assert len(events) == 2 * before + 2


def test_the_held_lines_of_an_event_are_bounded() -> None:
    lines = EventLines(20)
    assert lines.add(NumberedLine(1, b"{" * 15)) == []
    assert lines.add(NumberedLine(2, b"{" * 15)) == [NumberedLine(1, b"{" * 15), NumberedLine(2, b"{" * 15)]
    assert lines.end() == []


def test_the_server_of_an_agent_passes_the_data_of_an_event_on_as_one_line() -> None:
    events = SseParser().feed(pretty(SAMPLE.read_bytes()) + b"\n")
    lines = [line_of(event) for event in events if isinstance(event, ServerSentEvent)]
    assert all(line.count(b"\n") == 1 for line in lines)
    wanted = [line for line in SAMPLE.read_bytes().splitlines() if line.startswith(b"data:")]
    assert [json.loads(line) for line in lines] == [json.loads(line.removeprefix(b"data:")) for line in wanted]
