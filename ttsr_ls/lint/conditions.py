"""The conditions of a rule file that compile, each with its place: what the checks of conditions work on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttsr_ls.engine.condition import Condition, compile_condition
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.units import code_point_offset
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span


@dataclass(frozen=True, slots=True)
class PlacedCondition:
    """A condition and the text that it was read from; `is_shorthand` where that text is a file glob (C1)."""

    text: MappedText
    condition: Condition
    is_shorthand: bool

    def source_span(self, units: Span) -> Span:
        """The span in the file of a span in the pattern's tree."""
        offset = self.condition.pattern_offset
        start = code_point_offset(self.text.value, units.start + offset)
        end = code_point_offset(self.text.value, units.end + offset)
        return self.text.source_span(start, end)


def placed_conditions(file: RuleFile) -> Iterator[PlacedCondition]:
    """The conditions that compile, in order; the others are reported by registration."""
    shorthand = {glob.span for glob in file.fields.shorthand_globs}
    for text in file.fields.conditions:
        try:
            condition = compile_condition(text.value)
        except RegexSyntaxError:
            continue
        yield PlacedCondition(text, condition, text.span in shorthand)
