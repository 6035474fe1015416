"""Where the classes and groups of a glob end, and where a group's branches are separated.

What is not closed is a literal. A backslash takes the next character with it, and a closed class hides what is in it.
A closer closes the last opener of its kind; what was opened behind that one and is still open stays a literal.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

EXTENDED = "@?*+!"
"""The characters that open an extended group when `(` follows."""


class Layout(Struct, frozen=True):
    """For each opening `{`, `[` or extended group of a region that is closed: the offset behind its closer."""

    ends: dict[int, int]

    def end(self, start: int) -> int | None:
        """The offset behind what opens at `start`; None where it is not closed, or opens nothing."""
        return self.ends.get(start)


def layout(glob: str, start: int, limit: int) -> Layout:
    """The layout of `glob[start:limit]`, in one pass."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    braces = 0
    at = start
    classes_may_close = True
    while at < limit:
        char = glob[at]
        if char == "\\":
            at += 2
            continue
        if char == "[" and classes_may_close:
            end = _class_end(glob, at, limit)
            if end is not None:
                ends[at] = at = end
                continue
            # No later class closes either; without this, many `[` would take quadratic time.
            classes_may_close = False
        elif char == "{" or opens_extended(glob, at, limit):
            opened.append(at)
            braces += char == "{"
        elif (char == "}" and braces) or (char == ")" and len(opened) > braces):
            opener = opened.pop()
            while (glob[opener] == "{") is not (char == "}"):
                braces -= glob[opener] == "{"
                opener = opened.pop()
            braces -= char == "}"
            ends[opener] = at + 1
        at += 1
    return Layout(ends)


def branches(glob: str, start: int, limit: int, separator: str) -> Iterator[tuple[int, int]]:
    """The branches of a group's inside `glob[start:limit]`; separators in inner groups, closed or not, do not count."""
    inner = layout(glob, start, limit)
    braces = parentheses = 0
    branch = at = start
    while at < limit:
        char = glob[at]
        if char == "\\":
            at += 2
            continue
        if char == "[" and (end := inner.end(at)) is not None:
            at = end
            continue
        if char == separator and not braces and not parentheses:
            yield branch, at
            branch = at + 1
        elif char == "{":
            braces += 1
        elif char == "}":
            braces = max(braces - 1, 0)
        elif opens_extended(glob, at, limit):
            parentheses += 1
        elif char == ")":
            parentheses = max(parentheses - 1, 0)
        at += 1
    yield branch, limit


def opens_extended(glob: str, at: int, limit: int) -> bool:
    """Whether an extended group would open at `at`, if it is closed."""
    return glob[at] in EXTENDED and at + 1 < limit and glob[at + 1] == "("


def _class_end(glob: str, start: int, limit: int) -> int | None:
    first = start + 1
    if first < limit and glob[first] in "!^":
        first += 1
    at = first
    while at < limit:
        if glob[at] == "\\":
            at += 2
        elif glob[at] == "]" and at > first:
            return at + 1
        else:
            at += 1
    return None
