"""The first steps of reading: line ends and comments (spec F2, F3), with every place kept.

Must not know about frontmatter: the reference does both to the whole file, its body included.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.text import Span

_LONE_RETURN = re.compile(r"\r(?!\n)")
_CHANGED = re.compile(r"\r\n|<!--")


class Normalised(Struct, frozen=True):
    """The text that the reference goes on with, and the comments that it deleted."""

    text: MappedText
    comments: tuple[Span, ...]


def normalise(document: str) -> Normalised:
    """`document` with `\\n` as its only line end and without its HTML comments. An open comment stays as it is."""
    parts: list[tuple[str, Span]] = []
    comments: list[Span] = []
    done = 0
    if "\r" in document:
        # A line end of the same length keeps its place, and a file can have a million of them.
        document = _LONE_RETURN.sub("\n", document)
    for start, end, replacement in _changes(document):
        if done < start:
            parts.append((document[done:start], Span(done, start)))
        if replacement:
            parts.append((replacement, Span(start, end)))
        else:
            comments.append(Span(start, end))
        done = end
    if done < len(document):
        parts.append((document[done:], Span(done, len(document))))
    return Normalised(MappedText.joined(parts, Span(0, len(document))), tuple(comments))


def _changes(document: str) -> list[tuple[int, int, str]]:
    changes = []
    offset = 0
    open_comment = False
    while found := _CHANGED.search(document, offset):
        offset = found.end()
        if found[0] != "<!--":
            changes.append((found.start(), found.end(), "\n"))
        elif not open_comment:
            close = document.find("-->", found.end())
            # Searching for a close that is not there again and again would take quadratic time.
            open_comment = close < 0
            if not open_comment:
                changes.append((found.start(), close + 3, ""))
                offset = close + 3
    return changes
