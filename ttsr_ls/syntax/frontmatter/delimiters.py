"""Finds the start and the end of the frontmatter of a rule file (spec F4)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.whitespace import trim_text

DELIMITER = "---"


class FileParts(Struct, frozen=True):
    """A file split at its delimiters. `metadata` is None if the reference agent sees no frontmatter."""

    metadata: MappedText | None
    block: MappedText
    """The frontmatter with its delimiters; empty where there is none."""
    body: MappedText


def split_frontmatter(text: MappedText) -> FileParts:
    """Splits a normalised text into frontmatter and body exactly as the reference agent does, including its
    mistakes.
    """
    value = text.value
    close = value.find("\n" + DELIMITER, len(DELIMITER)) if value.startswith(DELIMITER) else -1
    if close < 0:
        return FileParts(None, text.slice(0, 0), text)
    end = close + 1 + len(DELIMITER)
    # One character after the opening delimiter is dropped, even if it is no line end.
    metadata = text.slice(min(len(DELIMITER) + 1, close), close)
    return FileParts(metadata, text.slice(0, end), trim_text(text.slice(end, len(value))))
