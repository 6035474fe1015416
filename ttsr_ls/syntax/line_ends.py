"""Normalises line ends to `\\n`, and maps each run of the result to its source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.text import Span

_WINDOWS = re.compile(r"\r\n")
_LONE_RETURN = re.compile(r"\r(?!\n)")


class LineEndLimits(Struct, frozen=True):
    """The precision with which positions of line ends are recorded, in units: a hostile file has a million of them."""

    exact: int = 200_000
    """Up to this offset each line end is mapped exactly: rule files are shorter. Frontmatter that ends after it is not
    read, because edits of it need exact positions."""
    run: int = 4_096
    """The length of the runs after it, which are only mapped as a whole."""


LINE_END_LIMITS = LineEndLimits()
"""The limits that readers use."""


def line_rest(text: str, offset: int) -> Span:
    """Returns the span from an offset to the end of its line; the whole line if only blanks follow the offset."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = end if end >= 0 else len(text)
    return Span(offset if text[offset:end].strip() else start, end)


def without_lone_returns(document: str) -> str:
    r"""Returns `document` with `\n` for each `\r` that is a line end by itself. All offsets stay the same."""
    return _LONE_RETURN.sub("\n", document) if "\r" in document else document


def runs_with_line_feeds(
    document: str, start: int, end: int, limits: LineEndLimits = LINE_END_LIMITS
) -> Iterator[tuple[str, Span]]:
    r"""Yields the part of a document from `start` to `end` with `\n` for `\r\n`, as runs with their spans in the
    document.
    """
    copied_until = start
    for match in _WINDOWS.finditer(document, start, min(end, max(start, limits.exact))):
        if copied_until < match.start():
            yield document[copied_until : match.start()], Span(copied_until, match.start())
        yield "\n", Span(*match.span())
        copied_until = match.end()
    while copied_until < end:
        position = document.find("\r\n", copied_until, end)
        stop = end if position < 0 else max(position, min(copied_until + limits.run, end))
        if stop < end and document.startswith("\r\n", stop - 1):
            stop += 1
        yield document[copied_until:stop].replace("\r\n", "\n"), Span(copied_until, stop)
        copied_until = stop


def with_line_feeds(document: str, limits: LineEndLimits = LINE_END_LIMITS) -> MappedText:
    r"""Returns the whole `document` with `\n` as its only line end."""
    document = without_lone_returns(document)
    return MappedText.joined(runs_with_line_feeds(document, 0, len(document), limits), Span(0, len(document)))
