"""Parses a glob to a tree. Every text is a glob: an unclosed bracket is a literal.

The rules are those of `Bun.Glob` (spec G3, and the vectors recorded from it), which takes the context of `**` from the
text: a `/` or the start before it, a `/` or the end after it. It looks out of groups but never into them.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.globs.scan import BracketLayout, bracket_layout, branches
from ttsr_ls.globs.tree import (
    AnyChar,
    CharClass,
    Element,
    GlobGroup,
    Globstar,
    GroupKind,
    LiteralChar,
    NumberRange,
    Star,
)

MAX_DEPTH = 64
"""Groups nested deeper than this are literals, so that hostile globs cannot exhaust the stack."""

_CONTROL_ESCAPES = {"b": "\b", "n": "\n", "r": "\r", "t": "\t"}
_NUMBERS = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)(?:\.\.(-?[0-9]+))?")
_LETTERS = re.compile(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?[0-9]+))?")
_NUMBER_LIMIT = 2**63
_SINGLE: dict[str, Element] = {"?": AnyChar(), "*": Star()}


class _Region(Struct, frozen=True):
    """A part of the glob that is read by itself: the whole, or one branch of a group."""

    start: int
    limit: int
    after_boundary: bool
    """Whether a `**` at its start begins a segment."""
    before_boundary: bool
    """Whether a `**` at its end finishes one."""
    depth: int


def parse_glob(glob: str) -> tuple[Element, ...]:
    """Returns the elements of a glob without its leading negation marks."""
    elements = _parse(glob, _Region(0, len(glob), True, True, 0))
    if elements[-3:] == (Globstar(), LiteralChar("/"), Star()):
        # `**/*` at the end of a glob, and only there, asks for a name that is not empty.
        return (*elements[:-1], AnyChar(), Star())
    return elements


def _parse(glob: str, region: _Region) -> tuple[Element, ...]:
    layout = bracket_layout(glob, region.start, region.limit)
    elements: list[Element] = []
    position = region.start
    while position < region.limit:
        end = layout.end(position)
        if end is not None and (glob[position] == "[" or region.depth < MAX_DEPTH):
            elements.append(
                _class(glob[position + 1 : end - 1]) if glob[position] == "[" else _group(glob, position, end, region)
            )
            position = end
        elif _is_pair(glob, position, region, layout):
            coalesced = _coalesced_end(glob, position + 2)
            elements.append(Globstar() if coalesced is not None or _is_globstar(glob, position, region) else Star())
            position = position + 2 if coalesced is None else coalesced
        elif glob[position] == "\\" and position + 1 < region.limit:
            elements.append(LiteralChar(_unescaped(glob[position + 1])))
            position += 2
        else:
            elements.append(_SINGLE.get(glob[position]) or LiteralChar(glob[position]))
            position += 1
    return tuple(elements)


def _is_pair(glob: str, position: int, region: _Region, layout: BracketLayout) -> bool:
    """Returns whether `**` stands at `position`, the second star not being the opening of a group."""
    return glob.startswith("**", position, region.limit) and layout.end(position + 1) is None


def _coalesced_end(glob: str, position: int) -> int | None:
    """Returns the end of all `/**` that follow a `**` up to `position`, each as a whole segment; None without any.

    Together they are one `**`, and a whole segment whatever precedes it: `a**/**` matches `ab`.
    """
    end = position
    while glob.startswith("/**", end) and glob[end + 3 : end + 4] in ("", "/"):
        end += 3
    return end if end > position else None


def _is_globstar(glob: str, position: int, region: _Region) -> bool:
    """Returns whether the `**` at `position` is a whole segment. At the start of a branch, it is if the branch goes on
    with `/`."""
    if not _finishes(glob, position + 2, region):
        return False
    if position > region.start:
        return glob[position - 1] == "/"
    return region.after_boundary or position + 2 < region.limit


def _finishes(glob: str, position: int, region: _Region) -> bool:
    """Returns whether a `**` that ends at `position` finishes a segment."""
    return region.before_boundary if position == region.limit else glob[position] == "/"


def _group(glob: str, start: int, end: int, region: _Region) -> Element:
    if glob[start] == "{":
        ranged = _range(glob[start + 1 : end - 1])
        if ranged is not None:
            return ranged
        kind, inside, separator = GroupKind.BRACES, start + 1, ","
    else:
        kind, inside, separator = GroupKind(glob[start : start + 2]), start + 2, "|"
    after = region.after_boundary if start == region.start else glob[start - 1] == "/"
    before = _finishes(glob, end, region)
    return GlobGroup(
        kind,
        tuple(
            _parse(glob, _Region(low, high, after, before, region.depth + 1))
            for low, high in branches(glob, inside, end - 1, separator)
        ),
    )


def _range(inner_text: str) -> Element | None:
    """Parses `{inside}` as a range of numbers or letters, upwards or downwards; None if it is none."""
    if (numbers := _NUMBERS.fullmatch(inner_text)) is not None:
        first, last, step = int(numbers[1]), int(numbers[2]), _step(numbers[3])
        if step is None or not all(-_NUMBER_LIMIT <= number < _NUMBER_LIMIT for number in (first, last)):
            return None
        width = max(len(numbers[1]), len(numbers[2])) if _is_padded(numbers[1]) or _is_padded(numbers[2]) else 0
        return NumberRange(_stepped(first, last, step), width)
    if (letters := _LETTERS.fullmatch(inner_text)) is not None:
        step = _step(letters[3])
        if step is None:
            return None
        chars = (LiteralChar(chr(code)) for code in _stepped(ord(letters[1]), ord(letters[2]), step))
        return GlobGroup(GroupKind.BRACES, tuple((char,) for char in chars))
    return None


def _step(digits: str | None) -> int | None:
    """The step of a range, 0 taken as 1; None if it is out of bounds."""
    step = 1 if digits is None else int(digits)
    return (abs(step) or 1) if -_NUMBER_LIMIT <= step < _NUMBER_LIMIT else None


def _stepped(first: int, last: int, step: int) -> range:
    return range(first, last + 1, step) if first <= last else range(first, last - 1, -step)


def _is_padded(number: str) -> bool:
    digits = number.removeprefix("-")
    return len(digits) > 1 and digits[0] == "0"


def _class(inner_text: str) -> CharClass:
    negated = inner_text[0] in "!^"
    chars = _class_chars(inner_text[1:] if negated else inner_text)
    ranges: list[tuple[str, str]] = []
    position = 0
    while position < len(chars):
        char, _ = chars[position]
        if position + 2 < len(chars) and chars[position + 1] == ("-", False):
            ranges.append((char, chars[position + 2][0]))
            position += 3
        else:
            ranges.append((char, char))
            position += 1
    return CharClass(tuple(ranges), negated)


def _class_chars(inner_text: str) -> list[tuple[str, bool]]:
    """The characters of a class, each with whether it was escaped."""
    chars = []
    position = 0
    while position < len(inner_text):
        escaped = inner_text[position] == "\\"
        position += escaped
        chars.append((_unescaped(inner_text[position]) if escaped else inner_text[position], escaped))
        position += 1
    return chars


def _unescaped(char: str) -> str:
    return _CONTROL_ESCAPES.get(char, char)
