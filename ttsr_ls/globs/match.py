"""Matching the elements of a glob on a path, in bounded time, with Bun's choice of what is tried again.

Without groups, Bun scans and tries only the last `*` and the last `**` again; with groups it tries everything. That
makes a difference where something between two `*` matches a `/`: `*[!a]*` does not match `b/c`, because the class takes
`b` and the second `*` then stops at the `/`, but `{*[!a]*}` does. (Where both a class that matches `/` and a group
follow such a `*`, Bun goes one way or the other with the path; here everything is tried.)
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.globs.glob_positions import GlobPositions, TooManySteps, matches_char
from ttsr_ls.globs.tree import Element, GlobGroup, Globstar, LiteralChar, NumberRange, Star

MAXIMUM_TRIES = 200_000
"""How often an element is tried on a place of one path, by the scan."""

_SLASH = LiteralChar("/")


class _Retry(Struct, frozen=True):
    """Where to go on when what follows a star failed: at an element, from a place in the path."""

    element: int
    place: int


def matches_path(elements: tuple[Element, ...], path: str) -> bool:
    """Whether the elements match the whole path; raises `TooManySteps`."""
    if any(isinstance(element, GlobGroup | NumberRange) for element in elements):
        return bool(GlobPositions(path).starts(elements, 1 << len(path)) & 1)
    return _scan(elements, path)


def _scan(elements: tuple[Element, ...], path: str) -> bool:
    """Whether elements, none of them a group, match the whole path."""
    at = place = 0
    star: _Retry | None = None
    globstar: _Retry | None = None
    for _ in range(MAXIMUM_TRIES):
        if at == len(elements):
            if place == len(path):
                return True
        else:
            match elements[at]:
                case Star():
                    at += 1
                    star = _Retry(at, place)
                    continue
                case Globstar():
                    if at + 1 == len(elements):
                        return True
                    # It takes the `/` behind it along, and nothing at first. What stands before is settled by this.
                    at += 2
                    star, globstar = None, _Retry(at, place)
                    continue
                case element if place < len(path) and matches_char(element, path[place]):
                    at, place = at + 1, place + 1
                    if element == _SLASH:
                        star = None
                    continue
        if star is not None and star.place < len(path) and path[star.place] != "/":
            star = _Retry(star.element, star.place + 1)
            at, place = star.element, star.place
        elif globstar is not None and (slash := path.find("/", globstar.place)) >= 0:
            star, globstar = None, _Retry(globstar.element, slash + 1)
            at, place = globstar.element, globstar.place
        else:
            return False
    raise TooManySteps
