"""Two automata tell what one tells, and the second one is asked seldom."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from obvious import check
from pattern_strategies import patterns, unit_texts

from ttsr_ls.esregex.automaton import filtered, prefilter
from ttsr_ls.esregex.automaton.cursor import Final
from ttsr_ls.esregex.automaton.filtered import FilteredAutomaton
from ttsr_ls.esregex.automaton.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.nodes import Pattern
from ttsr_ls.esregex.parser import parse

BEHIND = 10
HEADS = ("a", "b[^a]*", "a.*", r"\b\w*", "(?:a|b+)[^b]{0,5}", "(?<!a.*)", "(?<=b.*)", "^.*", "[^]*")
TAILS = ("b", "ab", r"\bb", "(?:b|a)a", "b$", r"b\b", "b+", "ba?", "b(?:a|$)", "b[^a]*a")


@pytest.fixture(autouse=True, scope="module")
def _few_and_short_ones_are_filtered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filtered, "_LEAST", 1)
        patch.setattr(filtered, "_BEHIND", BEHIND)
        patch.setattr(prefilter, "_DISTINCT", 1)
        yield


def automaton(*sources: str, limits: Limits | None = None) -> FilteredAutomaton:
    made = FilteredAutomaton.build([parse(source) for source in sources], limits)
    assert isinstance(made, FilteredAutomaton)
    return made


def with_memory() -> st.SearchStrategy[Pattern]:
    return st.tuples(st.sampled_from(HEADS), st.sampled_from(HEADS), st.sampled_from(TAILS)).map("".join).map(parse)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(st.one_of(with_memory(), patterns()), min_size=1, max_size=3),
    st.lists(unit_texts(6), min_size=1, max_size=4),
)
def test_it_tells_what_the_specification_tells(sources: list[Pattern], deltas: list[str]) -> None:
    check(FilteredAutomaton.build(sources), sources, deltas)


@settings(max_examples=200, deadline=None)
@given(st.lists(with_memory(), min_size=2, max_size=4), unit_texts(12), st.integers(0, 12))
def test_a_copy_goes_on_from_the_same_place(sources: list[Pattern], text: str, at: int) -> None:
    made = FilteredAutomaton.build(sources)
    cursor = made.open()
    told = made.feed(cursor, text[:at])
    copy = cursor.copy()
    left = made.feed(cursor, text[at:])
    made.feed(cursor, "ab\nba")
    assert made.feed(copy, text[at:]) == left
    whole = made.open()
    assert {event for event in made.feed(whole, text) if isinstance(event, Final)} == {
        event for event in told + left if isinstance(event, Final)
    }
    assert made.if_ended(copy) == made.if_ended(whole)


def test_few_patterns_are_one_automaton() -> None:
    assert isinstance(FilteredAutomaton.build([parse("foo"), parse("bar")]), UnionAutomaton)


def test_the_second_automaton_reads_only_when_it_is_asked_or_much_is_unread() -> None:
    made = automaton("x.*foo", "y")
    # What makes new states is read at once, so that it is only true of the second stream.
    for _ in range(2):
        cursor, read = made.open(), []
        for delta in ("abc", "xyz", "de", "fo", "o", "x", "f", "oo", "\nfoo", "foo"):
            made.feed(cursor, delta)
            read.append(cursor.far.length)
    assert read == [0, 0, 0, 10, 11, 11, 11, 15, 19, 22]
    assert cursor.final == {0, 1}


def test_it_is_asked_at_each_end_until_the_pattern_is_final() -> None:
    made = automaton("x.*foo")
    cursor = made.open()
    told = [made.feed(cursor, delta) for delta in ("foo", "\nfoo", "x fo", "o", "x foo")]
    assert told == [(), (), (), (Final(0, 12),), ()]


def test_what_both_tell_is_told_in_order() -> None:
    made = automaton("x.*foo", "ab", "foo b")
    assert made.feed(made.open(), "x foo bab") == (Final(0, 5), Final(2, 7), Final(1, 9))


def test_the_end_of_the_text_is_asked_for_at_any_time() -> None:
    made = automaton("x.*foo$", "^.*bar", "y.*foo")
    cursor = made.open()
    seen = []
    for delta in ("x fo", "o", " bar", "yfoo"):
        made.feed(cursor, delta)
        seen.append(made.if_ended(cursor))
        assert made.if_ended(cursor) == seen[-1]
    assert [each.matching for each in seen] == [set(), {0}, {1}, {0, 1, 2}]
    assert not any(each.candidates for each in seen)


def test_what_was_settled_is_told_no_more() -> None:
    made = automaton("x.*foo", "y")
    cursor = made.open()
    cursor.settle(0)
    assert made.feed(cursor, "x foo") == ()
    assert cursor.final == made.if_ended(cursor).matching == {0}


def test_patterns_of_either_automaton_are_given_up_by_their_own_numbers() -> None:
    made = automaton("zz", "a.{200}bX", "[ab]*foo", limits=SPARSE)
    cursor = made.open()
    made.feed(cursor, letters(3000) + "zz")
    assert made.given_up == {1}
    assert cursor.final == {0}


def test_what_the_first_automaton_gives_up_is_known_at_once() -> None:
    made = automaton("[ab]*a[ab]{12}X", "y.*bar", limits=SPARSE)
    text = letters(20_000)
    for start in range(0, len(text), BEHIND - 1):
        made.feed(made.open(), text[start : start + BEHIND - 1])
    assert made.given_up == {0}


def test_where_ends_are_not_told_any_more_the_second_automaton_is_asked_always() -> None:
    made = automaton(r"x[^\n]*aaa[ab]*a[ab]{12}X", "y.*bar[ab]*c", limits=SPARSE)
    open_before = made.open()
    made.feed(open_before, "y bar")
    made.feed(made.open(), "aaa" + letters(3000))
    assert made._is_blind
    assert made.given_up == set()
    assert made.if_ended(open_before).matching == set()
    assert made.feed(open_before, "c") == (Final(1, 6),)
    cursor = made.open()
    assert [event for unit in "y barac" for event in made.feed(cursor, unit)] == [Final(1, 7)]


def test_what_comes_to_light_at_an_end_is_told_by_the_next_delta() -> None:
    made = automaton("x.*foo", "y.*bar")
    cursor = made.open()
    made.feed(cursor, "x fo")
    # As if it had become so between the two.
    made._near.given_up = frozenset({2})
    made._look_at_given_up()
    cursor.near.length += 1
    cursor.unread.append("o")
    assert made.if_ended(cursor).matching == {0}
    assert made.feed(cursor, " ") == (Final(0, 5),)
    assert cursor.final == {0}


def test_empty_deltas_leave_nothing() -> None:
    made = automaton("x.*foo")
    cursor = made.open()
    for _ in range(100):
        made.feed(cursor, "")
    assert not cursor.unread


def test_text_that_makes_many_states_is_read_as_it_comes() -> None:
    made = automaton("x.*foo", "x.*a(?:..){9}bar")
    cursor = made.open()
    made.feed(cursor, "x" + letters(40))
    before = cursor.far.length
    made.feed(cursor, "ab")
    assert cursor.far.length == before + 2
    for _ in range(3):
        made.feed(cursor, "\n" * 30)
    before = cursor.far.length
    made.feed(cursor, "\n")
    assert cursor.far.length == before


def test_the_smallest_limits_are_enough() -> None:
    made = automaton("x.*foo", "y", limits=Limits(roots=1, leaf_states=1))
    made.prewarm("x foo y " * 10)
    assert made.feed(made.open(), "y x foo") == (Final(1, 1), Final(0, 7))


SPARSE = Limits(states_per_leaf=50, leaves_alone=0, items_per_leaf=1)


def letters(count: int) -> str:
    drawn = random.Random(3)
    return "".join(drawn.choice("ab") for _ in range(count))
