"""Where the frontmatter of a rule file begins and ends (spec F4)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.whitespace import trimmed

DELIMITER = "---"


class Parts(Struct, frozen=True):
    """A file cut at its delimiters; `metadata` is None where the reference sees no frontmatter."""

    metadata: MappedText | None
    block: MappedText
    """The frontmatter with its delimiters; empty where there is none."""
    body: MappedText


def split(text: MappedText) -> Parts:
    """Cut a normalised text into frontmatter and body, as the reference does it, leaks included."""
    value = text.value
    close = value.find("\n" + DELIMITER, len(DELIMITER)) if value.startswith(DELIMITER) else -1
    if close < 0:
        return Parts(None, text.slice(0, 0), text)
    end = close + 1 + len(DELIMITER)
    # One character after the opening delimiter is dropped unseen; it need not be the line end.
    metadata = text.slice(min(len(DELIMITER) + 1, close), close)
    return Parts(metadata, text.slice(0, end), trimmed(text.slice(end, len(value))))
