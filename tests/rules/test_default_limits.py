"""Matching with the limits of a live stream is exact: it does not depend on time, and deferred searches continue."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from tests.counted_calls import count_calls
from tests.matching.monitor.comparison import stable_answers
from tests.matching.obvious_monitor import ObviousMonitor
from tests.matching.random_rules import random_condition, random_deltas, random_text
from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import LIVE, OFFLINE, SearchLimits
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, Source, StreamContext, StreamEvent, Trigger

SCARCE = SearchLimits(delta=60, share=20, search=1 << 40, end=1 << 40, end_share=1 << 40, preparation=30)
"""So few steps that nearly every search is deferred several times."""


def monitor_of(*rules: Rule, matching: Matching = Matching.STABLE, limits: SearchLimits = LIVE) -> Monitor:
    return Monitor(RuleSet(rules), None, matching, limits=limits)


def places(triggers: list[Trigger]) -> list[tuple[str, int, int, int]]:
    return [(trigger.rule.name, trigger.start, trigger.end, trigger.offset) for trigger in triggers]


def streamed(monitor: Monitor, text: str, size: int) -> list[Trigger]:
    events: list[StreamEvent] = [
        Delta(TEXT, text[position : position + size]) for position in range(0, len(text), size)
    ]
    return [trigger for event in [*events, BlockEnd(TEXT)] for trigger in monitor.feed(event)]


def distinct_words(length: int) -> str:
    return " ".join(f"word{number}" for number in range(length // 9))[:length].ljust(length, ".")


def test_a_backreference_matches_at_the_first_delta_in_reference_matching() -> None:
    monitor = monitor_of(rule_of(r"([xy])z\1"), matching=Matching.REFERENCE)
    assert places(list(monitor.feed(Delta(TEXT, "xzx")))) == [("r", 0, 3, 3)]


@pytest.mark.parametrize("size", [1, 16, 10_000])
@pytest.mark.parametrize("length", [6_000, 9_000])
def test_a_repeated_word_is_found_in_a_long_text(length: int, size: int) -> None:
    monitor = monitor_of(rule_of(r"\b(\w+)\s+\1\b"))
    text = distinct_words(length) + "! the the."
    assert places(streamed(monitor, text, size)) == [("r", length + 2, length + 9, length + 10)]
    assert monitor.disabled_conditions == ()


def test_elements_that_stay_open_are_verified_as_the_text_grows() -> None:
    monitor = monitor_of(rule_of(r"<(\w+)>[\s\S]*<\/\1>"))
    text = "".join(f"<open{number % 20}>text</other{number}>\n" for number in range(1_000))
    (trigger,) = streamed(monitor, f"{text}<b>x</b>", 16)
    assert (trigger.start, trigger.end) == (len(text), len(text) + 8)


@pytest.mark.parametrize("count", [2, 100])
def test_all_rules_that_match_in_one_delta_have_their_spans(count: int) -> None:
    monitor = monitor_of(*(rule_of(rf"\bword{number}\s*=\s*\w+;", name=f"r{number}") for number in range(count)))
    lines = [f"word{number} = {number};" for number in range(count)]
    text = " ".join(lines)
    triggers = [*monitor.feed(Delta(TEXT, text)), *monitor.feed(BlockEnd(TEXT))]
    spans = {trigger.rule.name: (trigger.start, trigger.end) for trigger in triggers}
    assert spans == {
        f"r{number}": (text.index(line), text.index(line) + len(line)) for number, line in enumerate(lines)
    }


def test_matches_of_constant_length_need_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(PatternSearch, "leftmost")
    monkeypatch.delattr(PatternSearch, "plan_incrementally")
    monitor = monitor_of(*(rule_of(f"fired{number:03}(?:!|[?])", name=f"r{number}") for number in range(300)))
    text = "".join(f"fired{number:03}!" for number in range(300))
    # The widths of the matches of 300 conditions are not computed in one delta.
    triggers = [trigger for delta in (text, *"." * 15) for trigger in monitor.feed(Delta(TEXT, delta))]
    # Nor are all rules evaluated in one delta, so they do not fire in the order of the text.
    fired = sorted(places(triggers), key=lambda place: place[1])
    assert fired == [(f"r{number}", 9 * number, 9 * number + 9, 9 * number + 9) for number in range(300)]


def test_interleaved_streams_trigger_like_each_stream_alone() -> None:
    random = Random(7)
    sources = [r"\bword(\d)\1\b", r"(?:word\d+ ){2}stop", r"stop(?! now)", r"(['\"])[a-z ]+\1", r"word\d+ $"]
    rules = [rule_of(source, name=f"r{number}") for number, source in enumerate(sources)]
    words = ["word11", "word12", "'a b'", "stop", "stop now", "\"x'", "other"]
    texts = [" ".join(random.choice(words) for _ in range(60)) + " " for _ in range(50)]
    contexts = [StreamContext(Source.TOOL, "edit", (), f"toolcall:{number}") for number in range(50)]
    monitor, alone_monitor = monitor_of(*rules), monitor_of(*rules, limits=OFFLINE)
    triggers: list[list[Trigger]] = [[] for _ in texts]
    for position in range(0, max(map(len, texts)), 16):
        for number, text in enumerate(texts):
            triggers[number] += monitor.feed(Delta(contexts[number], text[position : position + 16]))
    for number, text in enumerate(texts):
        triggers[number] += monitor.feed(BlockEnd(contexts[number]))
        whole = [*alone_monitor.feed(Delta(contexts[number], text)), *alone_monitor.feed(BlockEnd(contexts[number]))]
        assert sorted(places(triggers[number])) == sorted(places(whole))
    assert sum(map(len, triggers)) > 100


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_deferred_searches_give_the_same_triggers(first: int) -> None:
    deferred = 0
    for seed in range(first, first + 50):
        random = Random(seed)
        rules = [rule_of(random_condition(random), random_condition(random), name=f"r{rule}") for rule in range(3)]
        text = random_text(random)
        deltas = random_deltas(random, text)
        try:
            expected = ObviousMonitor(rules).stable(text)
        except MatchLimitExceeded:
            continue
        monitor = monitor_of(*rules, limits=SCARCE)
        answers, waited = stable_answers(monitor, random, deltas)
        assert sorted(answers) == sorted(expected), seed
        deferred += waited
    assert deferred > 10


def test_reference_matching_completes_deferred_searches_while_the_text_grows() -> None:
    rules = [rule_of(source, name=source) for source in (r"([xy])z\1", r"(\w+) \1\b", "a+b", "(?:q|w)+e")]
    monitor = monitor_of(*rules, matching=Matching.REFERENCE, limits=SCARCE)
    found: dict[str, tuple[int, int]] = {}
    for delta in ("xzx go go, aab qwe", *". " * 150):
        for trigger in monitor.feed(Delta(TEXT, delta)):
            assert found.setdefault(trigger.rule.name, (trigger.start, trigger.end)) == (trigger.start, trigger.end)
    assert found == {r"([xy])z\1": (0, 3), r"(\w+) \1\b": (4, 9), "a+b": (11, 14), "(?:q|w)+e": (15, 18)}
    assert monitor.deferred_rules == ()


def test_reference_matching_completes_deferred_searches_at_the_end_of_a_block() -> None:
    rules = [rule_of(source, name=source) for source in ("a+b$", r"(\w+) \1$", "(?:q|w)+e", "never")]
    monitor = monitor_of(*rules, matching=Matching.REFERENCE, limits=replace(SCARCE, delta=4, share=2))
    assert monitor.feed(Delta(TEXT, "qwe go go, aab")) == ()
    assert monitor.deferred_rules == ("a+b$", "(?:q|w)+e")
    late = monitor.feed(BlockEnd(TEXT))
    assert places(list(late)) == [("a+b$", 11, 14, 14), ("(?:q|w)+e", 0, 3, 14)]
    assert monitor.deferred_rules == ()
    assert monitor.feed(BlockEnd(TEXT)) == ()


def test_reference_matching_reports_rules_that_stay_undecided_at_a_delta() -> None:
    rules = [rule_of(source, name=source) for source in (r"(\w+) \1$", r"([xy])z\1")]
    monitor = monitor_of(*rules, matching=Matching.REFERENCE, limits=SCARCE)
    assert monitor.feed(Delta(TEXT, "xz go go")) == ()
    # The reference agent triggers at this delta.
    assert monitor.deferred_rules == (r"(\w+) \1$",)
    fired_rules = [trigger.rule for delta in (";", *". " * 150) for trigger in monitor.feed(Delta(TEXT, delta))]
    fired_rules += [trigger.rule for trigger in monitor.feed(BlockEnd(TEXT))]
    assert (fired_rules, monitor.deferred_rules) == ([], ())
    # The earlier delta stays undecided. A condition whose match cannot be undone matched at no earlier delta.
    assert monitor.undecided_rules == (r"(\w+) \1$",)


@pytest.mark.parametrize("matching", Matching)
def test_fired_rules_add_no_function_calls(matching: Matching) -> None:
    calls = []
    for count in (0, 300):
        rules = [rule_of(f"fired{number}z", name=f"r{number}") for number in range(count)]
        monitor = monitor_of(*rules, rule_of("unseen+", name="other"), matching=matching)
        words = [f"fired{number}z " for number in range(count)]
        fired = [trigger.rule.name for word in words for trigger in monitor.feed(Delta(TEXT, word))]
        assert len(set(fired)) == count
        monitor.mark_injected(fired)
        for _ in range(20):
            monitor.feed(Delta(TEXT, " let x = 1;\n"))
        calls.append(count_calls(partial(monitor.feed, Delta(TEXT, " let x = 1;\n"))))
    # The automaton is in different states.
    assert calls[1] <= calls[0] + 5


def test_reference_matching_does_not_search_for_a_final_match_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monitor = monitor_of(rule_of("fo+ x"), matching=Matching.REFERENCE)
    text = "😀 " * 500 + "foo x"
    (first,) = monitor.feed(Delta(TEXT, text))
    assert (first.start, first.end, first.offset) == (1_000, 1_005, 1_005)
    monkeypatch.delattr(PatternSearch, "leftmost")
    monkeypatch.delattr(PatternSearch, "span_from")
    for count, delta in enumerate((" 😀", "\ud83d", "\ude00"), start=1):
        (again,) = monitor.feed(Delta(TEXT, delta))
        assert (again.start, again.end, again.excerpt) == (first.start, first.end, first.excerpt)
        assert again.offset == 1_005 + (2, 3, 3)[count - 1]


def test_a_blocked_rule_fires_once_its_path_is_known() -> None:
    rule = rule_of("foo", frontmatter="scope: tool:edit(*.ts)")
    monitor = monitor_of(rule)
    context = StreamContext(Source.TOOL, "edit", (), "toolcall:1")
    known = StreamContext(Source.TOOL, "edit", ("a.ts",), "toolcall:1")
    assert monitor.feed(Delta(context, "foo ")) == ()
    assert monitor.feed(Delta(context, "bar ")) == ()
    assert places(list(monitor.feed(Delta(known, "baz ")))) == [("r", 0, 3, 3)]
    assert monitor.feed(Delta(known, "foo ")) == ()
