"""The shapes that all messages are made of, and those of `ttsr/ruleMatches`."""

from __future__ import annotations

from msgspec import Struct


class Shape(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """An object with these properties and no others."""


class PositionShape(Shape, frozen=True):
    line: int
    character: int


class RangeShape(Shape, frozen=True):
    start: PositionShape
    end: PositionShape


class MatchPlaceShape(Shape, frozen=True):
    uri: str
    range: RangeShape


class RuleMatchesShape(Shape, frozen=True):
    matches: int
    files: int
    is_complete: bool
    places: list[MatchPlaceShape]
