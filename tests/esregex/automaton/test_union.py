"""The bounds of the automaton: hostile, noisy, and large patterns and texts take bounded time and memory."""

import gc
import random
import time
from types import FunctionType, ModuleType

import pytest

from tests.esregex.automaton.specification import Specification, VerifiedStream, expected_reports
from tests.processor_time import processor_time_below
from ttsr_ls.esregex.automaton.dfa.cache_evictor import CacheEvictor
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, FinalMatch
from ttsr_ls.esregex.parse.parser import parse


def automaton(*sources: str, limits: Limits | None = None) -> UnionAutomaton:
    return UnionAutomaton.build([parse(source) for source in sources], limits)


def found(made: UnionAutomaton, *deltas: str) -> list[tuple[int, int]]:
    cursor = made.open()
    return [(event.pattern, event.offset) for delta in deltas for event in made.feed(cursor, delta)]


def test_each_pattern_is_reported_once_with_its_shortest_prefix_in_order() -> None:
    made = automaton("bc", r"\bab\b", "c", "x")
    assert found(made, "ab", " bc", "c bc") == [(1, 3), (0, 5), (2, 5)]
    assert found(made, *"ab bc") == [(1, 3), (0, 5), (2, 5)]


@pytest.mark.parametrize(
    ("source", "text", "offset"),
    [
        ("a.{0,20}b", "a" + "c" * 20 + "b", 22),
        ("a.{0,20}b", "a" + "c" * 21 + "b", None),
        ("a.{0,20}b", "a" + "c" * 15 + "a" + "c" * 19 + "b", 37),
        (r"\ba\b.{2,30}b", "a " + "c" * 28 + " b", 32),
        (r"\ba\b.{2,30}b", "a " + "c" * 29 + " b", None),
        ("^.{0,9}b", "c" * 9 + "b", 10),
        ("^.{0,9}b", "c" * 10 + "b", None),
        ("(?:a[^b]{0,9}b){2}", "ab" + "acccb", 7),
    ],
)
def test_counts_are_kept_across_deltas(source: str, text: str, offset: int | None) -> None:
    expected = [] if offset is None else [(0, offset)]
    assert found(automaton(source), *text) == expected
    assert found(automaton(source), text) == expected


def test_matches_if_ended_after_each_delta() -> None:
    made = automaton(r"any\b", "a$", "(?m:z$)", "(?=[^]*a)(?=[^]*z)", "^(?![^]*z)[^]*a", "n[^]*y")
    cursor = made.open()
    seen = []
    for delta in ("an", "y", "thing", " z"):
        made.feed(cursor, delta)
        seen.append(made.matches_if_ended(cursor).matching)
    assert seen == [{4}, {0, 4, 5}, {4, 5}, {2, 3, 5}]


def test_a_backreference_makes_candidates_where_it_may_match() -> None:
    made = automaton(r"(['\"])x\1")
    cursor = made.open()
    assert made.feed(cursor, "'y 'x y") == ()
    assert made.feed(cursor, " 'y' 'x\"") == (CandidateMatch(0, 15, since=14),)
    assert made.feed(cursor, " y") == ()
    assert not made.exact


def test_candidates_with_a_pending_lookahead_are_reported_after_each_delta() -> None:
    made = automaton(r"(?:(x)|y)?\1A|(?=a.{0,9}b)[^]")
    cursor = made.open()
    for delta, since in (("aaéA", 3), ("c", -1), ("b", -1)):
        assert made.feed(cursor, delta) == (CandidateMatch(0, cursor.length, since),)


def test_streams_and_copied_cursors_are_independent() -> None:
    made = automaton("ab", "a.{0,9}c")
    first, second = made.open(), made.open()
    made.feed(first, "a")
    copy = first.copy()
    assert made.feed(second, "bc") == ()
    assert made.feed(first, "b") == (FinalMatch(0, 2),)
    assert made.feed(copy, "xc") == (FinalMatch(1, 3),)
    assert (first.final, copy.final, second.final) == ({0}, {1}, set())


