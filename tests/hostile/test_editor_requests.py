"""Requests of an editor on costly files are answered in bounded time; each took several times that."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.hostile.hostile_cases import RULE, rule_of, triggered
from tests.hostile.pathological_patterns import FAMILIES
from tests.processor_time import processor_time_below
from ttsr_ls.ide.actions.suppressing import suppression_edit
from ttsr_ls.ide.analysis import analyse
from ttsr_ls.ide.completion.complete import complete_rule
from ttsr_ls.ide.condition_findings import condition_findings
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_text import notification_of_trigger
from ttsr_ls.lint.checks.regex import backtracking
from ttsr_ls.lint.context import LintContext
from ttsr_ls.session.history.turn_events import Excerpt
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import LineIndex


def test_brackets_that_are_open_are_repaired_in_bounded_time() -> None:
    text = rule_of(*[f"x{number}{'[' * 655}" for number in range(60)])
    with processor_time_below(0.5):
        findings = analyse(Document.of("file:///rule.md", "rule.md", 1, text), LintContext()).findings
    assert sum(finding.code == "regex-does-not-compile" for finding in findings) > 10


def test_values_are_offered_in_bounded_time_behind_a_long_word() -> None:
    for key, typed in (("scope", "x" * 20_000), ("scope", "x" * 20_000 + ", "), ("globs", "x" * 20_000 + ", "),
                       ("agents", "x" * 20_000 + ", ")):  # fmt: skip
        text = f"---\n{key}: {typed}"
        with processor_time_below(0.5, key):
            complete_rule(read_rule(text, name="a", path="a.md"), LineIndex(text), len(text), lambda: ("a.ts",))


def test_suppressions_are_tried_without_measuring_conditions_again() -> None:
    text = rule_of(*[f"x{number}{FAMILIES['counts of optional letters'](655)}" for number in range(10)])
    document = Document.of("file:///rule.md", "rule.md", 1, text)
    analysis = analyse(document, LintContext())
    slow = [finding for finding in analysis.findings if finding.code == "exponential-backtracking"]
    assert len(slow) == 10
    with processor_time_below(0.4):
        assert None not in [suppression_edit(analysis, finding) for finding in slow[:4]]
    assert analyse(document, LintContext()).findings == analysis.findings


def test_explanations_of_conditions_need_no_analysis_of_backtracking(monkeypatch: pytest.MonkeyPatch) -> None:
    judgement: list[object] = []
    monkeypatch.setattr(backtracking, "judge_backtracking", lambda pattern, work: judgement.append(pattern))
    text = rule_of("x(?:a|aa)*y\\bz[!?]")
    known = condition_findings(read_rule(text, name="a", path="a.md"))
    assert known.none_can_match
    assert not judgement


def test_long_excerpts_are_shown_in_bounded_time() -> None:
    event = replace(triggered("a+b", None), excerpt=Excerpt("a b " * 500_000, 1_000_000, 1_000_001))
    with processor_time_below(0.1):
        shown = notification_of_trigger(LiveTrigger(event, RULE, None, None, "", 1))
    assert shown.startswith("TTSR: rule 'rule' fired on a call of write: “… b a b")
    assert len(shown) < 250
