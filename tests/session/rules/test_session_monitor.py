"""Rules of all dialects in one session are composed together, and each is run as its profile says."""

from __future__ import annotations

import pytest

from tests.rules.rule_files import TEXT, THINKING, tool_call
from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, StreamEvent
from ttsr_ls.session.rules.rules_by_dialect import Registered, RulesByDialect, compose
from ttsr_ls.session.rules.session_monitor import SessionMonitor
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule

STABLE, REFERENCE = Matching


def text_of(frontmatter: str) -> str:
    return f"---\n{frontmatter}\n---\nBody"


def omp(frontmatter: str, name: str = "r") -> Registered:
    return register(read_rule(text_of(frontmatter), name=name, path=f"omp/{name}.md"), "native")


def legacy(frontmatter: str, name: str = "r", folder: str = "old") -> Registered:
    return register_legacy(read_rule(text_of(frontmatter), name=name, path=f"{folder}/{name}.md"), "extra")


def pi(frontmatter: str, name: str = "r", folder: str = "pi") -> Registered:
    return register_pi(read_pi_rule(text_of(frontmatter), name=name, path=f"{folder}/{name}.md"))


def paths(rules: RulesByDialect) -> list[str]:
    return [rule.path for rule in rules.rules]


def fed(rules: RulesByDialect, matching: Matching, *events: StreamEvent) -> list[list[str]]:
    monitor = SessionMonitor(rules, Settings(), matching)
    return [[trigger.rule.path for trigger in monitor.feed(event)] for event in events]


def test_rules_of_different_dialects_do_not_shadow_each_other() -> None:
    rules = compose([omp("condition: a"), legacy("ttsr_trigger: a"), pi("trigger: a")], Settings())
    assert paths(rules) == ["omp/r.md", "old/r.md", "pi/r.md"]


def test_duplicate_names_are_handled_as_each_dialect_does() -> None:
    files = [
        legacy("ttsr_trigger: a"),
        legacy("ttsr_trigger: b", folder="older"),
        pi("trigger: a"),
        pi("trigger: b", folder="home"),
    ]
    assert paths(compose(files, Settings())) == ["old/r.md", "pi/r.md", "home/r.md"]


def test_settings_and_agents_affect_only_rules_of_oh_my_pi() -> None:
    files = [omp("condition: a"), legacy("ttsr_trigger: a"), pi("trigger: a")]
    assert paths(compose(files, Settings(enabled=False))) == ["old/r.md", "pi/r.md"]
    files = [omp("condition: a\nagents: sub"), pi("trigger: a\nagents: sub")]
    assert paths(compose(files, Settings(), "main")) == ["pi/r.md"]


def test_invalid_rules_are_left_out() -> None:
    assert paths(compose([legacy("ttsr_trigger: '('"), pi("trigger: '('"), pi("flags: i")], Settings())) == []


@pytest.mark.parametrize("matching", Matching)
def test_each_dialect_matches_its_own_streams(matching: Matching) -> None:
    rules = compose([omp("condition: a\nscope: thinking"), legacy("ttsr_trigger: a"), pi("trigger: a")], Settings())
    events: list[StreamEvent] = [Delta(THINKING, "a "), Delta(tool_call("bash"), "a "), Delta(TEXT, "a ")]
    at_text = ["pi/r.md"] if matching is REFERENCE else ["old/r.md", "pi/r.md"]
    assert fed(rules, matching, *events)[:2] == [["omp/r.md"], ["old/r.md"]]
    if matching is REFERENCE:
        assert fed(rules, matching, *events)[2] == at_text


@pytest.mark.parametrize("matching", Matching)
def test_a_trigger_ends_the_answer_for_rules_of_pi_ttsr_only(matching: Matching) -> None:
    rules = compose([omp("condition: b"), pi("trigger: a", "first"), pi("trigger: b", "second")], Settings())
    events: list[StreamEvent] = [Delta(TEXT, "a "), BlockEnd(TEXT), Delta(TEXT, "b ")]
    assert fed(rules, matching, *events) == [["pi/first.md"], [], ["omp/r.md"]]
    monitor = SessionMonitor(rules, Settings(), matching)
    monitor.feed(events[0])
    monitor.reset()
    assert [trigger.rule.path for trigger in monitor.feed(events[2])] == ["omp/r.md", "pi/second.md"]


def test_the_trigger_has_the_rule_that_matched_among_rules_of_one_name() -> None:
    rules = compose([pi("trigger: a"), pi("trigger: b", folder="home")], Settings())
    assert fed(rules, STABLE, Delta(TEXT, "b "), BlockEnd(TEXT)) == [["home/r.md"], []]


def test_a_cooldown_is_measured_in_time() -> None:
    rules = compose([pi("trigger: a\nmaxFirings: 9\ncooldown: 5")], Settings())
    monitor = SessionMonitor(rules, Settings(), STABLE)
    answers = []
    for now in (10.0, 14.0, 15.0):
        monitor.reset()
        answers.append(bool(monitor.feed(Delta(TEXT, "a "), now)))
    assert answers == [True, False, True]


def test_disabled_conditions_name_their_rules() -> None:
    rules = compose([pi("trigger: '(?:(a|aa)+\\1)+[!?]'\nscope: chunk")], Settings())
    monitor = SessionMonitor(rules, Settings(), REFERENCE)
    monitor.feed(Delta(TEXT, "a" * 50 + "c"))
    assert [(slow.rule.path, slow.condition) for slow in monitor.disabled_conditions] == [("pi/r.md", 0)]


def test_a_rule_with_a_question_does_not_fire_on_streams() -> None:
    asked, plain = omp("condition: fool\nquestion: Is it rude?", "asked"), omp("condition: fool", "plain")
    monitor = SessionMonitor(compose((asked, plain), Settings()), Settings(), STABLE)
    triggers = [*monitor.feed(Delta(TEXT, "you fool")), *monitor.feed(BlockEnd(TEXT))]
    assert [trigger.rule.name for trigger in triggers] == ["plain"]


@pytest.mark.parametrize("matching", Matching)
def test_the_excerpt_of_a_legacy_rule_contains_the_match(matching: Matching) -> None:
    monitor = SessionMonitor(compose([legacy("ttsr_trigger: old_module")], Settings()), Settings(), matching)
    monitor.feed(Delta(TEXT, "I shall write this now. "))
    (trigger,) = monitor.feed(Delta(tool_call("write", "a.py"), "import old_module\n"))
    excerpt = trigger.excerpt
    assert excerpt.text[excerpt.start : excerpt.end] == "old_module"


@pytest.mark.parametrize("registered", [legacy("ttsr_trigger: a"), pi("trigger: a")])
def test_older_dialects_always_interrupt(registered: Registered) -> None:
    settings = Settings(interrupt_mode=InterruptMode.NEVER)
    monitor = SessionMonitor(compose([registered], settings), settings, STABLE)
    assert [trigger.interrupts for trigger in monitor.feed(Delta(TEXT, "a"))] == [True]
