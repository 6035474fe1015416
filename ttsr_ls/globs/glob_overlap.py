"""Decides whether one file can match two globs, by its name and its first folders (spec G2, G3).

All candidate paths of a file end in its name, and so does every match of a glob: if the last segments of two globs have
no common name, no file matches both. The converse does not hold, so the answer is "maybe" in every unclear case.
"""

from __future__ import annotations

import re

from ttsr_ls.globs.parser import parse_glob
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

_MAX_LENGTH = 400
_MAX_BRANCHES = 64
_PLAIN_FOLDER = re.compile(r"(?!\.{1,2}/)[\w.@+-]+/")
_SLASH = LiteralChar("/")

_Name = tuple[Element, ...]


def may_match_same_name(first: str, second: str) -> bool:
    """Returns whether some file name can match the last segment of both globs; True if unknown."""
    first_names, second_names = _names(first), _names(second)
    if first_names is None or second_names is None:
        return True
    return any(_overlap(name, against) for name in first_names for against in second_names)


def may_match_in_same_folder(first: str, second: str) -> bool:
    """Returns whether some path can begin with the folders of both globs; True if unknown.

    A glob with a slash that begins with the name of a folder only matches paths relative to the project's folder.
    """
    return all(one == other for one, other in zip(_folders(first), _folders(second), strict=False))


def _folders(glob: str) -> list[str]:
    """Returns the leading folders of a glob that have no wildcards."""
    if not _PLAIN_FOLDER.match(glob):
        return []
    folders = glob.split("/")[:-1]
    plain = next(
        (position for position, folder in enumerate(folders) if not _PLAIN_FOLDER.fullmatch(f"{folder}/")), len(folders)
    )
    return folders[:plain]


def _names(glob: str) -> list[_Name] | None:
    """Returns the last segments that a glob can have; None if it has elements that are not analysed."""
    if glob.startswith("!") or len(glob) > _MAX_LENGTH:
        return None
    pending: list[_Name] = [parse_glob(glob)]
    names: list[_Name] = []
    while pending:
        elements = pending.pop()
        at = next((position for position, element in enumerate(elements) if isinstance(element, GlobGroup)), None)
        if at is None:
            name = _last_segment(elements)
            if name is None:
                return None
            names.append(name)
            continue
        group = elements[at]
        if not isinstance(group, GlobGroup) or group.kind not in (GroupKind.BRACES, GroupKind.ONE):
            return None
        pending += [(*elements[:at], *branch, *elements[at + 1 :]) for branch in group.branches]
        if len(pending) + len(names) > _MAX_BRANCHES:
            return None
    return names


def _last_segment(elements: _Name) -> _Name | None:
    """Returns the elements behind the last slash; None if a class may match a slash, or if there are none."""
    start = 0
    for position, element in enumerate(elements):
        if isinstance(element, CharClass) and _may_match_slash(element):
            return None
        if element == _SLASH:
            start = position + 1
    segment = elements[start:]
    # `**` at the end stands for any path, so for any name.
    return tuple(Star() if isinstance(element, Globstar) else element for element in segment) or None


def _may_match_slash(element: CharClass) -> bool:
    return element.negated or any(low <= "/" <= high for low, high in element.ranges)


def _overlap(one: _Name, other: _Name) -> bool:
    """Returns whether some text matches both; in time and room of the product of their lengths."""
    reached = {(0, 0)}
    pending = [(0, 0)]
    while pending:
        left, right = pending.pop()
        if left == len(one) and right == len(other):
            return True
        for step in _steps(one, left, other, right):
            if step not in reached:
                reached.add(step)
                pending.append(step)
    return False


def _steps(one: _Name, left: int, other: _Name, right: int) -> list[tuple[int, int]]:
    first = one[left] if left < len(one) else None
    second = other[right] if right < len(other) else None
    steps = []
    if _repeats(first):
        steps.append((left + 1, right))
    if _repeats(second):
        steps.append((left, right + 1))
    if first is not None and second is not None and _agree(first, second):
        steps.append((left + (not _repeats(first)), right + (not _repeats(second))))
    return steps


def _repeats(element: Element | None) -> bool:
    # A range of numbers is treated like `*`.
    return isinstance(element, Star | NumberRange)


def _agree(one: Element, other: Element) -> bool:
    """Returns whether some character is matched by both."""
    match one, other:
        case LiteralChar(), LiteralChar():
            return one.char == other.char
        case LiteralChar(), CharClass():
            return any(low <= one.char <= high for low, high in other.ranges)
        case CharClass(), LiteralChar():
            return _agree(other, one)
        case CharClass(), CharClass():
            return any(low <= high2 and low2 <= high for low, high in one.ranges for low2, high2 in other.ranges)
        case (LiteralChar(char="/"), AnyChar() | Star()) | (AnyChar() | Star(), LiteralChar(char="/")):
            return False
        case _:
            return True