@pytest.mark.parametrize(
    "source", ["a{65536}", "a{0,4294967294}b", "(?:a{50}){500}", "(a|){0,99999999}b", "(?:" * 3000 + ")" * 3000]
)
def test_huge_counts_and_depths_are_approximated(source: str) -> None:
    made = automaton(source)
    assert found(made, "b")[:1] in ([], [(0, 1)], [(0, 0)])


# Each optional lookahead doubles the number of sets of pending lookaheads. The tests replace N by counts.
OPTIONAL_LOOKAHEADS = [
    r"\2(((?=b[^c]{2,12}c)){1,3}?){0,N}",
    "(?:(?=a.*b)|(?=b.*c)|x){N}y",
    "(?:(?=a.*b)x?){0,N}y",
    "(?:(?!a.*b)|(?=b.*c)|x?){N}y",
    "(?:(?:(?=a(?:(?=b.*c)|(?=c.*d)|b){N}b))|x){N}y",
    r"(?:\b(?=a.*b)?){N}x",
    r"(?:(?=a.*b)\b|x){N}y",
    "(?:(?=.*a)(?=.*b)|(?=.*c)(?=.*d)|.){N}e",
    "(?:(?:(?:(?=.*a.)|.){N}|.)*b){N}",
    "(?=(?:(?=a.*b)|a){N}c)d",
    "(?:(?!(?:(?!a.*b)|a){N}c)|x){N}y",
]


@pytest.mark.parametrize("source", OPTIONAL_LOOKAHEADS)
def test_many_optional_lookaheads_take_bounded_time(source: str) -> None:
    with processor_time_below(2, clock=time.thread_time):
        made = automaton(source.replace("N", "15"))
        made.feed(made.open(), "abxyabcabcdxbaacc dabxyyxxababcde\nxx a a b " * 10)
        # Distinguishing all sets of pending lookaheads took minutes.


@pytest.mark.parametrize("source", OPTIONAL_LOOKAHEADS)
@pytest.mark.parametrize("count", ["2", "4"])
def test_reports_of_optional_lookaheads_agree_with_the_specification(source: str, count: str) -> None:
    pattern = parse(source.replace("N", count))
    made, specifications = UnionAutomaton.build([pattern]), [Specification(pattern)]
    for text in ("abxyab", "cadxb", "bcye", "xabbcbcy", "aabbe"):
        stream = VerifiedStream(made, specifications)
        for unit in text:
            stream.feed(unit)
        assert stream.reports == expected_reports(specifications, text)


SMALL = [
    Limits(states=10),
    Limits(states_per_group=3),
    Limits(states_per_group=4, items_per_group=4, states=20),
    Limits(items_per_group=2),
]


@pytest.mark.parametrize("limits", SMALL)
def test_small_limits_do_not_change_reports(limits: Limits) -> None:
    sources = ["ab", r"\bb+\b", "a.{9}b", "b[^]*aa", "a.{0,8}c", "(?<!a.*)c", "a(?!b+c)", "(?=[^]*c)(?=[^]*bb)", "[ab]"]
    patterns = [parse(source) for source in sources]
    specifications = [Specification(pattern) for pattern in patterns]
    made = UnionAutomaton.build(patterns, limits)
    drawn = random.Random(1)
    for _ in range(12):
        stream, text = VerifiedStream(made, specifications), ""
        for _ in range(6):
            delta = "".join(drawn.choice("aabbbc \n") for _ in range(drawn.randrange(6)))
            stream.feed(delta)
            text += delta
            assert stream.reports == expected_reports(specifications, text), text


def test_a_pattern_that_matches_everywhere_does_not_hide_other_patterns() -> None:
    made = automaton("[a-z]", "q", "z.")
    text = "abc" * 400 + "q" + "abc" * 400 + "zx"
    expected = [(0, 1), (1, 1201), (2, 2403)]
    assert found(made, text) == expected
    assert found(made, *(text[start : start + 16] for start in range(0, len(text), 16))) == expected


