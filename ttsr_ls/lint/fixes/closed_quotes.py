"""Edits that close the quote of a condition, and repair a pattern that does not compile with its quote closed."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.lint.finding import Edit
from ttsr_ls.lint.fixes.fixed_file import apply_edits
from ttsr_ls.lint.fixes.repair_scalar import repair_scalar
from ttsr_ls.rules.registration import register
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile


def pattern_with_closed_quote(file: RuleFile, edit: Edit) -> Edit | None:
    """Returns an edit that closes a quote as `edit` does, with a pattern that compiles.

    None if the pattern compiles unchanged, if no repair of it is known, or if the value is no pattern.
    """
    start, end = edit.span.start, edit.span.start + len(edit.text)
    rule_file = read_rule(apply_edits(file.text, (edit,)), name=file.name, path=file.path)
    for problem in register(rule_file, "native").problems:
        if problem.code == "regex-does-not-compile" and start <= problem.span.start < end:
            fixed_edit = repair_scalar(rule_file, problem.span)
            is_of_value = fixed_edit is not None and (fixed_edit.span.start, fixed_edit.span.end) == (start, end)
            return replace(fixed_edit, span=edit.span) if fixed_edit is not None and is_of_value else None
    return None
