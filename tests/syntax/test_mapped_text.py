"""Derived texts map to the source of their characters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.text import Span

DOCUMENT = "ab\\ncd''ef"
# `ab`, the escape `\n` as one line end, `cd`, two quotes as one, `ef`
DERIVED = MappedText.joined(
    [("ab", Span(0, 2)), ("\n", Span(2, 4)), ("cd", Span(4, 6)), ("'", Span(6, 8)), ("ef", Span(8, 10))],
    Span(0, 10),
)


@pytest.mark.parametrize(
    ("start", "end", "source"),
    [
        (0, 1, "a"),
        (1, 3, "b\\n"),
        (2, 3, "\\n"),
        (3, 5, "cd"),
        (4, 7, "d''e"),
        (5, 6, "''"),
        (0, 8, DOCUMENT),
        (7, 8, "f"),
    ],
)
def test_a_part_of_a_mapped_text_maps_to_its_source(start: int, end: int, source: str) -> None:
    span = DERIVED.source_span(start, end)
    assert DOCUMENT[span.start : span.end] == source


@pytest.mark.parametrize(("offset", "place"), [(0, 0), (2, 2), (3, 4), (5, 6), (6, 8), (8, 10)])
def test_an_empty_part_maps_to_an_empty_span(offset: int, place: int) -> None:
    assert DERIVED.source_span(offset, offset) == Span(place, place)


def test_verbatim_text_maps_one_to_one() -> None:
    text = MappedText.verbatim(DOCUMENT, Span(4, 8))
    assert text.value == "cd''"
    assert text.source_span(1, 3) == Span(5, 7)


def test_a_slice_of_a_slice_keeps_its_spans() -> None:
    part = DERIVED.slice(1, 7).slice(1, 5)
    assert part.value == "\ncd'"
    assert part.span == Span(2, 8)
    assert part.source_span(3, 4) == Span(6, 8)


def test_a_text_without_segments_maps_to_its_span() -> None:
    empty = MappedText("", Span(3, 5), ())
    assert empty.source_span(0, 0) == Span(3, 5)


@st.composite
def derived(draw: st.DrawFn) -> MappedText:
    runs = draw(st.lists(st.tuples(st.text("xy", max_size=4), st.integers(0, 4), st.integers(0, 2)), max_size=8))
    parts = []
    offset = 0
    for value, width, gap in runs:
        parts.append((value, Span(offset, offset + width)))
        offset += width + gap
    return MappedText.joined(parts, Span(0, offset))


@given(derived(), st.data())
@settings(deadline=None)
def test_parts_map_in_order_and_within_the_whole(text: MappedText, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text.value)))
    middle = data.draw(st.integers(start, len(text.value)))
    end = data.draw(st.integers(middle, len(text.value)))
    span = text.source_span(start, end)
    inner = text.source_span(start, middle)
    assert text.span.start <= span.start <= span.end <= text.span.end
    assert span.start == inner.start
    assert inner.end <= span.end


@given(derived(), st.data())
@settings(deadline=None)
def test_slices_map_like_the_whole_text(text: MappedText, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text.value)))
    end = data.draw(st.integers(start, len(text.value)))
    part = text.slice(start, end)
    assert part.value == text.value[start:end]
    assert part.span == text.source_span(start, end)
    for offset in range(len(part.value)):
        assert part.source_span(offset, offset + 1) == text.source_span(start + offset, start + offset + 1)


@given(derived(), st.data())
@settings(deadline=None)
def test_a_slice_within_one_run_equals_the_joined_runs(text: MappedText, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text.value)))
    end = data.draw(st.integers(start, len(text.value)))
    assert text.slice(start, end) == MappedText.joined(text.runs(start, end), text.source_span(start, end))
    shift = text.shift(start, end)
    if shift is not None:
        assert text.source_span(start, end) == Span(start + shift, end + shift)
