"""Edits that fix a condition that does not compile, because it is written for another dialect (spec R1, R2)."""

from __future__ import annotations

from collections.abc import Callable

from ttsr_ls.esregex.analysis.slips.repair import translate_from_other_dialect
from ttsr_ls.lint.finding import Edit
from ttsr_ls.lint.scalars import ScalarStyle, scalar_at, style_of
from ttsr_ls.syntax.frontmatter.quoting import single_quoted_if_printable
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span


def repair_scalar(
    file: RuleFile, span: Span, repair: Callable[[str], str | None] = translate_from_other_dialect
) -> Edit | None:
    """Returns an edit that writes the repaired scalar of a condition in single quotes; None if `repair` knows none."""
    scalar = scalar_at(file, span)
    if scalar is None or not isinstance(scalar.data, str) or style_of(file, scalar) is ScalarStyle.BLOCK:
        return None
    fixed = repair(scalar.data.strip())
    quoted = None if fixed is None else single_quoted_if_printable(fixed)
    return None if quoted is None else Edit(scalar.span, quoted)
