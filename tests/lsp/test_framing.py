"""Messages come out of bytes however these are cut, and what is no message is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.lsp.transport.framing import MAX_MESSAGE_BYTES, FramingError, MessageDecoder


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


@given(st.lists(st.binary(max_size=40), max_size=5), st.lists(st.integers(1, 60), max_size=20))
def test_any_split_of_the_bytes_gives_the_same_messages(bodies: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(framed(body) for body in bodies)
    decoder, found = MessageDecoder(), []
    for size in cuts:
        found += decoder.feed(stream[:size])
        stream = stream[size:]
    assert found + decoder.feed(stream) == bodies


@pytest.mark.parametrize(
    "headers",
    [
        b"content-length:2",
        b"CONTENT-LENGTH: 2 ",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2",
        b"Content-Length: 2\r\nX-Other: 5",
    ],
)
def test_headers_are_case_insensitive_and_in_any_order(headers: bytes) -> None:
    assert MessageDecoder().feed(headers + b"\r\n\r\n{}") == [b"{}"]


@pytest.mark.parametrize(
    "headers",
    [
        b"GET / HTTP/1.1",
        b"Content-Length: x",
        b"Content-Length: -1",
        b"Content-Length: %d" % (MAX_MESSAGE_BYTES + 1),
        b"Content-Length: " + b"9" * 5000,
        b"X: " + b"y" * 9000,
    ],
)
def test_invalid_messages_are_refused(headers: bytes) -> None:
    with pytest.raises(FramingError):
        MessageDecoder().feed(headers + b"\r\n\r\n")


def test_endless_headers_are_refused() -> None:
    decoder = MessageDecoder()
    for _ in range(8):
        assert decoder.feed(b"a" * 1000) == []
    with pytest.raises(FramingError):
        decoder.feed(b"a" * 1000)
