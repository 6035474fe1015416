"""Reports of patterns that are matched only where their factors occur agree with the specification."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.esregex.automaton.specification import check
from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, FinalMatch
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern

KEPT = 6
# Short factors count, and little text is kept.
LIMITS = Limits(factor_bits=1.0, kept_units=KEPT, kept_chunks=2)
HEADS = ("a", "b[^a]*", "a.*", r"\b\w*", "(?:a|b+)[^b]{0,5}", "(?<!a.*)", "(?<=b.)", "^.*", "[^]*", "(?i)", "A?")
MIDDLES = ("b", "ab", r"\bb", "(?:b|a)a", "(?=ab)", "(?<=a)b", "(?:ab)+", r"\Bb\b")
TAILS = ("b", "b$", r"b\b", "b+", "ba?", "b(?:a|$)", "b[^a]*a", "(?!a)", "(?=.*b)", "[ab]{3}", "a{0,9}b", "")


def with_factors() -> st.SearchStrategy[Pattern]:
    parts = (st.sampled_from(HEADS), st.sampled_from(MIDDLES), st.sampled_from(TAILS))
    return st.tuples(*parts).map(lambda found: parse("".join(found).replace("(?i)", "(?i:A)")))


@examples(200)
@given(
    st.lists(st.one_of(with_factors(), patterns()), min_size=1, max_size=3),
    st.lists(unit_texts(6), min_size=1, max_size=5),
)
def test_reports_of_prefiltered_patterns_agree_with_the_specification(
    sources: list[Pattern], deltas: list[str]
) -> None:
    check(UnionAutomaton.build(sources, LIMITS), sources, deltas)


@examples(100)
@given(st.lists(with_factors(), min_size=2, max_size=4), unit_texts(12), st.integers(0, 12))
def test_a_copied_cursor_continues_from_the_same_position(sources: list[Pattern], text: str, at: int) -> None:
    made = UnionAutomaton.build(sources, LIMITS)
    cursor = made.open()
    made.feed(cursor, text[:at])
    copy = cursor.copy()
    left = made.feed(cursor, text[at:])
    made.feed(cursor, "ab\nba")
    assert made.feed(copy, text[at:]) == left


@examples(100)
@given(st.lists(with_factors(), min_size=1, max_size=3), st.lists(unit_texts(6), min_size=1, max_size=5))
def test_reports_of_inexpressible_patterns_agree_with_the_specification(
    sources: list[Pattern], deltas: list[str]
) -> None:
    check(UnionAutomaton.build(sources, replace(LIMITS, items_per_pattern=0)), sources, deltas)


def automaton(*sources: str, limits: Limits = LIMITS) -> UnionAutomaton:
    return UnionAutomaton.build([parse(source) for source in sources], limits)


def active(made: UnionAutomaton, *deltas: str) -> list[int]:
    cursor, found = made.open(), []
    for delta in deltas:
        made.feed(cursor, delta)
        found.append(len(cursor.runners))
    return found


def test_a_group_is_active_from_its_factor_until_it_has_no_thread() -> None:
    assert active(automaton("zq[ab]*c"), "ab", "zq", "ab", "x", "zqc", "zq") == [0, 1, 1, 0, 1, 0]


def test_an_inexpressible_pattern_is_doubtful_only_after_its_factor() -> None:
    made = automaton("zq[ab]*c", limits=replace(LIMITS, items_per_pattern=0))
    cursor = made.open()
    assert not cursor.doubtful
    assert made.feed(cursor, "abc") == ()
    assert made.feed(cursor, "zqa") == (CandidateMatch(0, 6, since=4),)
    assert made.feed(cursor, "x") == (CandidateMatch(0, 7, since=-1),)


def test_adjacent_units_of_a_factor_are_checked_before_its_group_starts() -> None:
    made = automaton(r"\bzq\b.[ab]*c", "ZV[ab]*d")
    assert active(made, "azq ", "zqa", " zv", " zq ", "ZV") == [0, 0, 0, 1, 1]


def test_final_patterns_are_not_matched_again() -> None:
    made = automaton("zq[ab]*c", "[ab]{3}[cd]")
    cursor = made.open()
    assert made.feed(cursor, "zqc abac") == (FinalMatch(0, 3), FinalMatch(1, 8))
    assert made.feed(cursor, "zqc abac") == ()
    assert not cursor.activity.active


def test_a_match_that_may_start_before_the_kept_text_is_a_candidate() -> None:
    made = automaton("x[^;]*zq")
    cursor = made.open()
    for delta in ("x  ", "   ", "   ", "   ", "   "):
        assert made.feed(cursor, delta) == ()
    assert made.feed(cursor, "zq") == (CandidateMatch(0, 17, since=16),)
    assert made.matches_if_ended(cursor).candidates == {0}
    assert made.feed(cursor, ";zq") == ()


def test_a_match_that_starts_in_the_kept_text_is_final() -> None:
    made = automaton("x[^;]*zq")
    cursor = made.open()
    for delta in ("x  ", "   ", "   ", ";", "x "):
        assert made.feed(cursor, delta) == ()
    assert made.feed(cursor, "zq") == (FinalMatch(0, 14),)


def test_anchored_patterns_stay_idle_once_decided() -> None:
    made = automaton(r"^\w{2}\W", "^ab*zq")
    assert active(made, "a", "e", "ac", "abzq") == [1, 1, 0, 0]


def test_empty_deltas_are_not_kept() -> None:
    made = automaton("zq.*x")
    cursor = made.open()
    for _ in range(100):
        made.feed(cursor, "")
    assert len(cursor.activity.recent) <= 3


def test_fused_groups_report_the_same_matches_for_any_deltas() -> None:
    made = automaton("[a-z]{2}[0-9]{3}[A-Z]", "zq[ab]*c", "^[a-z]*Q")
    for text, expected in (("ab zq012Zb zqac", [(0, 9), (1, 15)]), ("abcQ ab012 zqb", [(2, 4)])):
        for size in (1, 3, 16):
            for _ in range(3):
                cursor = made.open()
                reports = [
                    match
                    for position in range(0, len(text), size)
                    for match in made.feed(cursor, text[position : position + size])
                ]
                assert [(event.pattern, event.offset) for event in reports] == expected


def test_too_many_fused_states_are_evicted() -> None:
    made = automaton("[a-z]{2}[0-9]{3}[A-Z]", "zq[ab]*c", limits=replace(LIMITS, fused_tables=2))
    cursor = made.open()
    for _ in range(20):
        made.feed(cursor, "ab12 z a9 zq1 ")
    assert made._assembly.groups._fusion.made <= 4
    assert made.feed(cursor, "zqc") == (FinalMatch(1, cursor.length),)