def test_a_pattern_that_keeps_building_states_is_matched_without_a_cache() -> None:
    drawn = random.Random(2)
    text = "".join(drawn.choice("ab") for _ in range(2000))
    made = automaton("a.{200}bX", "ba{6}b", limits=Limits(states_per_group=200))
    assert found(made, text + "a" + "b" * 200 + "bX") == [(1, text.index("baaaaaab") + 8), (0, len(text) + 203)]
    assert not made.disabled


def test_too_many_uncached_patterns_are_disabled() -> None:
    drawn = random.Random(3)
    text = "".join(drawn.choice("ab") for _ in range(1500))
    limits = Limits(states_per_group=50, uncached_groups=0, items_per_group=1)
    made = automaton("a.{200}[A-Zc-y]", "zz", limits=limits)
    assert found(made, text, "zz") == [(1, len(text) + 2)]
    assert made.disabled == {0}


def test_units_beyond_ascii_are_matched_by_their_class() -> None:
    made = automaton("é", r"[一-龥]x", r"\w文", "ſ", "(?i:É)")
    assert found(made, "è中x文é") == [(1, 3), (2, 4), (0, 5), (4, 5)]
    assert found(made, "x文") == [(2, 2)]


def test_counters_that_start_at_the_end_of_the_text_match_nothing() -> None:
    made = automaton(r"\ba{0,9}.*b")
    cursor = made.open()
    made.feed(cursor, "x")
    assert [report for runner in cursor.runners for report in runner.reports_at_end]
    assert made.matches_if_ended(cursor).matching == made.matches_if_ended(cursor).candidates == frozenset()


def lists_within(owner: object) -> int:
    """Returns how many lists an object keeps alive."""
    pending, seen, lists = [owner], {id(owner)}, 0
    while pending:
        for each in gc.get_referents(pending.pop()):
            if id(each) not in seen and not isinstance(each, (type, ModuleType, FunctionType)):
                seen.add(id(each))
                lists += isinstance(each, list)
                pending.append(each)
    return lists


def test_streams_opened_after_evictions_do_not_keep_evicted_states() -> None:
    made = automaton("a[ab]{6}[x-z0-9A-Z]", "c.*b", limits=Limits(states=50, fused_tables=30))
    drawn = random.Random(4)
    early = 0
    for number in range(3_000):
        made.feed(made.open(), "".join(drawn.choice("abc") for _ in range(20)))
        if number in range(300, 800, 50):
            early = max(early, lists_within(made))
    assert made._assembly.evictor.made > 20 * 50
    assert lists_within(made) <= early + 20


class FakeCache:
    """A fake cache of states."""

    def __init__(self, evictor: CacheEvictor) -> None:
        self.used = 0
        self.states: dict[int, None] = {}
        self.dropped: dict[int, None] = {}
        self._evictor = evictor
        evictor.register(self)

    def __len__(self) -> int:
        return len(self.states)

    def add(self) -> None:
        self.states[len(self.states)] = None
        self._evictor.count_state(self)

    def clear(self) -> None:
        self.dropped, self.states = self.states, {}
        self._evictor.discard(self.dropped, self.dropped.popitem)


def test_evicted_states_are_freed_before_as_many_are_added_again() -> None:
    evictor = CacheEvictor(100)
    cache = FakeCache(evictor)
    for _ in range(101):
        cache.add()
    assert len(cache.dropped) > 80
    for _ in range(50):
        cache.add()
    assert not cache.dropped


def test_the_least_recently_extended_cache_is_evicted() -> None:
    evictor = CacheEvictor(100)
    caches = [FakeCache(evictor) for _ in range(3)]
    for cache, states in zip((caches[1], caches[0], caches[2], caches[1]), (30, 40, 20, 11), strict=True):
        for _ in range(states):
            cache.add()
    assert [len(cache) for cache in caches] == [0, 41, 20]
