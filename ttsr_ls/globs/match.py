"""Matches the elements of a glob on a path, in bounded time, with the backtracking rules of Bun.

Without groups, Bun scans, and retries only at the last `*` and the last `**`; with groups it tries everything. The
difference shows where an element between two `*` matches a `/`: `*[!a]*` does not match `b/c`, because the class takes
`b` and the second `*` then stops at the `/`, but `{*[!a]*}` does. (Where both a class that matches `/` and a group
follow such a `*`, Bun's choice depends on the path; here everything is tried.)
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.globs.path_matcher import PathMatcher, TooManySteps, matches_char
from ttsr_ls.globs.tree import Element, GlobGroup, Globstar, LiteralChar, NumberRange, Star

MAX_TRIES = 200_000
"""The most attempts of the scan to match an element at a position of one path."""

_SLASH = LiteralChar("/")


class _Retry(Struct, frozen=True):
    """The position to continue from when the elements after a star fail: an element, and an offset in the path."""

    element: int
    position: int


def matches_path(elements: tuple[Element, ...], path: str) -> bool:
    """Returns whether the elements match the whole path; raises `TooManySteps`."""
    if any(isinstance(element, GlobGroup | NumberRange) for element in elements):
        return bool(PathMatcher(path).match_starts(elements, 1 << len(path)) & 1)
    return _scan(elements, path)


def _scan(elements: tuple[Element, ...], path: str) -> bool:
    """Returns whether elements, none of them a group, match the whole path."""
    offset = position = 0
    star: _Retry | None = None
    globstar: _Retry | None = None
    for _ in range(MAX_TRIES):
        if offset == len(elements):
            if position == len(path):
                return True
        else:
            match elements[offset]:
                case Star():
                    offset += 1
                    star = _Retry(offset, position)
                    continue
                case Globstar():
                    if offset + 1 == len(elements):
                        return True
                    # It includes the `/` after it, and matches nothing at first. Earlier stars are not retried.
                    offset += 2
                    star, globstar = None, _Retry(offset, position)
                    continue
                case element if position < len(path) and matches_char(element, path[position]):
                    offset, position = offset + 1, position + 1
                    if element == _SLASH:
                        star = None
                    continue
        if star is not None and star.position < len(path) and path[star.position] != "/":
            star = _Retry(star.element, star.position + 1)
            offset, position = star.element, star.position
        elif globstar is not None and (slash := path.find("/", globstar.position)) >= 0:
            star, globstar = None, _Retry(globstar.element, slash + 1)
            offset, position = globstar.element, globstar.position
        else:
            return False
    raise TooManySteps
