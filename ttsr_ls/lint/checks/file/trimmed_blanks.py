"""Finds quoted conditions that begin or end with blanks, which are trimmed before the pattern is compiled (spec N1)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import ScalarStyle, scalar_at, style_of
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.fields import is_file_glob
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue
from ttsr_ls.syntax.whitespace import WHITESPACE
from ttsr_ls.text import Span

_CODE = "trimmed-blank"
# Problems with these codes say that the author wrote no blank.
_EXPLAINING = frozenset(("mutating-escape", "tab-replaced"))
_ESCAPES = {"\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}


def check_trimmed_blanks(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports blanks at the ends of quoted conditions. Plain scalars have none; blocks end with a line end anyway."""
    if context.dialect is DialectId.OMP_LEGACY:
        # That program does not trim conditions.
        return
    explanations = [problem.span for problem in file.problems if problem.code in _EXPLAINING]
    shorthand = {glob.span for glob in file.fields.shorthand_globs}
    found_count = 0
    for text in file.fields.conditions:
        scalar = scalar_at(file, text.span)
        if scalar is None or style_of(file, scalar) not in (ScalarStyle.SINGLE, ScalarStyle.DOUBLE):
            continue
        if len(scalar.text.value) == len(text.value) or text.span in shorthand:
            continue
        if any(scalar.span.start <= span.start < scalar.span.end for span in explanations):
            continue
        for finding in _findings(file, scalar, text):
            yield finding
            found_count += 1
            if found_count == context.limits.findings_of_a_kind:
                return


def _findings(file: RuleFile, scalar: ScalarValue, text: MappedText) -> Iterator[Finding]:
    raw, trimmed = scalar.text.value, text.value
    start = len(raw) - len(raw.lstrip(WHITESPACE))
    end = start + len(trimmed)
    if start:
        # A flag group after the written blank would no longer be at the start of the pattern.
        has_fix = not trimmed.startswith("(?") or trimmed.startswith(("(?:", "(?=", "(?!", "(?<"))
        yield _finding(file, scalar, Span(0, start), has_fix=has_fix, is_leading=True)
    if end < len(raw):
        backslashes = len(trimmed) - len(trimmed.rstrip("\\"))
        # An odd backslash before the blank escapes it, and would escape the bracket.
        yield _finding(file, scalar, Span(end - backslashes % 2, len(raw)), has_fix=True, is_leading=False)


def _finding(file: RuleFile, scalar: ScalarValue, part: Span, *, has_fix: bool, is_leading: bool) -> Finding:
    raw = scalar.text.value
    span = scalar.text.source_span(part.start, part.end)
    kept_text = raw[part.end :].rstrip(WHITESPACE) if is_leading else raw[: part.start].lstrip(WHITESPACE)
    blanks = raw[part.start : part.end].removeprefix("" if is_leading else "\\")
    replacement = "".join(map(_to_pattern, blanks))
    if is_file_glob(replacement + kept_text if is_leading else kept_text + replacement):
        replacement = replacement.replace("[ ]", "\\x20")
    place = "start" if is_leading else "end"
    message = (
        f"Blanks at the {place} of a condition are removed before the pattern is compiled, even inside quotes, so the "
        f"condition also matches text without them. Write {code(replacement, 20)} to match them."
    )
    source = file.text[span.start : span.end]
    is_double = style_of(file, scalar) is ScalarStyle.DOUBLE
    part_text = raw[part.start : part.end]
    # Only blanks that the file has unescaped can be replaced one by one.
    if not has_fix or source != (part_text.replace("\\", "\\\\") if is_double else part_text):
        return report(_CODE, message, span)
    edit = Edit(span, replacement.replace("\\", "\\\\") if is_double else replacement)
    return report(_CODE, message, span, *build_fixes(_CODE, edit))


def _to_pattern(blank: str) -> str:
    if blank == " ":
        return "[ ]"
    return _ESCAPES.get(blank, f"\\u{ord(blank):04x}")
