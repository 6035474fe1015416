"""Edits that fix a condition that does not compile, because it is written for another dialect (spec R1, R2)."""

from __future__ import annotations

from collections.abc import Callable

from ttsr_ls.esregex.analysis.slips.repair import (
    close_class,
    close_group,
    remove_parenthesis,
    translate_from_other_dialect,
)
from ttsr_ls.lint.finding import Edit
from ttsr_ls.lint.scalars import ScalarStyle, scalar_at, single_quoted, style_of
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span


def repair_scalar(file: RuleFile, span: Span) -> Edit | None:
    """Returns an edit that rewrites the scalar of a condition in single quotes; None if no repair is known."""
    return _rewritten(file, span, translate_from_other_dialect)


def close_group_of_scalar(file: RuleFile, span: Span) -> Edit | None:
    """Returns an edit that closes the group of a condition at its end; None if a literal parenthesis is meant."""
    return _rewritten(file, span, close_group)


def close_class_of_scalar(file: RuleFile, span: Span) -> Edit | None:
    """Returns an edit that closes the character class of a condition at its end; None if a literal bracket is meant."""
    return _rewritten(file, span, close_class)


def remove_parenthesis_of_scalar(file: RuleFile, span: Span) -> Edit | None:
    """Returns an edit that removes an unmatched closing parenthesis of a condition; None if there is no such one."""
    return _rewritten(file, span, remove_parenthesis)


def _rewritten(file: RuleFile, span: Span, rewrite: Callable[[str], str | None]) -> Edit | None:
    scalar = scalar_at(file, span)
    if scalar is None or not isinstance(scalar.data, str) or style_of(file, scalar) is ScalarStyle.BLOCK:
        return None
    fixed = rewrite(scalar.data.strip())
    quoted = None if fixed is None else single_quoted(fixed)
    return None if quoted is None else Edit(scalar.span, quoted)
