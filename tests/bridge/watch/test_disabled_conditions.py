"""Conditions that are too slow and streams that are too long are reported and logged once."""

from __future__ import annotations

from tests.bridge.adapters.claude_stream import Line, answer, prompt, prose, result, to_bytes
from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules, watch
from ttsr_ls.bridge.watch.notices import UndecidedRuleNotice
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.history.turn_events import ConditionTooSlow, StreamMatchingEnded

SLOW = r"(.+)(.+)(.+)(.+)X\4\3\2\1c"
RULES = rules(slow=f"---\ncondition:\n  - never\n  - '{SLOW}'\n---\nNo.\n", no_old=NO_OLD)
DISTINCT = "".join(map(chr, range(0x4E00, 0x4E50)))
TEXT = f"{DISTINCT}X{DISTINCT}c"


def flat(*lines: Line | list[Line]) -> list[Line]:
    return [item for line in lines for item in (line if isinstance(line, list) else [line])]


def test_a_disabled_condition_is_reported_and_logged_once() -> None:
    log = MemoryLog()
    texts = [prose("text", [TEXT, " and ", "more"]), prose("text", [TEXT, " deprecated_module"], 1)]
    notices = watch(to_bytes(flat(prompt("go"), answer(*texts), result())), log, RULES)
    reported = [notice for notice in notices if isinstance(notice, DisabledCondition)]
    assert [(notice.rule.name, notice.condition) for notice in reported] == [("slow", 1)]
    logged = [event for event in log.events if isinstance(event, ConditionTooSlow)]
    assert logged == [ConditionTooSlow("main", "slow", "/r/slow.md", SLOW, 1)]
    assert [trigger.rule for trigger in log.triggers] == ["no-old"]


def test_a_disabled_condition_is_reported_while_the_log_fails() -> None:
    log = MemoryLog(fails=range(3, 100))
    notices = watch(to_bytes(flat(prompt("go"), answer(prose("text", [TEXT])), result())), log, RULES)
    assert [type(notice) for notice in notices].count(DisabledCondition) == 1


def test_an_overlong_stream_is_reported_and_logged_once() -> None:
    log = MemoryLog()
    texts = [
        prose("text", ["x" * LIVE.stream_length, " and ", " deprecated_module"]),
        prose("text", ["a deprecated_module"], 1),
    ]
    notices = watch(to_bytes(flat(prompt("go"), answer(*texts), result())), log, RULES)
    assert [notice for notice in notices if isinstance(notice, StreamMatchingEnded)] == [
        StreamMatchingEnded("main", "text")
    ]
    assert [event for event in log.events if isinstance(event, StreamMatchingEnded)] == [
        StreamMatchingEnded("main", "text")
    ]
    assert [trigger.rule for trigger in log.triggers] == ["no-old"]


def test_a_rule_that_stays_undecided_is_reported_once() -> None:
    """In reference matching, a match at a delta counts only if it is found before the next delta."""
    slow = rules(slow=f"---\ncondition: '{SLOW}$'\nscope: text\n---\nNo.\n")
    texts = [prose("text", [TEXT, ";", *"more"])]
    stream = to_bytes(flat(prompt("go"), answer(*texts), result()))
    notices = watch(stream, MemoryLog(), slow, Matching.REFERENCE)
    assert [notice for notice in notices if isinstance(notice, UndecidedRuleNotice)] == [
        UndecidedRuleNotice("slow", "main")
    ]
    stable = watch(stream, MemoryLog(), slow, Matching.STABLE)
    assert not [item for item in stable if isinstance(item, UndecidedRuleNotice)]
