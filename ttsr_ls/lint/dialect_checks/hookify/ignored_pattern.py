"""Finds a `pattern` next to `conditions`: hookify then ignores the pattern."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.alternatives import MATCH_ALL
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.rule_file import ScalarValue

_FIELDS = {"bash": "command", "file": "content"}


def check_ignored_pattern(file: HookifyFile) -> Iterator[Finding]:
    """Reports a `pattern` that would limit a rule further than its conditions do."""
    value = file.file.value("pattern")
    if file.is_simple or not file.conditions or not isinstance(value, ScalarValue) or not value.text.value:
        return
    pattern = value.text.value
    is_repeated = any(
        condition.pattern == pattern and condition.operator == "regex_match" for condition in file.conditions
    )
    if is_repeated or pattern in MATCH_ALL:
        return
    field = _FIELDS.get(file.event or "", "transcript")
    message = (
        "hookify ignores `pattern` in a rule with `conditions`, so this rule fires wherever the conditions hold. Write "
        f"the pattern as one more condition, with `field: {field}` and `operator: regex_match`."
    )
    yield report("hookify-ignored-pattern", message, value.span)
