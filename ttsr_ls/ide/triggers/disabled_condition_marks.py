"""Marks on rules for conditions that were disabled in a run, because they were too slow."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.ide.triggers.trigger_board import DisabledRuleCondition
from ttsr_ls.ide.triggers.trigger_marks import TriggerMark, condition_span
from ttsr_ls.lint.finding import Severity
from ttsr_ls.syntax.rule_file import RuleFile

TOO_SLOW = "too-slow-condition"
"""Not a code of the linter: it reports an event of a run, which `ttsr-ls check` cannot find."""


def disabled_condition_marks(
    file: RuleFile, path: str, disabled: Iterable[DisabledRuleCondition]
) -> tuple[TriggerMark, ...]:
    """One mark for each condition of the rule in `file` that was disabled in one or more runs."""
    spans = {
        condition_span(file, condition.event.condition): condition.event.rule
        for condition in disabled
        if condition.rule_path == path
    }
    return tuple(TriggerMark(TOO_SLOW, span, Severity.WARNING, _text(rule), ()) for span, rule in spans.items())


def _text(rule: str) -> str:
    return (
        f"This condition of rule '{rule}' took too long on the agent's output in this run and was disabled: "
        "the rule does not fire by it any more. Write adjacent parts that match different texts, and bound its repeats."
    )
