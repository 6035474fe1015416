"""Finds the ends of the classes and groups of a glob, and the separators of branches.

An unclosed bracket is a literal. A backslash escapes the next character, and a closed class hides its content. A
closing bracket closes the last open bracket of its kind; brackets that were opened after that one and are still open
become literals.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

EXTENDED_GROUP_MARKS = "@?*+!"
"""The characters that open an extended group when `(` follows."""


class BracketLayout(Struct, frozen=True):
    """Maps the offset of each closed `{`, `[` or extended group of a region to the offset after its closing bracket."""

    ends: dict[int, int]

    def end(self, start: int) -> int | None:
        """Returns the offset after the bracket that opens at `start`; None if nothing opens there, or if it is not
        closed.
        """
        return self.ends.get(start)


def bracket_layout(glob: str, start: int, limit: int) -> BracketLayout:
    """Returns the layout of `glob[start:limit]`, in one pass."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    braces = 0
    position = start
    classes_may_close = True
    while position < limit:
        char = glob[position]
        if char == "\\":
            position += 2
            continue
        if char == "[" and classes_may_close:
            end = _class_end(glob, position, limit)
            if end is not None:
                ends[position] = position = end
                continue
            # No later class closes either; without this, many `[` would take quadratic time.
            classes_may_close = False
        elif char == "{" or starts_extended_group(glob, position, limit):
            opened.append(position)
            braces += char == "{"
        elif (char == "}" and braces) or (char == ")" and len(opened) > braces):
            opener = opened.pop()
            while (glob[opener] == "{") is not (char == "}"):
                braces -= glob[opener] == "{"
                opener = opened.pop()
            braces -= char == "}"
            ends[opener] = position + 1
        position += 1
    return BracketLayout(ends)


def branches(glob: str, start: int, limit: int, separator: str) -> Iterator[tuple[int, int]]:
    """Yields the branches of a group whose inside is `glob[start:limit]`. Separators in inner groups, closed or not, do
    not count.
    """
    inner = bracket_layout(glob, start, limit)
    braces = parentheses = 0
    branch = position = start
    while position < limit:
        char = glob[position]
        if char == "\\":
            position += 2
            continue
        if char == "[" and (end := inner.end(position)) is not None:
            position = end
            continue
        if char == separator and not braces and not parentheses:
            yield branch, position
            branch = position + 1
        elif char == "{":
            braces += 1
        elif char == "}":
            braces = max(braces - 1, 0)
        elif starts_extended_group(glob, position, limit):
            parentheses += 1
        elif char == ")":
            parentheses = max(parentheses - 1, 0)
        position += 1
    yield branch, limit


def starts_extended_group(glob: str, position: int, limit: int) -> bool:
    """Returns whether an extended group opens at `position`, provided it is closed."""
    return glob[position] in EXTENDED_GROUP_MARKS and position + 1 < limit and glob[position + 1] == "("


def _class_end(glob: str, start: int, limit: int) -> int | None:
    first = start + 1
    if first < limit and glob[first] in "!^":
        first += 1
    position = first
    while position < limit:
        if glob[position] == "\\":
            position += 2
        elif glob[position] == "]" and position > first:
            return position + 1
        else:
            position += 1
    return None
