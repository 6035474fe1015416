import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.excerpt import LEADING_CONTEXT, MAX_EXCERPT, code_point_span, code_points_before, excerpt
from ttsr_ls.rules.stream import Excerpt

SMILE = "\ud83d\ude00"


@given(st.text())
def test_code_points_of_whole_texts_are_counted_as_by_python(text: str) -> None:
    units = to_units(text)
    assert code_points_before(units, len(units)) == len(
        units.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    )


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 1, (0, 1)),
        (1, 3, (1, 2)),
        (1, 2, (1, 2)),
        (2, 3, (1, 2)),
        (2, 4, (1, 3)),
        (2, 2, (2, 2)),
        (4, 4, (3, 3)),
    ],
)
def test_a_span_that_splits_a_surrogate_pair_includes_it(start: int, end: int, expected: tuple[int, int]) -> None:
    assert code_point_span(f"a{SMILE}b", start, end) == expected


def test_a_split_surrogate_pair_is_one_code_point_with_and_without_its_second_half() -> None:
    assert code_points_before("a\ud83d", 2) == code_points_before(f"a{SMILE}", 2) == 2


def test_an_excerpt_shows_the_match_and_the_text_before_it() -> None:
    assert excerpt("let x as any = 1", 9, 12) == Excerpt("let x as any", 9, 12)
    assert excerpt("x" * 500 + "any", 500, 503) == Excerpt("x" * 80 + "any", 80, 83)


def test_an_excerpt_of_a_long_match_shows_its_beginning() -> None:
    assert excerpt("b" * 100 + "a" * 500, 100, 600) == Excerpt("b" * 80 + "a" * 120, 80, 200)


def test_an_excerpt_does_not_split_characters() -> None:
    units = SMILE * 300
    shown = excerpt(units, 201, 203)
    assert shown == Excerpt("\U0001f600" * 82, 80, 82)
    assert excerpt(units, 200, 600) == Excerpt("\U0001f600" * 200, 80, 200)


@given(st.text(st.characters() | st.sampled_from("\ud83d\ude00"), max_size=300), st.data())
def test_excerpts_are_short_and_can_be_encoded(text: str, data: st.DataObject) -> None:
    units = to_units(text)
    start = data.draw(st.integers(0, len(units)))
    end = data.draw(st.integers(start, len(units)))
    shown = excerpt(units, start, end)
    assert len(shown.text) <= MAX_EXCERPT
    shown.text.encode()
    assert 0 <= shown.start <= shown.end == len(shown.text)


@given(st.text(max_size=300), st.data())
def test_excerpts_of_whole_characters_are_parts_of_the_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    begin, last = max(0, start - LEADING_CONTEXT), min(end, max(0, start - LEADING_CONTEXT) + MAX_EXCERPT)
    shown = excerpt(to_units(text), len(to_units(text[:start])), len(to_units(text[:end])))
    assert shown == Excerpt(text[begin:last], start - begin, last - begin)
