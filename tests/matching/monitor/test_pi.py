"""pi-ttsr rules in the monitor, case by case."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.rules.rule_files import TEXT, THINKING, tool_call
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, StreamContext
from ttsr_ls.session.lifecycle.templates import pi_interrupt
from ttsr_ls.syntax.pi.rule_file import read_pi_rule

STABLE, REFERENCE = Matching


def registration_of(frontmatter: str, name: str = "r") -> Registration:
    return register_pi(read_pi_rule(f"---\n{frontmatter}\n---\nBody", name=name, path=f"{name}.md"))


def rule_of(frontmatter: str, name: str = "r") -> Rule:
    rule = registration_of(frontmatter, name).rule
    assert rule is not None
    return rule


def pi_monitor(rules: Iterable[Rule], matching: Matching = STABLE) -> Monitor:
    return Monitor(RuleSet(tuple(rules)), None, matching)


def fired(monitor: Monitor, *texts: str, now: float = 0.0, context: StreamContext = TEXT) -> list[list[str]]:
    return [[trigger.rule.name for trigger in monitor.feed(Delta(context, text), now)] for text in texts]


@pytest.mark.parametrize(
    ("scope", "texts", "expected"),
    [
        ("line", ("a", "b"), [[], ["r"]]),
        ("chunk", ("a", "b"), [[], []]),
        ("chunk", ("x", "ab", "x"), [[], ["r"], []]),
        ("accumulated", ("a", "b"), [[], ["r"]]),
    ],
)
def test_pi_scopes_decide_on_which_text_a_trigger_is_tested(
    scope: str, texts: tuple[str, ...], expected: list[list[str]]
) -> None:
    monitor = pi_monitor([rule_of(f"trigger: ab\nscope: {scope}")], REFERENCE)
    assert fired(monitor, *texts) == expected


def test_only_scope_accumulated_matches_across_lines() -> None:
    rules = [rule_of(f"trigger: 'a\\sb'\nscope: {scope}", scope) for scope in ("line", "accumulated")]
    assert fired(pi_monitor(rules, REFERENCE), "a\n", "b") == [[], ["accumulated"]]


def test_stable_matching_ignores_delta_boundaries_in_scope_chunk() -> None:
    for scope in ("chunk", "accumulated"):
        assert fired(pi_monitor([rule_of(f"trigger: ab\nscope: {scope}")]), "a", "b") == [[], ["r"]]


def test_only_the_first_matching_pi_rule_fires() -> None:
    rules = [rule_of("trigger: b", "first"), rule_of("trigger: a", "second")]
    assert fired(pi_monitor(rules, REFERENCE), "a b", "c", "d") == [["first"], ["second"], []]
    assert fired(pi_monitor(rules), "a b", "c", "d") == [["second"], [], []]


def test_stable_matching_ignores_the_rest_of_an_interrupted_answer() -> None:
    monitor = pi_monitor([rule_of("trigger: a", "first"), rule_of("trigger: b", "second")])
    assert fired(monitor, "a", "b") == [["first"], []]
    assert monitor.feed(BlockEnd(TEXT)) == ()
    monitor.reset()
    assert fired(monitor, "b") == [["second"]]


def test_max_firings_is_a_limit_per_session() -> None:
    monitor = pi_monitor([rule_of("trigger: a\nmaxFirings: 2")], REFERENCE)
    answers = []
    for _ in range(3):
        monitor.reset()
        answers += fired(monitor, "a")
    assert answers == [["r"], ["r"], []]


def test_a_new_session_has_no_firings() -> None:
    rules = [rule_of("trigger: a")]
    assert fired(pi_monitor(rules), "a") == fired(pi_monitor(rules), "a") == [["r"]]


@pytest.mark.parametrize("matching", Matching)
def test_the_cooldown_separates_firings(matching: Matching) -> None:
    monitor = pi_monitor([rule_of("trigger: a\nmaxFirings: 3\ncooldown: 10")], matching)
    answers = []
    for now in (100.0, 105.0, 110.0, 119.9, 120.0, 200.0):
        monitor.reset()
        answers.append(bool(monitor.feed(Delta(TEXT, "a"), now)))
    assert answers == [True, False, True, False, True, False]


def test_flag_g_misses_every_other_chunk() -> None:
    monitor = pi_monitor([rule_of("trigger: ab\nflags: g\nscope: chunk\nmaxFirings: 9")], REFERENCE)
    assert fired(monitor, "ab", "ab", "ab", "ab") == [["r"], [], ["r"], []]


def test_flag_g_shares_last_index_between_lines() -> None:
    monitor = pi_monitor([rule_of("trigger: ab\nflags: g\nmaxFirings: 9")], REFERENCE)
    assert fired(monitor, "ab", "\nab", "\nab") == [["r"], ["r"], ["r"]]
    assert fired(pi_monitor([rule_of("trigger: ab\nflags: g\nmaxFirings: 9")], REFERENCE), "ab", "c", "c") == [
        ["r"],
        [],
        ["r"],
    ]


def test_flag_y_matches_only_at_last_index() -> None:
    monitor = pi_monitor([rule_of("trigger: ab\nflags: y\nscope: accumulated\nmaxFirings: 9")], REFERENCE)
    assert fired(monitor, "ab", "ab", "x", "") == [["r"], ["r"], [], ["r"]]
    assert fired(pi_monitor([rule_of("trigger: b\nflags: y\nscope: accumulated")], REFERENCE), "ab") == [[]]


def test_stable_matching_ignores_last_index() -> None:
    monitor = pi_monitor([rule_of("trigger: ab\nflags: g\nmaxFirings: 9")])
    answers = []
    for _ in range(3):
        monitor.reset()
        answers += fired(monitor, "ab")
    assert answers == [["r"], ["r"], ["r"]]


def test_stable_matching_waits_for_the_end_of_a_line() -> None:
    monitor = pi_monitor([rule_of("trigger: 'any$'")])
    assert fired(monitor, "an", "y", "thing", "\nany", "\n") == [[], [], [], [], ["r"]]
    assert fired(pi_monitor([rule_of("trigger: 'any$'")], REFERENCE), "an", "y", "thing") == [[], ["r"], []]


def test_the_end_of_a_block_makes_a_match_at_the_line_end_final() -> None:
    monitor = pi_monitor([rule_of("trigger: 'any$'")])
    assert fired(monitor, "any") == [[]]
    assert [trigger.rule.name for trigger in monitor.feed(BlockEnd(TEXT))] == ["r"]


@pytest.mark.parametrize("context", [THINKING, tool_call("bash")])
def test_pi_rules_match_only_text_streams(context: StreamContext) -> None:
    assert fired(pi_monitor([rule_of("trigger: a")], REFERENCE), "a", context=context) == [[]]


def test_trigger_positions_of_pi_rules_refer_to_the_whole_text() -> None:
    monitor = pi_monitor([rule_of("trigger: '^b'\nflags: g\nmaxFirings: 9")], REFERENCE)
    [trigger] = monitor.feed(Delta(TEXT, "😀\nb"))
    assert (trigger.start, trigger.end, trigger.offset, trigger.interrupts) == (2, 3, 3, True)


def test_the_pi_interrupt_message_equals_that_of_the_seed() -> None:
    rule = rule_of("trigger: a", "no-any")
    assert pi_interrupt(rule) == (
        "[TTSR RULE: no-any]\n\nBody\n\nYour previous response was interrupted because it matched this rule. "
        "Regenerate your response following the rule above."
    )


def test_a_slow_pi_trigger_is_disabled_and_reported() -> None:
    rule = rule_of("trigger: '(?:(a|aa)+\\1)+[!?]'\nscope: chunk\nmaxFirings: 9")
    monitor = pi_monitor([rule, rule_of("trigger: c", "other")], REFERENCE)
    assert fired(monitor, "a" * 50 + "c", "aaa!") == [["other"], []]
    assert [slow.rule.name for slow in monitor.disabled_conditions] == ["r"]


@pytest.mark.parametrize(
    ("frontmatter", "codes"),
    [
        ("trigger: a", []),
        ("scope: line", []),
        ("trigger: '('", ["regex-does-not-compile"]),
        ("trigger: '(?i)a'", ["regex-does-not-compile"]),
        ("trigger: a\nflags: q", ["pi-invalid-flags"]),
        ("trigger: '\\p{L}'\nflags: u", ["pi-unicode-flag"]),
    ],
)
def test_registration_reports_problems_and_builds_the_rule(frontmatter: str, codes: list[str]) -> None:
    registration = registration_of(frontmatter)
    assert [problem.code for problem in registration.problems] == codes
    assert (registration.rule is None) == (frontmatter != "trigger: a")
