"""Normalises line ends and removes comments (spec F2, F3); every span is kept.

Must not know about frontmatter: the reference agent does both to the whole file, including its body.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.line_ends import LINE_END_LIMITS, LineEndLimits, runs_with_line_feeds, without_lone_returns
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.text import Span


class NormalisedText(Struct, frozen=True):
    """The text that the reference agent parses, and the comments that it deleted."""

    text: MappedText
    comments: tuple[Span, ...]


def normalise(document: str, limits: LineEndLimits = LINE_END_LIMITS) -> NormalisedText:
    r"""Returns `document` with `\n` as its only line end and without its HTML comments. An unclosed comment stays as it
    is.
    """
    document = without_lone_returns(document)
    comments = _comments(document)
    parts: list[tuple[str, Span]] = []
    copied_until = 0
    for comment in comments:
        parts += runs_with_line_feeds(document, copied_until, comment.start, limits)
        copied_until = comment.end
    parts += runs_with_line_feeds(document, copied_until, len(document), limits)
    return NormalisedText(MappedText.joined(parts, Span(0, len(document))), comments)


def _comments(document: str) -> tuple[Span, ...]:
    comments = []
    start = document.find("<!--")
    while start >= 0:
        # No later comment is closed either: searching for the end of each would take quadratic time.
        close = document.find("-->", start + 4)
        if close < 0:
            break
        comments.append(Span(start, close + 3))
        start = document.find("<!--", close + 3)
    return tuple(comments)
