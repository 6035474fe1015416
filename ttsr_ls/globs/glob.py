"""Globs of the reference agent: the semantics of `Bun.Glob` (spec G3), in bounded time.

The vectors in the tests are recorded from Bun.
"""

from __future__ import annotations

import re

from ttsr_ls.globs.match import matches_path
from ttsr_ls.globs.parser import parse_glob
from ttsr_ls.globs.path_matcher import TooManySteps
from ttsr_ls.globs.regex_form import MAX_PATH as MAX_REGEX_PATH
from ttsr_ls.globs.regex_form import regex_form
from ttsr_ls.globs.tree import Element

MAX_GLOB = 4096
"""A longer glob, in characters, matches nothing."""
MAX_PATH = 8192
"""A longer path, in characters, matches no glob; Linux has no path beyond 4096 bytes."""
_USES = 32
"""The number of matches after which a glob gets a regular expression, which takes as long to build."""


class Glob:
    """A pattern for paths. Every text is a valid glob; globs are equal if their texts are.

    Case-sensitive; `/` is the only separator. Supports `*`, `?`, `[…]`, `**`, `{a,b}`, `{1..9}`, `@(a|b)` and the other
    extended groups, and a leading `!` that negates the whole glob.
    """

    __slots__ = ("_elements", "_negated", "_regex", "_uses", "pattern")

    def __init__(self, pattern: str) -> None:
        marks = 0
        while pattern.startswith("!", marks) and not pattern.startswith("!(", marks):
            marks += 1
        self.pattern = pattern
        self._negated = marks % 2 == 1
        self._elements: tuple[Element, ...] | None = None if len(pattern) > MAX_GLOB else parse_glob(pattern[marks:])
        self._uses = 0
        self._regex: re.Pattern[str] | None = None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.pattern == self.pattern

    def __hash__(self) -> int:
        return hash(self.pattern)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.pattern!r})"

    def matches(self, path: str) -> bool:
        """Returns whether the whole path matches. A glob or path that is too long, or takes too many steps, does not
        match, negated or not."""
        if self._elements is None or len(path) > MAX_PATH:
            return False
        if self._uses < _USES:
            self._uses += 1
            if self._uses >= _USES:
                self._regex = regex_form(self._elements)
        if self._regex is not None and len(path) <= MAX_REGEX_PATH:
            return (self._regex.fullmatch(path) is None) is self._negated
        try:
            return matches_path(self._elements, path) is not self._negated
        except TooManySteps:
            return False
