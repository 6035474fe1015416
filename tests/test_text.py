"""Offsets, positions and line ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.text import Encoding, LineIndex, Position, Span, first_line_span

TEXTS = st.text(alphabet=st.sampled_from("ab\n\r\t é\u2028\x0b\x0c\x85😀"), max_size=40)


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", 1), ("a", 1), ("a\n", 2), ("a\r\nb", 2), ("a\rb", 2), ("a\n\r\nb", 3), ("a\u2028b\x0bc\x0cd\x85e", 1)],
)
def test_only_the_three_protocol_line_ends_end_a_line(text: str, lines: int) -> None:
    assert LineIndex(text).line_count == lines


@given(TEXTS)
def test_the_first_line_ends_where_the_second_begins(text: str) -> None:
    index, span = LineIndex(text), first_line_span(text)
    assert index.position(span.end, Encoding.UTF32) == Position(0, len(span))
    assert text[span.end : span.end + 1] in ("", "\r", "\n")
    assert index.line_count == 1 or text[span.end :]


@pytest.mark.parametrize(("encoding", "character"), [(Encoding.UTF8, 6), (Encoding.UTF16, 3), (Encoding.UTF32, 2)])
def test_a_position_counts_units_of_its_encoding(encoding: Encoding, character: int) -> None:
    index = LineIndex("x\né😀z")
    assert index.position(4, encoding) == Position(1, character)
    assert index.offset(Position(1, character), encoding) == 4


def test_a_position_within_a_surrogate_pair_means_its_start() -> None:
    assert LineIndex("a😀b").offset(Position(0, 2)) == 1


def test_positions_outside_of_the_text_mean_its_nearest_end() -> None:
    index = LineIndex("ab\ncd")
    assert index.offset(Position(0, 99)) == 2
    assert index.offset(Position(9, 0)) == 5
    assert index.offset(Position(-1, 0)) == 0
    assert index.position(99) == Position(1, 2)


def test_a_line_span_excludes_the_line_end() -> None:
    index = LineIndex("ab\r\ncd\re")
    assert [index.line_span(line) for line in range(4)] == [Span(0, 2), Span(4, 6), Span(7, 8), Span(8, 8)]


@given(TEXTS, st.sampled_from(Encoding), st.data())
def test_offset_and_position_are_inverse(text: str, encoding: Encoding, data: st.DataObject) -> None:
    index = LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    # Between \r and \n is no place that a position can name.
    if text[offset - 1 : offset + 1] == "\r\n":
        offset -= 1
    assert index.offset(index.position(offset, encoding), encoding) == offset
