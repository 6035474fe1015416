"""The valid conditions of a rule file, each with its span, for the checks of conditions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from ttsr_ls.escaping import well_formed
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.tree.units import code_point_span
from ttsr_ls.lint.finding import Edit, Finding, Safety
from ttsr_ls.lint.limits import LINT_LIMITS, LintLimits
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import ScalarStyle, replaced_part, scalar_at, style_of
from ttsr_ls.rules.condition import Condition, compile_condition
from ttsr_ls.syntax.frontmatter.quoting import single_quoted_if_printable
from ttsr_ls.syntax.mapped_text import MappedText, TranslatedText
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

# Characters that could end a plain scalar or change its type.
_NOT_PLAIN = set(":#,[]{}")


class ConditionWithSpan(Struct, frozen=True):
    """A condition and its text in the file. `is_shorthand` is true if that text is a file glob (spec C1)."""

    text: MappedText
    condition: Condition
    is_shorthand: bool

    def source_span(self, units: Span) -> Span:
        """Returns the span in the file for a span in the pattern's tree."""
        return self.text.source_span_of_units(units, self.condition.pattern_offset)

    def written(self, units: Span) -> str:
        """Returns the part of the pattern for a span in its tree, as its author wrote it."""
        if not isinstance(self.text, TranslatedText):
            return self.condition.pattern.source[units.start : units.end]
        part = code_point_span(self.text.value, units, self.condition.pattern_offset)
        return self.text.original_part(part.start, part.end)

    def edit(self, file: RuleFile, units: Span, replacement: str) -> Edit | None:
        """Returns an edit that replaces a span in the pattern's tree by `replacement`; None if the quotes in the file
        do not allow that. A whole plain scalar gets single quotes where the replacement needs them.
        """
        # Parts of a pattern are UTF-16 units, and a file has no halves of characters.
        replacement = well_formed(replacement)
        part = code_point_span(self.text.value, units, self.condition.pattern_offset)
        span = self.text.source_span(part.start, part.end)
        scalar = scalar_at(file, span)
        if scalar is None:
            return None
        if style_of(file, scalar) is ScalarStyle.PLAIN and (
            span.start == scalar.span.start or not replacement.isprintable() or _NOT_PLAIN & set(replacement)
        ):
            quoted = single_quoted_if_printable(replacement) if span == scalar.span and replacement else None
            return None if quoted is None else Edit(span, quoted)
        return replaced_part(file, span, self.text.value[part.start : part.end], replacement)

    def report(
        self,
        file: RuleFile,
        code: str,
        message: str,
        units: Span,
        replacement: str | None = None,
        *,
        title: str | None = None,
        safety: Safety | None = None,
    ) -> Finding:
        """Returns a finding at a span in the pattern's tree. Its fix writes `replacement` there, if possible."""
        edit = None if replacement is None else self.edit(file, units, replacement)
        fixes = build_fixes(code, edit, title=title, safety=safety)
        return report(code, message, self.source_span(units), *fixes)

    def branch_removal(self, file: RuleFile, branch: Span, *, is_first: bool) -> Edit | None:
        """Returns an edit that removes an alternative with the bar before it, or after it if it is the first one; None
        if the quotes in the file do not allow that.
        """
        bar = Span(branch.start, branch.end + 1) if is_first else Span(branch.start - 1, branch.end)
        return self.edit(file, bar, "")


def conditions_with_spans(file: RuleFile, limits: LintLimits = LINT_LIMITS) -> Iterator[ConditionWithSpan]:
    """Yields the valid conditions within the limits, in order. Registration reports the invalid ones."""
    shorthand = {glob.span for glob in file.fields.shorthand_globs}
    for text in _examined_conditions(file, limits)[True]:
        compile_ = _compile_cached if len(text.value) <= limits.analysed_units else _compile
        condition = compile_(text.value)
        if condition is not None:
            yield ConditionWithSpan(text, condition, text.span in shorthand)


def unexamined_conditions(file: RuleFile, limits: LintLimits = LINT_LIMITS) -> tuple[MappedText, ...]:
    """Returns the conditions that are not checked, because the file exceeds the limits."""
    return _examined_conditions(file, limits)[False]


def _examined_conditions(file: RuleFile, limits: LintLimits) -> dict[bool, tuple[MappedText, ...]]:
    """Returns the conditions of a file in order, under True those within the limits, under False the others."""
    by_fit: dict[bool, list[MappedText]] = {True: [], False: []}
    remaining = limits.units
    for text in file.fields.conditions:
        fits = len(text.value) <= remaining and len(by_fit[True]) < limits.conditions
        remaining -= len(text.value) if fits else 0
        by_fit[fits].append(text)
    return {fits: tuple(texts) for fits, texts in by_fit.items()}


def conditions_to_analyse(file: RuleFile, limits: LintLimits = LINT_LIMITS) -> Iterator[ConditionWithSpan]:
    """Yields the conditions for analyses on automata: the first ones that are neither globs nor too long."""
    conditions = (condition for condition in conditions_with_spans(file, limits) if not condition.is_shorthand)
    return (
        condition
        for condition in islice(conditions, limits.analysed_conditions)
        if len(condition.condition.source) <= limits.analysed_units
    )


def _compile(text: str) -> Condition | None:
    try:
        return compile_condition(text)
    except RegexSyntaxError:
        return None


_compile_cached = lru_cache(maxsize=64)(_compile)
