"""Names for the characters that match one code unit, in plain English.

Owns words only. The result contains no lone surrogate and no control character, so it can be displayed and encoded
anywhere.
"""

from __future__ import annotations

from ttsr_ls.esregex.tree.nodes import CharForm, Chars, ClassItem
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet

_MAX_MEMBERS = 8

_NAMES = {
    0x00: "NUL",
    0x08: "backspace",
    0x09: "tab",
    0x0A: "line feed",
    0x0B: "vertical tab",
    0x0C: "form feed",
    0x0D: "carriage return",
    0x1B: "escape",
    0x20: "space",
    0xA0: "no-break space",
    0x2028: "line separator",
    0x2029: "paragraph separator",
    0xFEFF: "byte order mark",
}

_KINDS = {
    "d": "a digit",
    "D": "any character but a digit",
    "s": "white space",
    "S": "any character but white space",
    "w": "a word character (A–Z, a–z, 0–9 or _)",
    "W": "any character but a word character (A–Z, a–z, 0–9 or _)",
}
_KINDS_AS_MEMBERS = {
    "d": "a digit",
    "D": "anything but a digit",
    "s": "white space",
    "S": "anything but white space",
    "w": "a word character",
    "W": "anything but a word character",
}


def in_quotes(text: str) -> str:
    """Returns `text` in double quotes, or in single quotes if it contains only double ones."""
    return f"'{text}'" if '"' in text and "'" not in text else f'"{text}"'


def is_printable_unit(unit: int) -> bool:
    """Returns whether a unit is displayed as itself in a line of text."""
    return unit not in _NAMES and chr(unit).isprintable()


def unit_name(unit: int) -> str:
    """Returns the usual name of a unit, the unit in quotes, or its number."""
    if unit in _NAMES:
        return _NAMES[unit]
    if is_printable_unit(unit):
        return in_quotes(chr(unit))
    if 0xD800 <= unit <= 0xDFFF:
        return f"half of a surrogate pair (U+{unit:04X})"
    return f"U+{unit:04X}"


def describe_chars(source: str, chars: Chars) -> str:
    """Returns a noun for the characters that a node of the pattern `source` matches."""
    match chars.form:
        case CharForm.DOT:
            return "any character" if chars.units == EVERY_UNIT else "any character but a line end"
        case CharForm.CLASS_ESCAPE:
            return _KINDS[source[chars.span.start + 1]]
        case CharForm.CLASS:
            return _describe_class(source, chars)
        case CharForm.LITERAL | CharForm.ESCAPE:
            cases = ", in either case" if chars.units.size > 1 else ""
            return unit_name(written_unit(source, chars)) + cases


def written_unit(source: str, chars: Chars) -> int:
    """Returns the unit that a literal or an escape was written for. With the flag `i`, the node matches other units as
    well.
    """
    if chars.form is CharForm.LITERAL:
        return ord(source[chars.span.end - 1])
    return chars.units.ranges[0][0]


def _describe_class(source: str, chars: Chars) -> str:
    if chars.units == EVERY_UNIT:
        return "any character"
    if not chars.units:
        return "nothing at all (this class is empty and never matches)"
    names = [_member(source, item) for item in chars.items[:_MAX_MEMBERS]]
    left_out = len(chars.items) - len(names)
    if left_out:
        names.append(f"{left_out} more")
    listing = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    units = UnitSet.of([bounds for item in chars.items for bounds in item.units.ranges])
    class_units = ~chars.units if chars.negated else chars.units
    cases = "" if units == class_units else ", in either case"
    if chars.negated:
        return f"any character but {listing}{cases}"
    class_item = chars.items[0]
    if len(names) > 1 or class_item.is_range:
        return f"one of {listing}{cases}"
    return listing if class_item.form is CharForm.CLASS_ESCAPE else unit_name(class_item.units.ranges[0][0]) + cases


def _member(source: str, item: ClassItem) -> str:
    if item.form is CharForm.CLASS_ESCAPE:
        return _KINDS_AS_MEMBERS[source[item.span.start + 1]]
    low, high = item.units.ranges[0]
    return f"{_bare(low)}–{_bare(high)}" if item.is_range else _bare(low)


def _bare(unit: int) -> str:
    char = chr(unit)
    return char if char.isalnum() or char == "_" else unit_name(unit)
