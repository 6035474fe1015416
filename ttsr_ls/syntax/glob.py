"""Globs as the reference agent has them: the semantics of `Bun.Glob` (semantics.md G3), in bounded time.

The vectors in the tests are recorded from Bun.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ttsr_ls.syntax.glob_match import matches_path
from ttsr_ls.syntax.glob_parser import parse_glob
from ttsr_ls.syntax.glob_places import TooManySteps
from ttsr_ls.syntax.glob_tree import Element

MAXIMUM_GLOB = 4096
"""A longer glob, in characters, matches nothing."""
MAXIMUM_PATH = 8192
"""A longer path, in characters, is matched by nothing; Linux has no path beyond 4096 bytes."""


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern for paths; any text is one. Case counts, and `/` is the only separator.

    `*`, `?`, `[…]` and `**` as usual, `{a,b}`, `{1..9}`, `@(a|b)` and its kin, `!` in front to negate the whole.
    """

    pattern: str
    _negated: bool = field(init=False, compare=False, repr=False)
    _elements: tuple[Element, ...] | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        marks = 0
        while self.pattern.startswith("!", marks) and not self.pattern.startswith("!(", marks):
            marks += 1
        elements = None if len(self.pattern) > MAXIMUM_GLOB else parse_glob(self.pattern[marks:])
        object.__setattr__(self, "_negated", marks % 2 == 1)
        object.__setattr__(self, "_elements", elements)

    def matches(self, path: str) -> bool:
        """Whether the whole path matches. What is too long or takes too long does not match, negated or not."""
        if self._elements is None or len(path) > MAXIMUM_PATH:
            return False
        try:
            return matches_path(self._elements, path) is not self._negated
        except TooManySteps:
            return False
