"""What a glob is parsed to (semantics.md G3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Literal:
    """One character that stands for itself."""

    char: str


@dataclass(frozen=True, slots=True)
class AnyChar:
    """`?`: one character other than `/`."""


@dataclass(frozen=True, slots=True)
class CharClass:
    """`[a-z]`, `[!a-z]`: one character in, or outside of, inclusive ranges; `/` is like any other."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Star:
    """`*`: any number of characters other than `/`."""


@dataclass(frozen=True, slots=True)
class Globstar:
    """`**` as a whole segment: anything at all. With a `/` behind it, both together may also stand for nothing."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    """`{1..9}`: the decimal notation of one of `numbers`, zero-padded to `width` (its sign included)."""

    numbers: range
    width: int


class GroupKind(Enum):
    """How often the branches of a group must match; the value is its opening."""

    BRACES = "{"
    ONE = "@("
    OPTIONAL = "?("
    ANY_NUMBER = "*("
    AT_LEAST_ONE = "+("
    NONE = "!("


@dataclass(frozen=True, slots=True)
class Group:
    """Alternatives: `{a,b}`, `@(a|b)` and the like."""

    kind: GroupKind
    branches: tuple[tuple[Element, ...], ...]


Element = Literal | AnyChar | CharClass | Star | Globstar | NumberRange | Group
