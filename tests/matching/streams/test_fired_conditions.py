"""Required factors of fired conditions are skipped in that stream, and found in all others."""

import pytest
from msgspec.structs import replace

from tests.rules.rule_files import TEXT, THINKING, rule_of
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.automaton_stream import AutomatonStream
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Delta

WORD = "a quux7z b "
REPEATED = [WORD] * 4
FILLER = "nothing of it here, "


def matcher_of(*conditions: str, limits: Limits | None = None) -> AutomatonMatcher:
    chosen = LIVE if limits is None else replace(LIVE, automaton=limits)
    return AutomatonMatcher([compile_condition(condition) for condition in conditions], chosen)


def feed(stream: AutomatonStream, *texts: str) -> set[int]:
    for text in texts:
        stream.append(text)
    return set(stream.final_conditions)


def test_a_condition_that_fired_in_one_stream_still_matches_in_another() -> None:
    matcher = matcher_of(r"\bquux7z\b", r"\bother\b")
    first, second = matcher.open(), matcher.open()
    assert feed(first, *REPEATED) == {0}
    assert feed(second, FILLER) == set()
    assert feed(first, *REPEATED) == {0}
    assert feed(second, WORD) == {0}
    assert feed(matcher.open(), WORD) == {0}


def test_a_factor_wakes_each_condition_that_requires_it() -> None:
    stream = matcher_of(r"\bquux7z\b", r"quux7z\d", r"[ab] quux7z c").open()
    assert feed(stream, *REPEATED) == {0}
    assert feed(stream, "quux7z5 ") == {0, 1}
    assert feed(stream, *REPEATED, "quux7z5 ", *REPEATED) == {0, 1}
    assert feed(stream, "a quux7", "z c") == {0, 1, 2}


def test_a_condition_matches_again_after_its_match_was_replaced() -> None:
    stream = matcher_of(r"\bquux7z\b", r"\bother\b").open()
    stream.replace(FILLER)
    assert feed(stream, *REPEATED) == {0}
    stream.replace(FILLER + FILLER)
    assert feed(stream, FILLER) == set()
    assert feed(stream, WORD) == {0}


def test_a_match_before_the_replaced_text_is_kept() -> None:
    stream = matcher_of(r"\bquux7z\b", r"quux7z\d").open()
    stream.replace("".join(REPEATED))
    stream.replace("".join(REPEATED[:2]))
    assert feed(stream, *REPEATED) == {0}
    assert feed(stream, "quux7z5 ") == {0, 1}


@pytest.mark.parametrize("fused_tables", [1, 30, 2_000])
def test_streams_continue_correctly_when_fused_states_are_evicted(fused_tables: int) -> None:
    matcher = matcher_of(r"\bquux7z\b", r"quux7z\d", r"\bother$", limits=Limits(fused_tables=fused_tables, states=60))
    waiting, first = matcher.open(), matcher.open()
    assert feed(waiting, *REPEATED, "quux7") == {0}
    for number in range(200):
        feed(first, f"{number:b} {chr(0x41 + number % 50)} quu{number}", "x ")
    assert feed(waiting, "z5 ") == {0, 1}


def test_reference_matching_reports_a_fired_condition_at_each_delta() -> None:
    rule = rule_of(r"\bquux7z\b", frontmatter="scope: [text, thinking]")
    monitor = Monitor(RuleSet((rule,)), mode=Matching.REFERENCE)
    assert [len(monitor.feed(Delta(TEXT, text))) for text in (FILLER, *REPEATED, FILLER)] == [0, 1, 1, 1, 1, 1]
    assert [len(monitor.feed(Delta(THINKING, text))) for text in (FILLER, WORD)] == [0, 1]
    monitor.reset()
    assert [len(monitor.feed(Delta(TEXT, text))) for text in (FILLER, WORD)] == [0, 1]


CASES = [
    r"\bzq7",
    r"\Bzq7",
    r"(?<![x ])zq7",
    r"[^x]zq7",
    r"^zq7",
    r"(?m)^zq7",
    r"(?i)zq7",
    r"(?i)\bzq[xy]?7",
    r"(?i)\bkzs7",
    r"\bk[Zz]s7",
    r"[\u212aK]zs7",
    r"k[\u017fs]zs?7",
    "(?i)\u00e9zq\u017f",
    "\u00e9zq\u017f",
    "\U0001f600zq7",
    "[\U0001f600x]zq7",
    r"\ude00zq7",
]
MATCHING = ["zq7", "ZQ7", "Kzs7", "kzs7", "\u212azs7", "k\u017fz7", "ksz7", "\u00e9zq\u017f", "\u00c9ZQ\u017f"]
BEFORE = ["", "x", " ", "\n", "\u00e9", "\U0001f600", "\ud83d"]
SIXTEEN = "some plain words"


@pytest.mark.parametrize("length", [0, 16, 700])
def test_factor_prefilters_match_like_a_search_of_the_whole_text(length: int) -> None:
    conditions = [compile_condition(source) for source in CASES]
    matcher = AutomatonMatcher(conditions)
    for text in [before + word for before in BEFORE for word in MATCHING]:
        units = text.encode("utf-16-le", "surrogatepass")
        pieces = [chr(units[at] | units[at + 1] << 8) for at in range(0, len(units), 2)]
        for deltas in (["".join(pieces)], pieces):
            stream = matcher.open()
            feed(stream, *[SIXTEEN] * (length // 16), *deltas)
            whole = stream.prefix(stream.length)
            found = [number for number in range(len(CASES)) if stream.matches_at_end(number)]
            assert found == [number for number, each in enumerate(conditions) if each.matcher.test(whole)], text
