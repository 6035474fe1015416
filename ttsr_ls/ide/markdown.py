"""Escapes texts of rule files for Markdown, so that they are displayed unchanged and cannot break or forge it."""

from __future__ import annotations

import re

_MAX_LENGTH = 200
# The characters that Markdown or HTML interprets anywhere in a line. Those that count only at its start are omitted.
_SPECIAL = r"[\\`*_\[\]|<>&~]"
_has_special = re.compile(_SPECIAL).search
# Underscores within a word never begin emphasis, and Neovim shows the backslash before them.
_WORD_OR_SPECIAL = re.compile(rf"([^\W_]_+(?=[^\W_]))|({_SPECIAL})")


def inline_code(text: str) -> str:
    """`text` as inline code: on one line, control characters visible, at most 200 characters."""
    display = "".join(char if char.isprintable() else _visible(char) for char in text[:_MAX_LENGTH])
    if len(text) > _MAX_LENGTH:
        display += "…"
    fence = "`" * (max((len(run) for run in re.findall("`+", display)), default=0) + 1)
    # A blank beside the fence keeps a backtick at the edge apart from it, and Markdown takes it away again.
    pad = " " if not display or display[0] in "` " or display[-1] in "` " else ""
    return f"{fence}{pad}{display}{pad}{fence}"


def escape_markdown(text: str) -> str:
    """`text` as prose without any formatting."""
    return _WORD_OR_SPECIAL.sub(lambda found: found[1] or f"\\{found[2]}", " ".join(text.split()))


def has_special_characters(text: str) -> bool:
    """Returns whether a text has a character that can format text anywhere in a line."""
    return _has_special(text) is not None


def _visible(char: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return named.get(char, f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\u{{{ord(char):x}}}")
