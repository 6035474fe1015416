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
    closed = bracket_layout(glob, region.start, region.limit)
    elements: list[Element] = []
    at = region.start
    while at < region.limit:
        end = closed.end(at)
        if end is not None and (glob[at] == "[" or region.depth < MAX_DEPTH):
            elements.append(_class(glob[at + 1 : end - 1]) if glob[at] == "[" else _group(glob, at, end, region))
            at = end
        elif _is_pair(glob, at, region, closed):
            coalesced = _coalesced_end(glob, at + 2)
            elements.append(Globstar() if coalesced is not None or _is_globstar(glob, at, region) else Star())
            at = at + 2 if coalesced is None else coalesced
        elif glob[at] == "\\" and at + 1 < region.limit:
            elements.append(LiteralChar(_unescaped(glob[at + 1])))
            at += 2
        else:
            elements.append(_SINGLE.get(glob[at]) or LiteralChar(glob[at]))
            at += 1
    return tuple(elements)


def _is_pair(glob: str, at: int, region: _Region, closed: BracketLayout) -> bool:
    """Returns whether `**` stands at `at`, the second star not being the opening of a group."""
    return glob.startswith("**", at, region.limit) and closed.end(at + 1) is None


def _coalesced_end(glob: str, at: int) -> int | None:
    """Behind all `/**` that follow a `**` that ends at `at`, up to a `/` or the end of the glob; None where none does.

    These are together one `**`, and a whole segment whatever stands in front: `a**/**` matches `ab`.
    """
    end = at
    while glob.startswith("/**", end) and glob[end + 3 : end + 4] in ("", "/"):
        end += 3
    return end if end > at else None


def _is_globstar(glob: str, at: int, region: _Region) -> bool:
    """Returns whether the `**` at `at` is a whole segment. At the start of a branch, it is if the branch goes on with
    `/`."""
    if not _finishes(glob, at + 2, region):
        return False
    if at > region.start:
        return glob[at - 1] == "/"
    return region.after_boundary or at + 2 < region.limit


def _finishes(glob: str, at: int, region: _Region) -> bool:
    """Returns whether a `**` that ends at `at` finishes a segment."""
    return region.before_boundary if at == region.limit else glob[at] == "/"


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


def _range(inside: str) -> Element | None:
    """Parses `{inside}` as a range of numbers or letters, upwards or downwards; None if it is none."""
    if (numbers := _NUMBERS.fullmatch(inside)) is not None:
        first, last, step = int(numbers[1]), int(numbers[2]), _step(numbers[3])
        if step is None or not all(-_NUMBER_LIMIT <= number < _NUMBER_LIMIT for number in (first, last)):
            return None
        width = max(len(numbers[1]), len(numbers[2])) if _is_padded(numbers[1]) or _is_padded(numbers[2]) else 0
        return NumberRange(_stepped(first, last, step), width)
    if (letters := _LETTERS.fullmatch(inside)) is not None:
        step = _step(letters[3])
        if step is None:
            return None
        chars = (LiteralChar(chr(code)) for code in _stepped(ord(letters[1]), ord(letters[2]), step))
        return GlobGroup(GroupKind.BRACES, tuple((char,) for char in chars))
    return None


def _step(written: str | None) -> int | None:
    """The step of a range, 0 taken as 1; None if it is out of bounds."""
    step = 1 if written is None else int(written)
    return (abs(step) or 1) if -_NUMBER_LIMIT <= step < _NUMBER_LIMIT else None


def _stepped(first: int, last: int, step: int) -> range:
    return range(first, last + 1, step) if first <= last else range(first, last - 1, -step)


def _is_padded(number: str) -> bool:
    digits = number.removeprefix("-")
    return len(digits) > 1 and digits[0] == "0"


def _class(inside: str) -> CharClass:
    negated = inside[0] in "!^"
    chars = _class_chars(inside[1:] if negated else inside)
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(chars):
        char, _ = chars[at]
        if at + 2 < len(chars) and chars[at + 1] == ("-", False):
            ranges.append((char, chars[at + 2][0]))
            at += 3
        else:
            ranges.append((char, char))
            at += 1
    return CharClass(tuple(ranges), negated)


def _class_chars(inside: str) -> list[tuple[str, bool]]:
    """The characters of a class, each with whether it was escaped."""
    chars = []
    at = 0
    while at < len(inside):
        escaped = inside[at] == "\\"
        at += escaped
        chars.append((_unescaped(inside[at]) if escaped else inside[at], escaped))
        at += 1
    return chars


def _unescaped(char: str) -> str:
    return _CONTROL_ESCAPES.get(char, char)
