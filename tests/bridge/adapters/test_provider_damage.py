"""The streams of providers: what is not understood is reported, and what arrived beside it is read."""

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
def test_lines_of_no_event_are_reported(line: bytes) -> None:
    events = read(line + SAID + b"\n")
    assert reports(events) == ["A line of the stream was skipped: it is not part of a server-sent event."]
    assert deltas(events) == deltas(read(SAID + b"\n")) > 0


@pytest.mark.parametrize("line", [b"event: x\n", b"id: 1\n", b"retry: 5\n", b": comment\n", b"data: [DONE]\n\n"])
def test_lines_that_say_nothing_are_not(line: bytes) -> None:
    assert reports(read(SAID + b"\n" + line)) == []


def test_an_event_whose_end_was_lost_is_read_all_the_same() -> None:
    events = read(SAID + SAID + b"data: {nothing\n\n")
    assert deltas(events) == deltas(read(SAID + b"\n" + SAID + b"\n"))
    (report,) = reports(events)
    assert report.startswith("Event 1 of the stream was skipped: it is not JSON")


def test_the_last_report_says_that_it_is_the_last() -> None:
    found = reports(read(b"data: nothing\n\n" * (ADAPTER_LIMITS.damaged_lines + 9)))
    assert len(found) == ADAPTER_LIMITS.damaged_lines
    assert [number for number, report in enumerate(found, 1) if "are not reported" in report] == [len(found)]
    assert found[-1].endswith(" Further events that cannot be read are not reported.")


def test_bytes_that_are_no_text_are_reported() -> None:
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
