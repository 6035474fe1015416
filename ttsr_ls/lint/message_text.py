"""Renders parts of patterns and texts for messages: on one line, short, in backticks."""

from __future__ import annotations

from ttsr_ls.text import truncate

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "`": "'"}


def code(units: str, max_length: int) -> str:
    """Returns units in backticks, with invisible characters as escapes; a long text is shortened."""
    text = truncate(units, max_length).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return f"`{''.join(map(_visible, text))}`"


def _visible(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    return char if char.isprintable() else f"\\u{ord(char):04x}"
