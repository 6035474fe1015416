"""Damaged streams of providers: unreadable parts are reported, and all others read."""

from __future__ import annotations

import pytest

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, StreamDamaged

SAID = b'data: {"choices": [{"index": 0, "delta": {"content": "one"}}]}\n'


def read(data: bytes, source: str = "openai-chat-api") -> list[AgentEvent]:
    adapter = SOURCES[source].make(None)
    return [*adapter.feed(data), *adapter.finish()]


def reports(events: list[AgentEvent]) -> list[str]:
    return [event.message for event in events if isinstance(event, StreamDamaged)]


def deltas(events: list[AgentEvent]) -> int:
    return sum(isinstance(event, AgentDelta) for event in events)


@pytest.mark.parametrize(
    "line", [b"panic: at the disco\n", b'{"error": {"message": "no"}}\n', b"<html>\n", b"\xff\xfe\n", b"datum: {}\n"]
)
def test_lines_outside_of_events_are_reported(line: bytes) -> None:
    events = read(line + SAID + b"\n")
    assert reports(events) == ["A line of the stream was skipped: it is not part of a server-sent event."]
    assert deltas(events) == deltas(read(SAID + b"\n")) > 0


@pytest.mark.parametrize("line", [b"event: x\n", b"id: 1\n", b"retry: 5\n", b": comment\n", b"data: [DONE]\n\n"])
def test_valid_lines_without_data_are_not_reported(line: bytes) -> None:
    assert reports(read(SAID + b"\n" + line)) == []


def test_two_events_without_a_blank_line_between_them_are_read() -> None:
    events = read(SAID + SAID + b"data: {nothing\n\n")
    assert deltas(events) == deltas(read(SAID + b"\n" + SAID + b"\n"))
    (report,) = reports(events)
    assert report.startswith("Event 1 of the stream was skipped: it is not JSON")


def test_the_last_report_states_that_further_ones_are_omitted() -> None:
    found = reports(read(b"data: nothing\n\n" * (ADAPTER_LIMITS.damaged_lines + 9)))
    assert len(found) == ADAPTER_LIMITS.damaged_lines
    assert [number for number, report in enumerate(found, 1) if "are not reported" in report] == [len(found)]
    assert found[-1].endswith(" Further events that cannot be read are not reported.")


def test_invalid_utf_8_is_reported() -> None:
    damaged = SAID.replace(b"one", b"o\xffe")
    assert reports(read(damaged + b"\n" + SAID + b"\n")) == ["Event 1 of the stream was skipped: it is not UTF-8."]


@pytest.mark.parametrize(
    ("source", "data", "kind"),
    [
        ("anthropic-api", b'{"type": "message_hum"}', "message_hum"),
        ("openai-responses-api", b'{"type": "hum"}', "hum"),
        ("openai-chat-api", b'{"detail": "no", "x": 1}', "an object with detail, x"),
        ("gemini-api", b"{}", "an object with no fields"),
    ],
)
def test_unknown_kinds_are_reported_once(source: str, data: bytes, kind: str) -> None:
    (report,) = reports(read(b"data: " + data + b"\n\n" + b"data: " + data + b"\n\n", source))
    assert report == f"Event 1 of the stream was skipped: its kind, '{kind}', is not known."
