"""A glob as a regular expression of `re`, where that is exact and takes bounded time.

The matchers of this package take 20 to 250 µs a path; a compiled expression takes less than one, and most globs
have such a form. It pays where many paths are matched: building it takes some 200 µs.
"""

from __future__ import annotations

import re
from typing import assert_never

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

MAX_PATH = 256
"""The greatest length, in characters, of a path that the expression may be tried on: `re` tries all ways to match, in
about the square of this number of steps."""

_MAX_STARS = 3
_MAX_STARS_IN_SEGMENT = 2
_MAX_BRANCHES = 16
_SLASH = LiteralChar("/")


def regex_form(elements: tuple[Element, ...]) -> re.Pattern[str] | None:
    """Returns an expression whose `fullmatch` decides whether the elements match a path of at most `MAX_PATH`
    characters; None if there is no such expression."""
    if not _is_bounded(elements):
        return None
    parts: list[str] = []
    for offset, element in enumerate(elements):
        if element == _SLASH and offset > 0 and isinstance(elements[offset - 1], Globstar):
            continue  # A part of the `**` before it.
        if isinstance(element, Globstar) and offset > 0 and elements[offset - 1] != _SLASH:
            return None  # Bun has special rules for the elements before a `**` in its segment.
        source = _source(element, has_slash_behind=elements[offset + 1 : offset + 2] == (_SLASH,))
        if source is None:
            return None
        parts.append(source)
    return re.compile("".join(parts), re.DOTALL)


def _is_bounded(elements: tuple[Element, ...]) -> bool:
    """Returns whether there are few enough stars and alternatives, as each may multiply the ways to match."""
    stars = in_segment = branches = 0
    for element in elements:
        match element:
            case Star():
                stars += 1
                in_segment += 1
            case Globstar():
                stars += 1
            case GlobGroup():
                branches = max(branches, 1) * len(element.branches)
            case LiteralChar("/"):
                in_segment = 0
            case _:
                pass
        if in_segment > _MAX_STARS_IN_SEGMENT:
            return False
    return stars <= _MAX_STARS and branches <= _MAX_BRANCHES


def _source(element: Element, *, has_slash_behind: bool) -> str | None:
    match element:
        case LiteralChar():
            return re.escape(element.char)
        case AnyChar():
            return "[^/]"
        case CharClass():
            return _class_source(element)
        case Star():
            return "[^/]*"
        case Globstar():
            return "(?:.*/)?" if has_slash_behind else ".*"
        case NumberRange():
            return None
        case GlobGroup():
            return _group_source(element)
    assert_never(element)


def _class_source(element: CharClass) -> str | None:
    # The matchers have special rules for classes that may match `/`, and for empty ranges.
    if element.negated or any(low > high or low <= "/" <= high for low, high in element.ranges):
        return None
    return "[" + "".join(f"{re.escape(low)}-{re.escape(high)}" for low, high in element.ranges) + "]"


def _group_source(group: GlobGroup) -> str | None:
    if group.kind not in (GroupKind.BRACES, GroupKind.ONE):
        return None
    branches: list[str] = []
    for branch in group.branches:
        chars = [re.escape(element.char) for element in branch if isinstance(element, LiteralChar)]
        if len(chars) < len(branch):
            return None
        branches.append("".join(chars))
    return f"(?:{'|'.join(branches)})"
