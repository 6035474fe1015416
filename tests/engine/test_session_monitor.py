"""All rules of a session side by side, and those that a stream must not set off."""

from __future__ import annotations

from rule_files import TEXT, registration_of, rule_set_of

from ttsr_ls.engine.session_monitor import SessionMonitor
from ttsr_ls.engine.session_rules import SessionRules
from ttsr_ls.engine.settings import Matching, Settings
from ttsr_ls.engine.stream import BlockEnd, Delta


def test_a_rule_with_a_question_never_fires_on_a_stream() -> None:
    rules = rule_set_of(
        registration_of("condition: fool\nquestion: Is it rude?", "asked"), registration_of("condition: fool")
    )
    monitor = SessionMonitor(SessionRules(omp=rules), Settings(), Matching.STABLE)
    fired = [*monitor.feed(Delta(TEXT, "you fool")), *monitor.feed(BlockEnd(TEXT))]
    assert [each.rule.name for each in fired] == ["r"]
