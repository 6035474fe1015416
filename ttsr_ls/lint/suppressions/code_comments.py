"""Comments in code that silence rules there for `scan`, in any language.

    x = y as any;  // ttsr-ls: ignore[no-any] the library has no types      this line
    # ttsr-ls: ignore[no-eval, no-exec]                                     alone on its line: the next one
    /* ttsr-ls: ignore-file[no-any] */                                      the whole file

The mark of the comment must directly precede `ttsr-ls:`. The engine that matches an agent's output does not read these
comments, because an agent could write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from ttsr_ls.text import Encoding, LineIndex, Span

_MARK = "ttsr-ls:"
_DIRECTIVE = re.compile(r"ttsr-ls:[ \t]*(?P<verb>ignore(?:-file)?)[ \t]*\[(?P<names>[^\]\r\n]*)\]")
_NAME = re.compile(r"[^\s,]+")
_OPENINGS = ("#", "//", "//!", "*", "--", ";", "%", "<!--", "{-")
_OPENING_CHARACTERS = "#/!*-;%<{("
MAX_COMMENTS = 1_000
"""How many comments of a file are read; later ones have no effect."""


class CodeSuppressions(Struct, frozen=True):
    """The names of rules that comments suppress: in the whole file, and on lines, which are counted from 0."""

    everywhere: frozenset[str]
    lines: Mapping[int, frozenset[str]]

    def suppresses(self, rule: str, line: int) -> bool:
        """Returns whether a match of a rule that begins on a line is suppressed."""
        return rule in self.everywhere or rule in self.lines.get(line, ())


def code_suppressions(text: str, index: LineIndex) -> CodeSuppressions | None:
    """Returns the suppressions of a file, None if it has none. `index` is that of `text`."""
    if _MARK not in text:
        return None
    everywhere: set[str] = set()
    lines: dict[int, frozenset[str]] = {}
    alone: list[tuple[int, frozenset[str]]] = []
    for directive in _directives(text, index):
        names = frozenset(text[span.start : span.end] for span in directive.names)
        if directive.is_of_file:
            everywhere |= names
        elif directive.shares_its_line:
            lines[directive.line] = names
        else:
            alone.append((directive.line, names))
    _cover_next(alone, index, lines)
    return CodeSuppressions(frozenset(everywhere), lines)


def rules_named_in_comments(text: str) -> tuple[tuple[str, Span], ...]:
    """Returns the names of rules in the comments of a file, each with its span."""
    if _MARK not in text:
        return ()
    spans = (span for directive in _directives(text, LineIndex(text)) for span in directive.names)
    return tuple((text[span.start : span.end], span) for span in spans)


class _Directive(Struct, frozen=True):
    line: int
    names: tuple[Span, ...]
    is_of_file: bool
    shares_its_line: bool


def _directives(text: str, index: LineIndex) -> Iterator[_Directive]:
    position = text.find(_MARK)
    for _ in range(MAX_COMMENTS):
        if position < 0:
            return
        number = line_of(index, position)
        span = index.line_span(number)
        directive = _DIRECTIVE.match(text, position, span.end)
        before = text[span.start : position].rstrip(" \t")
        if directive is not None and before.endswith(_OPENINGS):
            yield _Directive(
                number,
                tuple(Span(*name.span()) for name in _NAME.finditer(text, *directive.span("names"))),
                directive["verb"] == "ignore-file",
                bool(before.rstrip(_OPENING_CHARACTERS).strip()),
            )
        # Only one comment per line is read, because a line can have a megabyte of them.
        position = text.find(_MARK, span.end)


def _cover_next(alone: list[tuple[int, frozenset[str]]], index: LineIndex, lines: dict[int, frozenset[str]]) -> None:
    """Applies each comment that stands alone to the next line that is neither blank nor such a comment."""
    covered_by: dict[int, int] = {}
    # From the end, so that a comment above another one covers the same line.
    for number, names in reversed(alone):
        following = number + 1
        while following < index.line_count and following not in covered_by:
            if index.line_text(following).strip():
                break
            following += 1
        covered = covered_by.get(following, following)
        covered_by[number] = covered
        lines[covered] = lines.get(covered, frozenset()) | names


def line_of(index: LineIndex, offset: int) -> int:
    """Returns the number of the line of an offset, from 0."""
    return index.position(offset, Encoding.UTF32).line
