"""Server-sent events: any split of the bytes, every line end, and no more memory than the limit."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.bridge.model.sse import OversizedEvent, ServerSentEvent, SseParser

Event = ServerSentEvent | OversizedEvent


def parse(*chunks: bytes, limit: int = 1000) -> list[Event]:
    parser = SseParser(limit)
    return [event for chunk in chunks for event in parser.feed(chunk)]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        ("data: a\n\n", [("", "a")]),
        ("data: a\r\n\r\n", [("", "a")]),
        ("data: a\r\r", [("", "a")]),
        ("data: a\r\n\ndata: b\n\r\n", [("", "a"), ("", "b")]),
        ("event: e\ndata: a\n\ndata: b\n\n", [("e", "a"), ("", "b")]),
        ("data: a\ndata: b\n\n", [("", "a\nb")]),
        ("data:a\ndata:  b\n\n", [("", "a\n b")]),
        ("data\ndata:\n\n", [("", "\n")]),
        (": comment\n\n:\n\ndata: a\n: more\n\n", [("", "a")]),
        ("id: 7\nretry: 10\nunknown: x\ndata: a\n\n", [("", "a")]),
        ("event: alone\n\ndata: a\n\n", [("", "a")]),
        ("\ufeffdata: a\n\n", [("", "a")]),
        ("data: \ufeffa\n\n", [("", "\ufeffa")]),
        ("data: a:b\n\n", [("", "a:b")]),
        ("data: a\u2028b\x0bc\n\n", [("", "a\u2028b\x0bc")]),
        ("data: never ended\n", []),
        ("data: never ended", []),
        ("", []),
    ],
)
def test_streams_parse_to_events(stream: str, events: list[tuple[str, str]]) -> None:
    assert parse(stream.encode()) == [ServerSentEvent(name, data) for name, data in events]


LINES = st.sampled_from(["data: a", "data: é€😀", "data", "event: e", ": c", "", "id: 1", "data: {}", "\ufeff"])
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@given(lines=st.lists(st.tuples(LINES, ENDS), max_size=12), limit=st.sampled_from([8, 20, 1000]), data=st.data())
def test_any_split_gives_the_same_events(lines: list[tuple[str, str]], limit: int, data: st.DataObject) -> None:
    stream = "".join(line + end for line, end in lines).encode()
    places = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=6)) | {0, len(stream)})
    chunks = [stream[start:end] for start, end in itertools.pairwise(places)]
    by_byte = [bytes([byte]) for byte in stream]
    assert parse(*chunks, limit=limit) == parse(stream, limit=limit) == parse(*by_byte, limit=limit)


def test_a_character_split_between_chunks_is_read() -> None:
    stream = "data: 😀\n\n".encode()
    assert parse(stream[:8], stream[8:]) == [ServerSentEvent("", "😀")]


def test_invalid_utf_8_is_replaced_and_marked() -> None:
    assert parse(b"data: \xff\n\n") == [ServerSentEvent("", "\ufffd", is_damaged=True)]


def test_an_overlong_event_is_reported_and_the_next_is_read() -> None:
    stream = b"data: " + b"x" * 50 + b"\ndata: y\n\ndata: z\n\n"
    assert parse(stream, limit=40) == [OversizedEvent(), ServerSentEvent("", "z")]
    assert parse(b"data: x\n" * 10 + b"\ndata: z\n\n", limit=40) == [OversizedEvent(), ServerSentEvent("", "z")]


def test_the_content_of_an_overlong_event_is_dropped() -> None:
    parser = SseParser(limit=100)
    for _ in range(100):
        parser.feed(b"x" * 1000)
    assert sum(map(len, parser._held)) < 100
