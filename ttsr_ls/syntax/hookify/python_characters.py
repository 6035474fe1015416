"""Translates characters and classes of Python's `re` to ECMAScript without the flag `u`, which sees UTF-16 units."""

from __future__ import annotations

import re
import unicodedata

_LAST_UNIT = 0xFFFF
_CHARACTER = r"\\U[0-9A-Fa-f]{8}|\\N\{[^}]*\}"
NON_BMP_CHARACTER = re.compile(rf"{_CHARACTER}|[\U00010000-\U0010FFFF]")
"""A character written in a form that ECMAScript does not have, or one of two units."""
_MEMBER = re.compile(rf"{_CHARACTER}|\\x[0-9A-Fa-f]{{2}}|\\u[0-9A-Fa-f]{{4}}|\\[0-7]{{1,3}}|\\.|.", re.DOTALL)
_CONTROLS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


def in_units(source: str) -> str:
    """Translates a character outside of a class. A character of two units becomes a group, which can be repeated.
    Raises `ValueError`.
    """
    point = _code_point(source)
    assert point is not None
    return _unit(point) if point <= _LAST_UNIT else f"(?:{_pair(point)})"


def class_in_units(members: str, *, is_negated: bool) -> str:
    """Translates a class, given the text in its brackets. Raises `ValueError` for an unknown name of a character."""
    narrow: list[str] = []
    wide: list[str] = []
    parts = [member[0] for member in _MEMBER.finditer(members)]
    position = 0
    while position < len(parts):
        is_range = position + 2 < len(parts) and parts[position + 1] == "-"
        first, last = _code_point(parts[position]), _code_point(parts[position + 2 if is_range else position])
        if first is None or last is None:
            narrow.append(parts[position])
            position += 1
            continue
        ends = parts[position : position + 3] if is_range else [parts[position]]
        if not any(NON_BMP_CHARACTER.fullmatch(end) for end in ends):
            narrow.append("".join(ends))  # As it was written.
        elif first <= _LAST_UNIT:
            narrow.append(_units(first, min(last, _LAST_UNIT)))
        if last > _LAST_UNIT:
            wide += _pairs(max(first, _LAST_UNIT + 1), last)
        position += len(ends)
    inner = "".join(narrow)
    if not wide:
        return f"[{'^' if is_negated else ''}{inner}]"
    pairs = "|".join(wide)
    if is_negated:
        return f"(?:(?!{pairs})[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]|[^{inner}\\uD800-\\uDFFF])"
    return f"(?:[{inner}]|{pairs})" if inner else f"(?:{pairs})"


def _code_point(source: str) -> int | None:
    """The character that a part of a pattern is; None for a class such as `\\d`."""
    if not source.startswith("\\"):
        return ord(source)
    letter, rest = source[1], source[2:]
    if letter == "N":
        try:
            return ord(unicodedata.lookup(rest[1:-1]))
        except (KeyError, TypeError) as error:
            raise ValueError(f"Python knows no character with the name `{rest[1:-1]}`.") from error
    if letter in "xuU" and rest:
        return int(rest, 16)
    if letter in "01234567":
        return int(source[1:], 8)
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    return None if letter.isalnum() else ord(letter)


def _unit(point: int) -> str:
    return f"\\u{point:04X}"


def _units(first: int, last: int) -> str:
    """The members of a class from `first` to `last`, without the halves of characters of two units."""
    parts = ((first, min(last, 0xD7FF)), (max(first, 0xE000), last))
    ranges = [_unit(low) if low == high else f"{_unit(low)}-{_unit(high)}" for low, high in parts if low <= high]
    return "".join(ranges)


def _halves(point: int) -> tuple[int, int]:
    offset = point - 0x10000
    return 0xD800 + (offset >> 10), 0xDC00 + (offset & 0x3FF)


def _pair(point: int) -> str:
    high, low = _halves(point)
    return _unit(high) + _unit(low)


def _pairs(first: int, last: int) -> list[str]:
    """Alternatives that together match the characters of two units from `first` to `last`."""
    (high, low), (last_high, last_low) = _halves(first), _halves(last)
    if first == last:
        return [_pair(first)]
    if high == last_high:
        return [f"{_unit(high)}[{_unit(low)}-{_unit(last_low)}]"]
    whole_from, whole_to = high + (low > 0xDC00), last_high - (last_low < 0xDFFF)
    parts = [] if low == 0xDC00 else [f"{_unit(high)}[{_unit(low)}-{_unit(0xDFFF)}]"]
    if whole_from <= whole_to:
        parts.append(f"[{_unit(whole_from)}-{_unit(whole_to)}][{_unit(0xDC00)}-{_unit(0xDFFF)}]")
    if last_low < 0xDFFF:
        parts.append(f"{_unit(last_high)}[{_unit(0xDC00)}-{_unit(last_low)}]")
    return parts
