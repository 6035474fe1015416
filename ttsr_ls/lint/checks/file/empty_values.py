"""Finds restricting keys without a value, which have no effect (spec S3, B3)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.fixes.list_edits import remove_entry_lines
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.dialects.locations import CURSOR_RULES
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Entry, ListValue, RuleFile, ScalarValue, Value
from ttsr_ls.text import LineIndex

_CODE = "empty-value"
_EFFECTS = {
    "scope": (
        "the rule applies to text and every tool",
        "Write the streams or tools, such as `scope: text` or `scope: tool:edit(*.ts)`",
    ),
    "globs": ("the rule is for every file, and for output without a file", "Write its files, such as `globs: '*.ts'`"),
    "agents": ("the rule is for every agent", "Write its agents, such as `agents: main`"),
}
_BY_CONDITION = "the condition alone decides what the rule applies to"
# Findings with these codes explain why a value is empty.
_REASONS = frozenset(("truncated-value", "wrong-value-type"))
# Cursor's own editor writes its three keys into every file, with or without a value.
_CURSOR_SUFFIX = CURSOR_RULES.suffixes[0]


def check_empty_values(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports `scope`, `globs` and `agents` without a value. `null` is not reported."""
    # If the YAML is invalid, a value on further lines is lost, and `yaml-degraded` reports it.
    if registration.rule is None or file.frontmatter is None or file.frontmatter.recovered:
        return
    for name, (effect, advice) in _EFFECTS.items():
        entry = file.frontmatter.entry(name)
        if entry is None or not _is_empty(entry.value, file.text, separates=name != "globs"):
            continue
        if any(_concerns(problem, entry, file.text) for problem in file.problems):
            continue
        if name == "globs" and PurePath(context.location or file.path).suffix == _CURSOR_SUFFIX:
            continue
        # Without `scope`, a file glob in `condition` decides which streams are matched.
        by_condition = name == "scope" and bool(file.fields.scope)
        yield _finding(file, entry, _BY_CONDITION if by_condition else effect, advice)


def _finding(file: RuleFile, entry: Entry, effect: str, advice: str) -> Finding:
    assert file.frontmatter is not None, "an entry is in it"
    message = f"`{entry.key}` has no value, so the key is ignored: {effect}. {advice}, or remove the key."
    removal = remove_entry_lines(LineIndex(file.text), file.frontmatter, entry.key_span)
    is_list = isinstance(entry.value, ListValue) and not entry.value.items
    # The author of an empty list knows that it is empty.
    severity = Severity.INFO if is_list else None
    source = file.text[entry.value.span.start : entry.value.span.end].strip()
    span = entry.value.span if source else entry.key_span
    return report(_CODE, message, span, *build_fixes(_CODE, removal), severity=severity)


def _concerns(problem: Problem, entry: Entry, text: str) -> bool:
    """Returns whether a problem in an entry, or on the line of its key, explains why there is no value."""
    line_end = text.find("\n", entry.key_span.end)
    end = max(entry.value.span.end, line_end if line_end >= 0 else len(text))
    return problem.code in _REASONS and entry.key_span.start < problem.span.start <= end


def _is_empty(value: Value, text: str, *, separates: bool) -> bool:
    match value:
        case ScalarValue(data=None):
            return not text[value.span.start : value.span.end].strip()
        case ScalarValue(data=str() as data):
            return not data.replace(",", " " if separates else ",").strip()
        case ListValue(items=items):
            return all(_is_empty(item, text, separates=separates) for item in items)
        case _:
            return False
