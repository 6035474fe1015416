"""Comments in code that silence rules there for `scan`, in any language.

    x = y as any;  // ttsr-ls: ignore[no-any] the library has no types      this line
    # ttsr-ls: ignore[no-eval, no-exec]                                     alone on its line: the next one
    /* ttsr-ls: ignore-file[no-any] */                                      the whole file

The mark of the comment has to stand directly before `ttsr-ls:`. The engine that watches an agent does not read these
comments: an agent could write them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from ttsr_ls.text import Encoding, LineIndex

_MARK = "ttsr-ls:"
_DIRECTIVE = re.compile(r"ttsr-ls:[ \t]*(?P<verb>ignore(?:-file)?)[ \t]*\[(?P<names>[^\]\r\n]*)\]")
_NAME = re.compile(r"[^\s,]+")
_OPENINGS = ("#", "//", "//!", "*", "--", ";", "%", "<!--", "{-")
_OPENING_CHARACTERS = "#/!*-;%<{("
MOST_COMMENTS = 1_000
"""How many comments of a file are read; those after it do nothing."""


class CodeSuppressions(Struct, frozen=True):
    """The names of rules that comments silence: in the whole file, and on lines, which count from 0."""

    everywhere: frozenset[str]
    lines: Mapping[int, frozenset[str]]

    def covers(self, rule: str, line: int) -> bool:
        """Whether a match of a rule that begins on a line is silenced."""
        return rule in self.everywhere or rule in self.lines.get(line, ())


def code_suppressions(text: str, index: LineIndex) -> CodeSuppressions | None:
    """The comments of a file, None where it has none; `index` is that of `text`."""
    if _MARK not in text:
        return None
    everywhere: set[str] = set()
    lines: dict[int, frozenset[str]] = {}
    alone: list[tuple[int, frozenset[str]]] = []
    found = text.find(_MARK)
    for _ in range(MOST_COMMENTS):
        if found < 0:
            break
        number = line_of(index, found)
        span = index.line_span(number)
        directive = _DIRECTIVE.match(text, found, span.end)
        before = text[span.start : found].rstrip(" \t")
        if directive is not None and before.endswith(_OPENINGS):
            names = frozenset(_NAME.findall(directive["names"]))
            if directive["verb"] == "ignore-file":
                everywhere |= names
            elif before.rstrip(_OPENING_CHARACTERS).strip():
                lines[number] = names
            else:
                alone.append((number, names))
        # One comment a line: a line can be a megabyte of them.
        found = text.find(_MARK, span.end)
    _cover_next(alone, text, index, lines)
    return CodeSuppressions(frozenset(everywhere), lines)


def _cover_next(
    alone: list[tuple[int, frozenset[str]]], text: str, index: LineIndex, lines: dict[int, frozenset[str]]
) -> None:
    """Adds to `lines` what comments that stand alone say of the next line that is neither blank nor such a comment."""
    covered_by: dict[int, int] = {}
    # From the end, so that each comment above another covers what that one covers.
    for number, names in reversed(alone):
        following = number + 1
        while following < index.line_count and following not in covered_by:
            span = index.line_span(following)
            if text[span.start : span.end].strip():
                break
            following += 1
        covered = covered_by.get(following, following)
        covered_by[number] = covered
        lines[covered] = lines.get(covered, frozenset()) | names


def line_of(index: LineIndex, offset: int) -> int:
    """The line, counted from 0, of an offset."""
    return index.position(offset, Encoding.UTF32).line
