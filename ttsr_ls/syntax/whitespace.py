"""The white space of ECMAScript, which the reference agent trims (spec F4, N1)."""

from __future__ import annotations

from ttsr_ls.syntax.mapped_text import MappedText

# Python's `str.strip` also takes U+001C to U+001F and U+0085, and leaves U+FEFF.
WHITESPACE = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def trim_text(text: MappedText) -> MappedText:
    """Returns `text` without the white space at its ends; the same object if there is none."""
    value = text.value
    start = len(value) - len(value.lstrip(WHITESPACE))
    end = max(start, len(value.rstrip(WHITESPACE)))
    if start == 0 and end == len(value):
        return text
    return text.slice(start, end)
