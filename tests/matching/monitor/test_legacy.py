"""Rules of oh-my-pi before `condition` in the monitor (spec L)."""

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


def test_legacy_rules_match_text_and_tool_calls_in_one_buffer() -> None:
    monitor = monitor_of("x.*b")
    assert fired(monitor, Delta(TEXT, "x"), BlockEnd(TEXT), Delta(BASH, '{"command": "b')) == [[], [], ["r0"]]


def test_legacy_rules_do_not_match_thinking() -> None:
    assert fired(monitor_of("a"), Delta(THINKING, "a")) == [[]]


def test_snapshots_append_only_their_new_text_to_the_joined_buffer() -> None:
    monitor = monitor_of("^xaab$")
    events: list[StreamEvent] = [Delta(TEXT, "x"), Snapshot(EDIT, "a"), Snapshot(EDIT, "aa"), Delta(BASH, "b")]
    assert fired(monitor, *events) == [[], [], [], ["r0"]]


def test_a_reset_empties_the_joined_buffer() -> None:
    monitor = monitor_of("ab")
    assert fired(monitor, Delta(TEXT, "a")) == [[]]
    monitor.reset()
    assert fired(monitor, Delta(TEXT, "b")) == [[]]
    assert fired(monitor, Snapshot(EDIT, "a")) == [[]]
    monitor.reset()
    assert fired(monitor, Snapshot(EDIT, "ab")) == [["r0"]]


def test_all_matching_legacy_rules_fire_and_count_as_injected() -> None:
    monitor = monitor_of("a", "b", "c")
    assert fired(monitor, Delta(TEXT, "ab"), Delta(TEXT, "c")) == [["r0", "r1"], ["r2"]]
    monitor.reset()
    assert fired(monitor, Delta(TEXT, "abc")) == [[]]


def test_a_legacy_rule_fires_again_after_its_gap() -> None:
    monitor = monitor_of("a", settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1))
    assert fired(monitor, Delta(TEXT, "a"), Delta(TEXT, "a")) == [["r0"], []]
    monitor.end_turn()
    assert fired(monitor, Delta(TEXT, "a")) == [["r0"]]


def test_stable_matching_of_legacy_rules_keeps_streams_apart() -> None:
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
def test_registration_reports_problems_and_builds_the_rule(frontmatter: str, codes: list[str], has_rule: bool) -> None:
    registration = registration_of(frontmatter)
    assert [problem.code for problem in registration.problems] == codes
    assert (registration.rule is not None) == has_rule


def test_legacy_rules_ignore_scope_and_globs() -> None:
    registration = registration_of("ttsr_trigger: a\nscope: thinking\nglobs: '*.ts'")
    assert registration.rule is not None
    monitor = Monitor(RuleSet((registration.rule,)), None, Matching.REFERENCE)
    assert fired(monitor, Delta(TEXT, "a")) == [["r"]]
