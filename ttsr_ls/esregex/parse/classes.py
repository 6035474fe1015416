"""Character classes: parses `[…]` to one node, with its members as written."""

from __future__ import annotations

import re
from functools import lru_cache

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.escapes import CLASS_ESCAPES, read_character_escape
from ttsr_ls.esregex.tree.canonicalize import close_over_case
from ttsr_ls.esregex.tree.nodes import CharForm, Chars, ClassItem
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.text import Span

_BACKSPACE = 0x08
_MAX_CACHED_MEMBERS = 32
"""Longer classes are not cached: they rarely recur, and hostile ones must not stay in memory."""
# The middle of a range whose ends are surrogate pairs: the second unit of one pair and the first of the other.
_IN_PAIRS = re.compile(r"[\udc00-\udfff]-[\ud800-\udbff]|\\u[dD][c-fC-F][0-9A-Fa-f]{2}-\\u[dD][89abAB][0-9A-Fa-f]{2}")


@lru_cache(maxsize=4096)
def single_unit(unit: int) -> UnitSet:
    """The set of one unit, shared."""
    return UnitSet.single(unit)


@lru_cache(maxsize=4096)
def single_unit_ignoring_case(unit: int) -> UnitSet:
    """The set of one unit and its counterparts under `i`, shared."""
    return close_over_case(UnitSet.single(unit))


def read_class(source: str, start: int, ignore_case: bool, forbids_k: bool) -> tuple[Chars, int]:
    r"""Parses the class whose `[` is at `start`. Returns its node and the offset after its `]`.

    `forbids_k` is true if `\k` is an error in classes, because the pattern has named groups. Raises `RegexSyntaxError`.
    """
    position = start + 1
    negated = source.startswith("^", position)
    if negated:
        position += 1
    items: list[ClassItem] = []
    end = len(source)
    while position < end:
        if source[position] == "]":
            parts = tuple([item.units for item in items])
            units_of = _cached_units if len(parts) <= _MAX_CACHED_MEMBERS else _units
            units = units_of(parts, ignore_case, negated)
            return Chars(Span(start, position + 1), units, CharForm.CLASS, tuple(items), negated), position + 1
        first = _read_atom(source, position, forbids_k)
        position = first.span.end
        if source.startswith("-", position) and position + 1 < end and source[position + 1] != "]":
            last = _read_atom(source, position + 1, forbids_k)
            hyphen = ClassItem(Span(position, position + 1), single_unit(0x2D), CharForm.LITERAL, False)
            items += _range_or_members(source, first, hyphen, last)
            position = last.span.end
        else:
            items.append(first)
    raise RegexSyntaxError(
        "This character class has no end; close it with ], or write \\[ for a literal bracket.", Span(start, start + 1)
    )


def _range_or_members(source: str, first: ClassItem, hyphen: ClassItem, last: ClassItem) -> tuple[ClassItem, ...]:
    """The members of `first-last`: a range, or three members if an end is not one character (ECMA-262 B.1.2.8)."""
    if CharForm.CLASS_ESCAPE in (first.form, last.form):
        return first, hyphen, last
    low, high = first.units.ranges[0][0], last.units.ranges[0][0]
    span = Span(first.span.start, last.span.end)
    if low > high:
        raise _out_of_order_error(source, span)
    return (ClassItem(span, UnitSet(((low, high),)), CharForm.LITERAL, True),)


def _out_of_order_error(source: str, span: Span) -> RegexSyntaxError:
    """Returns the error for a range whose first unit comes after its last one."""
    source_text = source[span.start : span.end]
    if source_text == "}-\\u" and (start := source.rfind("\\u{", 0, span.start)) >= 0:
        end = source.find("}", span.end) + 1 or span.end
        return RegexSyntaxError(
            "\\u{…} stands for a character only with the flag u, which conditions cannot have; here it is the letter u "
            "and the text in braces. Write \\uXXXX, and two of these for an emoji.",
            Span(start, end),
        )
    if _IN_PAIRS.fullmatch(source_text):
        return RegexSyntaxError(
            "Characters beyond U+FFFF, such as emoji, are two units each, and a range goes from one unit to another. "
            "Write the units, such as \\ud83d[\\ude00-\\ude4f].",
            Span(span.start - len(source_text) // 2, span.end + len(source_text) // 2),
        )
    return RegexSyntaxError(
        "This range is out of order: its first character comes after its last one. "
        "Swap them, or write \\- for a literal hyphen.",
        span,
    )


def _read_atom(source: str, position: int, forbids_k: bool) -> ClassItem:
    char = source[position]
    if char != "\\":
        return ClassItem(Span(position, position + 1), single_unit(ord(char)), CharForm.LITERAL, False)
    escaped = source[position + 1 : position + 2]
    if escaped in CLASS_ESCAPES:
        return ClassItem(Span(position, position + 2), CLASS_ESCAPES[escaped], CharForm.CLASS_ESCAPE, False)
    if escaped == "b":
        return ClassItem(Span(position, position + 2), single_unit(_BACKSPACE), CharForm.ESCAPE, False)
    if escaped == "k" and forbids_k:
        raise RegexSyntaxError(
            "\\k cannot stand in a class of a pattern that has named groups; write k.", Span(position, position + 2)
        )
    if escaped == "c":
        # Only in classes, digits and `_` name control characters too (ECMA-262 B.1.2, ClassControlLetter).
        control = source[position + 2 : position + 3]
        if control == "_" or (control.isascii() and control.isdecimal()):
            return ClassItem(Span(position, position + 3), single_unit(ord(control) % 32), CharForm.ESCAPE, False)
    unit, form, end = read_character_escape(source, position)
    return ClassItem(Span(position, end), single_unit(unit), form, False)


def _units(parts: tuple[UnitSet, ...], ignore_case: bool, negated: bool) -> UnitSet:
    units = UnitSet.of([bounds for part in parts for bounds in part.ranges])
    if ignore_case:
        units = close_over_case(units)
    return ~units if negated else units


_cached_units = lru_cache(maxsize=1024)(_units)
