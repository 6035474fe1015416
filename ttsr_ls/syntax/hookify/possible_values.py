"""Decides whether a condition can hold on an input of a hook, by the content of its field there."""

from __future__ import annotations

from ttsr_ls.syntax.hookify.inputs import FieldValue, HookInput
from ttsr_ls.syntax.hookify.keys import HOOKIFY_OPERATORS
from ttsr_ls.syntax.hookify.python_pattern import matches_empty_text
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition


def can_condition_hold(condition: HookifyCondition, hook_input: HookInput) -> bool:
    """Returns whether a condition can hold on an input. Every pattern is assumed to match some non-empty text."""
    value = hook_input.value_of(condition.field)
    if condition.operator not in HOOKIFY_OPERATORS or value is FieldValue.MISSING:
        return False
    if value is FieldValue.TEXT:
        return True
    pattern = condition.pattern
    match condition.operator:
        case "regex_match":
            return matches_empty_text(pattern)
        case "not_contains":
            return pattern != ""
        case _:
            return pattern == ""
