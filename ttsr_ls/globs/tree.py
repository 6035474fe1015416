"""The tree of a parsed glob (spec G3)."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class LiteralChar(Struct, frozen=True):
    """A literal character."""

    char: str


class AnyChar(Struct, frozen=True):
    """`?`: one character other than `/`."""


class CharClass(Struct, frozen=True):
    """`[a-z]`, `[!a-z]`: one character in, or outside of, inclusive ranges; `/` is like any other."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool


class Star(Struct, frozen=True):
    """`*`: any number of characters other than `/`."""


class Globstar(Struct, frozen=True):
    """`**` as a whole segment: any text. Together with a following `/`, it also matches the empty text."""


class NumberRange(Struct, frozen=True):
    """`{1..9}`: the decimal notation of one of `numbers`, zero-padded to `width` (its sign included)."""

    numbers: range
    width: int


class GroupKind(Enum):
    """The number of branches of a group that must match in a row. The value is the group's opening."""

    BRACES = "{"
    ONE = "@("
    OPTIONAL = "?("
    ANY_NUMBER = "*("
    AT_LEAST_ONE = "+("
    NONE = "!("


class GlobGroup(Struct, frozen=True):
    """Alternatives: `{a,b}`, `@(a|b)` and the like."""

    kind: GroupKind
    branches: tuple[tuple[Element, ...], ...]


Element = LiteralChar | AnyChar | CharClass | Star | Globstar | NumberRange | GlobGroup
