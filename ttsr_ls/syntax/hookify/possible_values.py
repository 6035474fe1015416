"""Whether a condition can hold on an input of a hook, by what its field holds there."""

from __future__ import annotations

from ttsr_ls.syntax.hookify.inputs import FieldValue, HookInput
from ttsr_ls.syntax.hookify.keys import HOOKIFY_OPERATORS
from ttsr_ls.syntax.hookify.python_pattern import find_in_empty
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition


def can_hold(condition: HookifyCondition, each: HookInput) -> bool:
    """Whether a condition can hold on an input. Any pattern is taken to match some text of a field that has one."""
    value = each.value_of(condition.field)
    if condition.operator not in HOOKIFY_OPERATORS or value is FieldValue.MISSING:
        return False
    if value is FieldValue.TEXT:
        return True
    pattern = condition.pattern
    match condition.operator:
        case "regex_match":
            return find_in_empty(pattern)
        case "not_contains":
            return pattern != ""
        case _:
            return pattern == ""
