"""Rules of omp before `condition`, (spec L)."""

from __future__ import annotations

import pytest

from tests.rules.rule_files import TEXT, THINKING, tool_call
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, RepeatMode, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamEvent
from ttsr_ls.syntax.reader import read_rule

BASH, EDIT = tool_call("bash", key="toolcall:1"), tool_call("edit", "a.ts", key="toolcall:2")


def registration_of(frontmatter: str, name: str = "r") -> Registration:
    return register_legacy(read_rule(f"---\n{frontmatter}\n---\nBody", name=name, path=f"{name}.md"), "native")


def monitor_of(*triggers: str, settings: Settings | None = None, matching: Matching = Matching.REFERENCE) -> Monitor:
    rules = [
        registration_of(f"ttsr_trigger: '{trigger}'", f"r{number}").rule for number, trigger in enumerate(triggers)
    ]
    return Monitor(RuleSet(tuple(rule for rule in rules if rule is not None)), settings, matching)


def fired(monitor: Monitor, *events: StreamEvent) -> list[list[str]]:
    return [[trigger.rule.name for trigger in monitor.feed(event)] for event in events]


def test_text_and_tool_calls_are_one_text() -> None:
    monitor = monitor_of("x.*b")
    assert fired(monitor, Delta(TEXT, "x"), BlockEnd(TEXT), Delta(BASH, '{"command": "b')) == [[], [], ["r0"]]


def test_thinking_is_not_watched() -> None:
    assert fired(monitor_of("a"), Delta(THINKING, "a")) == [[]]


def test_snapshots_add_what_they_have_more_than_the_last() -> None:
    monitor = monitor_of("^xaab$")
    events: list[StreamEvent] = [Delta(TEXT, "x"), Snapshot(EDIT, "a"), Snapshot(EDIT, "aa"), Delta(BASH, "b")]
    assert fired(monitor, *events) == [[], [], [], ["r0"]]


def test_the_text_begins_anew_with_the_turn() -> None:
    monitor = monitor_of("ab")
    assert fired(monitor, Delta(TEXT, "a")) == [[]]
    monitor.reset()
    assert fired(monitor, Delta(TEXT, "b")) == [[]]
    assert fired(monitor, Snapshot(EDIT, "a")) == [[]]
    monitor.reset()
    assert fired(monitor, Snapshot(EDIT, "ab")) == [["r0"]]


def test_all_rules_that_match_fire_and_count_from_their_match() -> None:
    monitor = monitor_of("a", "b", "c")
    assert fired(monitor, Delta(TEXT, "ab"), Delta(TEXT, "c")) == [["r0", "r1"], ["r2"]]
    assert monitor.injected == ("r0", "r1", "r2")


def test_after_the_gap_a_rule_fires_again() -> None:
    monitor = monitor_of("a", settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1))
    assert fired(monitor, Delta(TEXT, "a"), Delta(TEXT, "a")) == [["r0"], []]
    monitor.end_turn()
    assert fired(monitor, Delta(TEXT, "a")) == [["r0"]]


def test_stable_matching_takes_each_stream_by_itself() -> None:
    monitor = monitor_of("ab", matching=Matching.STABLE)
    assert fired(monitor, Delta(TEXT, "a"), Delta(BASH, "b"), Delta(TEXT, "b")) == [[], [], ["r0"]]
    assert fired(monitor, Delta(EDIT, "ab")) == [[]]


@pytest.mark.parametrize(
    ("frontmatter", "codes", "has_rule"),
    [
        ("ttsr_trigger: a", [], True),
        ("ttsr_trigger: a\nscope: text\nglobs: '*.ts'", [], True),
        ("condition: a", [], False),
        ("ttsr_trigger: ''", [], False),
        ("ttsr_trigger: [a]", [], False),
        ("ttsr_trigger: '('", ["regex-does-not-compile"], False),
        ("ttsr_trigger: '(?i)a'", ["regex-does-not-compile"], False),
    ],
)
def test_what_registration_finds(frontmatter: str, codes: list[str], has_rule: bool) -> None:
    registration = registration_of(frontmatter)
    assert [problem.code for problem in registration.problems] == codes
    assert (registration.rule is not None) == has_rule


def test_scope_and_globs_count_for_nothing() -> None:
    registration = registration_of("ttsr_trigger: a\nscope: thinking\nglobs: '*.ts'")
    assert registration.rule is not None
    monitor = Monitor(RuleSet((registration.rule,)), None, Matching.REFERENCE)
    assert fired(monitor, Delta(TEXT, "a")) == [["r"]]
