"""Conditions that were too slow in a run, as something to show on their rule."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.ide.triggers.trigger_board import SlowRuleCondition
from ttsr_ls.ide.triggers.trigger_marks import TriggerMark, condition_span
from ttsr_ls.lint.finding import Severity
from ttsr_ls.syntax.rule_file import RuleFile

TOO_SLOW = "too-slow-condition"
"""Not a code of the linter: it is told of a run, where it happened, and `ttsr-ls check` cannot find it."""


def slow_condition_marks(file: RuleFile, path: str, slow: Iterable[SlowRuleCondition]) -> tuple[TriggerMark, ...]:
    """One mark for each condition of the rule in `file` that was too slow, however many agents found that."""
    spans = {
        condition_span(file, slow_condition.event.condition): slow_condition
        for slow_condition in slow
        if slow_condition.rule_path == path
    }
    return tuple(TriggerMark(TOO_SLOW, span, Severity.WARNING, _text(slow), ()) for span, slow in spans.items())


def _text(slow: SlowRuleCondition) -> str:
    return (
        f"This condition of rule '{slow.event.rule}' took too long on what the agent wrote in this run, and is not "
        "evaluated any more: the rule does not fire by it. Let its parts have nothing in common that both may match, "
        "and bound its repeats."
    )
