"""Bytes are split into the same lines for any chunks."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.bridge.adapters.lines import LineSplitter, OversizedLine


@given(st.lists(st.binary(max_size=8), max_size=12))
def test_any_split_of_the_bytes_gives_the_same_lines(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    splitter = LineSplitter()
    lines = [line for piece in pieces for line in splitter.feed(piece)] + splitter.finish()
    expected = whole.split(b"\n")
    assert lines == (expected if expected[-1] else expected[:-1])


def test_an_overlong_line_is_dropped_and_the_next_is_read() -> None:
    splitter = LineSplitter(limit=10)
    lines = [line for _ in range(100) for line in splitter.feed(b"xxxx")]
    # Reported before the end of the line, which may never come.
    assert lines == [OversizedLine()]
    assert splitter.feed(b"\nshort\n" + b"y" * 11) == [b"short", OversizedLine()]
    assert splitter.finish() == []


def test_a_line_of_exactly_the_limit_is_read_for_any_split() -> None:
    for cuts in itertools.combinations(range(1, 10), 2):
        splitter = LineSplitter(limit=10)
        places = (0, *cuts, 10)
        for start, end in itertools.pairwise(places):
            assert splitter.feed(b"0123456789"[start:end]) == []
        assert splitter.feed(b"\n") == [b"0123456789"]
