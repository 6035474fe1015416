"""Two automata tell what one tells, and the second one is asked seldom."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from obvious import Specification, Watched, obvious
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
    specifications = [Specification(pattern) for pattern in sources]
    watched = Watched(FilteredAutomaton.build(sources), specifications)
    written = [pattern.source for pattern in sources]
    text = ""
    for delta in ("", *deltas):
        watched.feed(delta)
        text += delta
        assert watched.told == obvious(specifications, text), (written, text)


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
    cursor = made.open()
    read = []
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
    limits = Limits(states_per_leaf=50, leaves_alone=0, items_per_leaf=1)
    made = automaton("zz", "a.{200}bX", "[ab]*foo", limits=limits)
    cursor = made.open()
    drawn = random.Random(3)
    made.feed(cursor, "".join(drawn.choice("ab") for _ in range(3000)) + "zz")
    assert made.given_up == {1}
    assert cursor.final == {0}
