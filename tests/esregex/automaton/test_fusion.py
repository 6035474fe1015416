"""Fused states: groups that are always matched, or active for long, are read in one loop."""

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.prefilters.active_groups import LASTING
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, FinalMatch, UnionCursor
from ttsr_ls.esregex.parse.parser import parse

LIMITS = Limits()
_ALWAYS = "[a-z]{2}[0-9]{3}[A-Z]"
_LASTING = r"zq#[ab\s]*c"
_OTHERS = [f"{letter}vxjk{letter}%[0-9]" for letter in "defgh"]
"""Many units of factors: with few fused states, the search is not fused with the groups."""


def automaton(*sources: str, limits: Limits = LIMITS) -> UnionAutomaton:
    return UnionAutomaton.build([parse(source) for source in sources], limits)


def matches(made: UnionAutomaton, text: str, size: int) -> Sequence[FinalMatch | CandidateMatch]:
    cursor = made.open()
    return [event for at in range(0, len(text), size) for event in made.feed(cursor, text[at : at + size])]


def fed(made: UnionAutomaton, text: str) -> UnionCursor:
    cursor = made.open()
    for at in range(0, len(text), 16):
        made.feed(cursor, text[at : at + 16])
    return cursor


@pytest.mark.parametrize("fused_tables", [40, 4_000], ids=["search apart", "search fused"])
def test_a_group_that_is_active_for_long_is_fused_and_still_matched(fused_tables: int) -> None:
    made = automaton(_ALWAYS, _LASTING, *_OTHERS, limits=replace(LIMITS, fused_tables=fused_tables))
    cursor = fed(made, "zq#" + "ab " * LASTING)
    assert not cursor.activity.active
    assert cursor.activity.fused is not None
    assert made._assembly.groups.is_search_fused == (fused_tables > 40)
    assert len(cursor.runners) == 2
    assert made.feed(cursor, "abc") == (FinalMatch(1, cursor.length),)


def test_a_fused_group_is_dropped_once_it_is_idle() -> None:
    made = automaton(_ALWAYS, _LASTING)
    cursor = fed(made, "zq#" + "ab " * LASTING + "x" + ". " * 2 * LASTING)
    assert [runner.group.number for runner in cursor.runners] == [0]


def test_a_factor_in_text_of_a_fused_group_starts_no_second_runner() -> None:
    made = automaton(_ALWAYS, _LASTING)
    cursor = fed(made, "zq#" + "ab " * LASTING)
    assert made.feed(cursor, "azq#") == ()
    assert len(cursor.runners) == 2
    assert made.feed(cursor, " c") == (FinalMatch(1, cursor.length),)


@pytest.mark.parametrize("size", [1, 7, 16, 64])
def test_fused_states_report_the_same_with_and_without_the_search(size: int) -> None:
    sources = (_ALWAYS, _LASTING, *_OTHERS, "(?i:kq)[0-9]+;", "^[^]*?q7q7", r"(?<=x)wz\b", "a[bc]{3,60}zz1")
    drawn = random.Random(size)
    words = ["ab ", "zq#", "KQ", "kq12", ";", "x", "wz", "q7", "zz1", "abc", "cab", "12", "A", "zq# a b c"]
    made = [automaton(*sources, limits=replace(LIMITS, fused_tables=tables)) for tables in (0, 60, 4_000)]
    for _ in range(30):
        text = "".join(drawn.choices(words, [9, 1, 1, 1, 1, 9, 1, 1, 1, 9, 9, 9, 1, 1], k=150))
        first, *others = [matches(each, text, size) for each in made]
        assert all(each == first for each in others)


def test_a_stream_that_stays_fused_keeps_the_limit_of_fused_states() -> None:
    made = automaton(_ALWAYS, "[a-d]{1,5}[x-z0-9]{3}", limits=replace(LIMITS, fused_tables=6))
    cursor, drawn = made.open(), random.Random(1)
    for _ in range(300):
        made.feed(cursor, "".join(drawn.choices("abcd019 ", k=16)))
        assert made._assembly.groups._fusion.made <= 6 + 16
