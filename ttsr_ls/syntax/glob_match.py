"""Matching the elements of a glob on a path, in bounded time.

A glob is matched backwards, by sets of places: for each element, from which places of the path do it and all that
follows match up to the end. A set is an `int` with a bit for each place, so that an element costs a few operations
however many ways there are to match, and nothing is exponential.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never

from ttsr_ls.syntax.glob_tree import AnyChar, CharClass, Element, Globstar, Group, GroupKind, Literal, NumberRange, Star

MAXIMUM_STEPS = 50_000
"""How many elements are tried for one path; only nested repetitions on long paths come near."""

_NUMBER = re.compile(r"-?[0-9]{1,20}")
_SLASH = Literal("/")


class TooManySteps(Exception):
    """The bound of steps was reached; whether the path matches is not known."""


def matches_path(elements: tuple[Element, ...], path: str) -> bool:
    """Whether the elements match the whole path; raises `TooManySteps`."""
    return bool(_Path(path).starts(elements, 1 << len(path), 0) & 1)


class _Path:
    """A path, and the places in it that were looked up so far."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._steps = 0
        self._places: dict[Element, int] = {}
        self._not_slash = self._places_where(lambda char: char != "/")

    def starts(self, elements: tuple[Element, ...], ends: int, ends_past_slash: int) -> int:
        """The places from which the elements match up to one of `ends`.

        Where the text that follows the elements begins with `/`, `ends_past_slash` are the places from which that text
        would match without it, which is what a `**` in front that stands for nothing takes; otherwise it is 0.
        """
        for element in reversed(elements):
            self._steps += 1
            if self._steps > MAXIMUM_STEPS:
                raise TooManySteps
            places = self._starts_of(element, ends, ends_past_slash)
            ends_past_slash = ends if element == _SLASH else 0
            ends = places
        return ends

    def _starts_of(self, element: Element, ends: int, ends_past_slash: int) -> int:
        match element:
            case Literal():
                return ends >> 1 & self._places_of(element, lambda char: char == element.char)
            case AnyChar():
                return ends >> 1 & self._not_slash
            case CharClass():
                return ends >> 1 & self._places_of(element, lambda char: _is_in(element, char))
            case Star():
                return self._through_segment(ends)
            case Globstar():
                return (1 << ends.bit_length()) - 1 | ends_past_slash
            case NumberRange():
                return self._numbers(element, ends)
            case Group():
                return self._group(element, ends, ends_past_slash)
        assert_never(element)

    def _group(self, group: Group, ends: int, ends_past_slash: int) -> int:
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
                # As a lookahead: where no branch leads to the end, anything within the segment that does.
                return self._through_segment(ends) & ~self._branches(group, ends, ends_past_slash)
        assert_never(group.kind)

    def _branches(self, group: Group, ends: int, ends_past_slash: int) -> int:
        places = 0
        for branch in group.branches:
            places |= self.starts(branch, ends, ends_past_slash)
        return places

    def _repeated(self, group: Group, ends: int, ends_past_slash: int) -> int:
        places = ends
        # Each round settles at least one more place, from the end of the path, so this comes to rest.
        for _ in range(len(self._path) + 2):
            more = ends | self._branches(group, places, ends_past_slash)
            if more == places:
                break
            places = more
        return places

    def _through_segment(self, ends: int) -> int:
        """The places from which only characters other than `/` lead to one of `ends`."""
        places, through, width = ends, self._not_slash, 1
        # Doubling: after each round, runs of up to `width` characters were gone through.
        while width <= len(self._path):
            places |= places >> width & through
            through &= through >> width
            width *= 2
        return places

    def _numbers(self, element: NumberRange, ends: int) -> int:
        places = 0
        for start, char in enumerate(self._path):
            if char in "-0123456789" and (written := _NUMBER.match(self._path, start)) is not None:
                for end in range(start + 1, written.end() + 1):
                    if ends >> end & 1 and _is_number_of(element, self._path[start:end]):
                        places |= 1 << start
        return places

    def _places_of(self, element: Element, holds: Callable[[str], bool]) -> int:
        places = self._places.get(element)
        if places is None:
            places = self._places[element] = self._places_where(holds)
        return places

    def _places_where(self, holds: Callable[[str], bool]) -> int:
        bits = "".join("1" if holds(char) else "0" for char in reversed(self._path))
        return int(bits or "0", 2)


def _is_in(element: CharClass, char: str) -> bool:
    return any(low <= char <= high for low, high in element.ranges) is not element.negated


def _is_number_of(element: NumberRange, written: str) -> bool:
    if written == "-":
        return False
    number = int(written)
    return number in element.numbers and written == str(number).zfill(element.width)
