"""The context of the cursor in a frontmatter, determined by its lines alone: while a user types, the frontmatter is
rarely valid YAML.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.text import LineIndex

_DELIMITER = "---"
_KEY_LINE = re.compile(r"([\w-]+)[ \t]*:(?:[ \t]+(.*))?\Z")
_ITEM_LINE = re.compile(r"[ \t]*(?:-[ \t]+(.*)|-)\Z")
_INDENTED = re.compile(r"[ \t]+(.*)\Z")
_ANY_KEY = re.compile(r"([\w-]+)[ \t]*:(?=[ \t]|\Z)")
_KEY_PART = re.compile(r"[\w-]*\Z")
_MAX_LINES = 400
"""Lines of a frontmatter beyond these have no completions: most have a few dozen lines."""


class KeyContext(Struct, frozen=True):
    """The cursor is where a key may be, after its beginning `typed`. `other_keys` are the keys on other lines."""

    typed: str
    other_keys: frozenset[str]


class ValueContext(Struct, frozen=True):
    """The cursor is in the value of `key`, after the beginning `typed` of the value or of a list item."""

    key: str
    typed: str


def cursor_context(index: LineIndex, offset: int) -> KeyContext | ValueContext | None:
    """Returns the context at `offset`; None outside of a frontmatter, which need not be closed yet."""
    line_number = index.position(offset).line
    if line_number == 0 or line_number > _MAX_LINES or not index.line_text(0).startswith(_DELIMITER):
        return None
    if any(index.line_text(number).startswith(_DELIMITER) for number in range(1, line_number)):
        return None
    before = index.text[index.line_span(line_number).start : offset]
    if before.startswith(_DELIMITER):
        return None
    if match := _KEY_LINE.fullmatch(before):
        return ValueContext(match[1], match[2] or "") if match[2] is not None or before.endswith((" ", "\t")) else None
    if _KEY_PART.fullmatch(before):
        return KeyContext(before, _keys_on_other_lines(index, line_number))
    inner = _ITEM_LINE.fullmatch(before) or _INDENTED.fullmatch(before)
    key = _key_above(index, line_number)
    return ValueContext(key, inner[1] or "") if inner is not None and key is not None else None


def _key_above(index: LineIndex, line: int) -> str | None:
    for number in range(line - 1, 0, -1):
        if match := _ANY_KEY.match(index.line_text(number)):
            return match[1]
    return None


def _keys_on_other_lines(index: LineIndex, line: int) -> frozenset[str]:
    """The keys of the frontmatter, without the one on `line`."""
    found: set[str] = set()
    for number in range(1, min(index.line_count, _MAX_LINES)):
        text = index.line_text(number)
        if text.startswith(_DELIMITER):
            break
        if number != line and (key := _ANY_KEY.match(text)):
            found.add(key[1])
    return frozenset(found)
