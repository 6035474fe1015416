"""The foldable ranges of a rule file: the frontmatter, values over several lines, and blocks of code in the body."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_MAX_LINES = 20_000


class FoldingRange(Struct, frozen=True):
    """Lines `first` to `last` can be folded into the first."""

    first: int
    last: int


def folding_ranges(file: RuleFile, index: LineIndex) -> tuple[FoldingRange, ...]:
    """The folds, in order of their first lines."""
    ranges: list[FoldingRange] = []
    if file.frontmatter is not None:
        spans = [file.frontmatter.span, *(entry.value.span for entry in file.frontmatter.entries)]
        starts = [file.frontmatter.span.start, *(entry.key_span.start for entry in file.frontmatter.entries)]
        for start, span in zip(starts, spans, strict=True):
            first, last = index.position(start).line, index.position(max(start, span.end)).line
            if index.text.endswith(("\n", "\r"), 0, span.end):
                last -= 1
            if last > first:
                ranges.append(FoldingRange(first, last))
    ranges += _blocks(index, index.position(file.body.span.start).line)
    return tuple(sorted(set(ranges), key=lambda fold: (fold.first, -fold.last)))


def _blocks(index: LineIndex, start: int) -> list[FoldingRange]:
    ranges: list[FoldingRange] = []
    opened: tuple[int, str] | None = None
    for number in range(start, min(index.line_count, start + _MAX_LINES)):
        line = index.line_span(number)
        fence = _FENCE.match(index.text, line.start, line.end)
        if fence is None:
            continue
        if opened is None:
            opened = (number, fence[1])
        elif fence[1].startswith(opened[1]):
            ranges.append(FoldingRange(opened[0], number))
            opened = None
    return ranges
