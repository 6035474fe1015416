"""Finds members of character classes that another member of the same class already contains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import CharForm, Chars, ClassItem, Pattern, walk
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.text import Span

_MAX_MEMBERS = 100
_POSIX = re.compile(r"\[:\w+:\]")
# A class that looks like syntax of another dialect was not meant as a list of members.
_FOREIGN = re.compile(r"\[[:.=]|\\[pPxuNk]\{|\\Q|\|")


class RedundantMember(Struct, frozen=True):
    """A member at `span` that the member at `within` contains.

    `is_removable` is true if the class without all of its redundant members is certainly the same set.
    """

    span: Span
    within: Span
    is_removable: bool


def redundant_members(pattern: Pattern) -> Iterator[RedundantMember]:
    """Yields the redundant members of classes, in source order. Of two equal members, the later one is redundant."""
    for node in walk(pattern.root):
        if isinstance(node, Chars) and node.form is CharForm.CLASS and 1 < len(node.items) <= _MAX_MEMBERS:
            yield from _redundant_members(pattern.source, node)


def _redundant_members(source: str, node: Chars) -> Iterator[RedundantMember]:
    units = UnitSet.of(range_ for item in node.items for range_ in item.units.ranges)
    if units.size == sum(item.units.size for item in node.items):
        return
    if _POSIX.match(source, node.span.start) or _FOREIGN.search(source, node.span.start + 1, node.span.end):
        return
    found = [
        (item, container) for item in node.items if (container := _containing_member(item, node.items)) is not None
    ]
    if found:
        is_removable = _is_same_without(source, node.span, [item.span for item, _ in found])
        for item, container in found:
            yield RedundantMember(item.span, container.span, is_removable)


def _containing_member(item: ClassItem, items: Iterable[ClassItem]) -> ClassItem | None:
    # The author of half a surrogate pair meant a character, so equal halves are not redundant.
    if any(low >= 0xD800 and high <= 0xDFFF for low, high in item.units.ranges):
        return None
    others = [other for other in items if other is not item]
    # Larger members first: a part of a larger member is redundant even if it occurs twice.
    for other in others:
        if other.units != item.units and _contains(other.units, item.units):
            return other
    return next((other for other in others if other.units == item.units and other.span < item.span), None)


def _contains(units: UnitSet, unit_set: UnitSet) -> bool:
    return all(any(low <= first and last <= high for low, high in units.ranges) for first, last in unit_set.ranges)


def _is_same_without(source: str, span: Span, members: list[Span]) -> bool:
    """Returns whether the class stays the same without some members. A hyphen that moves between two members makes a
    range."""
    remaining = source[span.start : span.end]
    for member in reversed(members):
        remaining = remaining[: member.start - span.start] + remaining[member.end - span.start :]
    try:
        before, after = parse(source[span.start : span.end]).root, parse(remaining).root
    except RegexSyntaxError:
        return False
    return isinstance(before, Chars) and isinstance(after, Chars) and before.units == after.units
