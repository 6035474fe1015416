"""The positions of a path at which the elements of a glob match, over all possible ways, in bounded time.

A glob is matched backward, by sets of positions: for each element, the positions from which it and everything after it
match up to the end. A set is an `int` with a bit for each position, so that an element costs a few operations however
many ways there are to match, and nothing is exponential.
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

MAX_STEPS = 50_000
"""The most elements and numbers that are tried on one path; only nested repetitions come near."""

_NUMBER = re.compile(r"-?[0-9]{1,20}")
_SLASH = LiteralChar("/")


class TooManySteps(Exception):
    """The limit of steps was reached. Whether the path matches is unknown."""


class PathMatcher:
    """Matches elements on one path. Caches the positions of all elements except groups."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._steps = 0
        self._known: dict[Element, int] = {}
        self._known_numbers: dict[NumberRange, dict[int, int]] = {}

    def match_starts(self, elements: tuple[Element, ...], ends: int, ends_past_slash: int = 0) -> int:
        """Returns the positions from which the elements match up to one of `ends`. Raises `TooManySteps`.

        If the text after the elements begins with `/`, `ends_past_slash` are the positions from which that text would
        match without it: a preceding `**` that matches nothing takes these. Otherwise it is 0.
        """
        for element in reversed(elements):
            self._count()
            positions = self._starts_of(element, ends, ends_past_slash)
            ends_past_slash = ends if element == _SLASH else 0
            ends = positions
        return ends

    def _starts_of(self, element: Element, ends: int, ends_past_slash: int) -> int:
        match element:
            case LiteralChar() | AnyChar() | CharClass():
                return ends >> 1 & self._positions_of(element)
            case Star():
                return self._through_segment(ends)
            case Globstar():
                return (1 << ends.bit_length()) - 1 | ends_past_slash
            case NumberRange():
                return self._numbers(element, ends)
            case GlobGroup():
                return self._group(element, ends, ends_past_slash)
        assert_never(element)

    def _group(self, group: GlobGroup, ends: int, ends_past_slash: int) -> int:
        match group.kind:
            case GroupKind.BRACES | GroupKind.ONE:
                return self._branches(group, ends, ends_past_slash)
            case GroupKind.OPTIONAL:
                return ends | self._branches(group, ends, ends_past_slash)
            case GroupKind.ANY_NUMBER:
                return self._repeated(group, ends, ends_past_slash)
            case GroupKind.AT_LEAST_ONE:
                return self._branches(group, self._repeated(group, ends, ends_past_slash), ends_past_slash)
            case GroupKind.NONE:
                # A negative lookahead: any text within the segment, from positions at which no branch matches.
                return self._through_segment(ends) & ~self._branches(group, ends, ends_past_slash)
        assert_never(group.kind)

    def _branches(self, group: GlobGroup, ends: int, ends_past_slash: int) -> int:
        positions = 0
        for branch in group.branches:
            positions |= self.match_starts(branch, ends, ends_past_slash)
        return positions

    def _repeated(self, group: GlobGroup, ends: int, ends_past_slash: int) -> int:
        positions = ends
        # Each round finds at least one more position, from the end of the path on, so the loop ends.
        for _ in range(len(self._path) + 2):
            more = ends | self._branches(group, positions, ends_past_slash)
            if more == positions:
                break
            positions = more
        return positions

    def _through_segment(self, ends: int) -> int:
        """Returns the positions from which only characters other than `/` lead to one of `ends`."""
        positions, through, width = ends, self._positions_of(AnyChar()), 1
        # Doubling: each round extends the runs to up to `2 * width - 1` characters.
        while width <= len(self._path):
            positions |= positions >> width & through
            through &= through >> width
            width *= 2
        return positions

    def _numbers(self, element: NumberRange, ends: int) -> int:
        positions = 0
        for length, starts in self._numbers_by_length(element).items():
            positions |= ends >> length & starts
        return positions

    def _numbers_by_length(self, element: NumberRange) -> dict[int, int]:
        """Returns, for each length, the positions of numbers of the range that have that many characters."""
        known = self._known_numbers.get(element)
        if known is None:
            known = self._known_numbers[element] = {}
            for start, char in enumerate(self._path):
                if char in "-0123456789" and (match := _NUMBER.match(self._path, start)) is not None:
                    for length in range(1, len(match[0]) + 1):
                        self._count()
                        if _is_number_of(element, match[0][:length]):
                            known[length] = known.get(length, 0) | 1 << start
        return known

    def _count(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise TooManySteps

    def _positions_of(self, element: Element) -> int:
        """Returns the positions at which an element matches one character."""
        positions = self._known.get(element)
        if positions is None:
            bits = "".join("1" if matches_char(element, char) else "0" for char in reversed(self._path))
            positions = self._known[element] = int(bits or "0", 2)
        return positions


def matches_char(element: Element, char: str) -> bool:
    """Returns whether an element for one character matches it. Other elements match none."""
    match element:
        case LiteralChar():
            return char == element.char
        case AnyChar():
            return char != "/"
        case CharClass():
            return any(low <= char <= high for low, high in element.ranges) is not element.negated
        case _:
            return False


def _is_number_of(element: NumberRange, source: str) -> bool:
    if source == "-":
        return False
    number = int(source)
    return number in element.numbers and source == str(number).zfill(element.width)
