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
    """Up to this offset each line end keeps its place: rule files are shorter. Frontmatter that goes on after it is not
    read, as an edit must not be longer than the text that it is for."""
    run: int = 4_096
    """How long the runs are after it, which only have a place as a whole."""


LINE_END_LIMITS = LineEndLimits()
"""The bounds in use."""


def without_lone_returns(document: str) -> str:
    r"""Returns `document` with `\n` for each `\r` that is a line end by itself. All offsets stay the same."""
    return _LONE_RETURN.sub("\n", document) if "\r" in document else document


def runs_with_line_feeds(
    document: str, start: int, end: int, limits: LineEndLimits = LINE_END_LIMITS
) -> Iterator[tuple[str, Span]]:
    r"""Yields the part of a document from `start` to `end` with `\n` for `\r\n`, as runs with their spans in the
    document.
    """
    done_count = start
    for match in _WINDOWS.finditer(document, start, min(end, max(start, limits.exact))):
        if done_count < match.start():
            yield document[done_count : match.start()], Span(done_count, match.start())
        yield "\n", Span(*match.span())
        done_count = match.end()
    while done_count < end:
        position = document.find("\r\n", done_count, end)
        stop = end if position < 0 else max(position, min(done_count + limits.run, end))
        if stop < end and document.startswith("\r\n", stop - 1):
            stop += 1
        yield document[done_count:stop].replace("\r\n", "\n"), Span(done_count, stop)
        done_count = stop


def with_line_feeds(document: str, limits: LineEndLimits = LINE_END_LIMITS) -> MappedText:
    r"""Returns the whole `document` with `\n` as its only line end."""
    document = without_lone_returns(document)
    return MappedText.joined(runs_with_line_feeds(document, 0, len(document), limits), Span(0, len(document)))
