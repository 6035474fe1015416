"""Finds inline code on a line of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttsr_ls.text import Span

_BACKTICKS = re.compile(r"`+")


def code_spans(line: str) -> Sequence[Span]:
    """Returns the inline code of a line with its backticks, in order. Takes time linear in the length of the line.

    Inline code ends at the next run of equally many backticks. Code that continues on the next line is not found.
    """
    runs = [Span(*match.span()) for match in _BACKTICKS.finditer(line)]
    next_equal: dict[int, int] = {}
    closing: list[int | None] = [None] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        length = len(runs[number])
        closing[number] = next_equal.get(length)
        next_equal[length] = number
    spans, number = [], 0
    while number < len(runs):
        end = closing[number]
        if end is None:
            number += 1
            continue
        spans.append(Span(runs[number].start, runs[end].end))
        number = end + 1
    return spans
