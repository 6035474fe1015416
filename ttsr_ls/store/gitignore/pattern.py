"""One line of a `.gitignore` as a pattern for paths, in bounded time.

The rules are git's, with what the reference agent's listing adds and leaves out: `{a,b}` are alternatives, a line that
is no valid pattern (`[`, `{a`, a last backslash) is ignored, and case always counts. Recorded answers are
tests.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.globs.path_matcher import PathMatcher, TooManySteps
from ttsr_ls.globs.tree import AnyChar, CharClass, Element, GlobGroup, Globstar, GroupKind, LiteralChar, Star

MAX_LINE = 1024
"""A longer line, in characters, is not read."""
_MAX_DEPTH = 16


class IgnorePattern(Struct, frozen=True):
    """A pattern, as `written` on line `line` (counted from 1) of its file.

    `whitelists` is true for a pattern with `!` before it, `only_folders` for one with `/` at its end.
    """

    written: str
    line: int
    whitelists: bool
    only_folders: bool
    _elements: tuple[Element, ...]
    _ending: str
    _contained: str

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Returns whether it matches a path relative to its file's folder, without `/` at either end."""
        if (self.only_folders and not is_folder) or not path.endswith(self._ending) or self._contained not in path:
            return False
        try:
            return bool(PathMatcher(path).match_starts(self._elements, 1 << len(path)) & 1)
        except TooManySteps:
            return False


def read_pattern(line: str, number: int) -> IgnorePattern | None:
    """Returns the pattern in a line; None for a comment, a blank line, or an invalid pattern."""
    text = line if line.endswith("\\ ") else line.rstrip()
    if not text or len(text) > MAX_LINE or text.startswith("#"):
        return None
    source = text
    whitelists = text.startswith("!")
    if text.startswith(("!", "\\!", "\\#")):
        text = text[1:]
    anchored = text.startswith("/")
    text = text.removeprefix("/")
    only_folders = text.endswith("/")
    if only_folders:
        text = text[:-1].removesuffix("\\")
    if not anchored and "/" not in text and text != "**":
        # An empty pattern, as in a line with only `!`, matches everything.
        text = f"**/{text}" if text else "**"
    if text.endswith("/**"):
        # Matches everything in the folder, but not the folder.
        text += "/*"
    elements = _Reader(text).read()
    if elements is None:
        return None
    return IgnorePattern(source, number, whitelists, only_folders, elements, _ending(elements), _contained(elements))


def _ending(elements: tuple[Element, ...]) -> str:
    """Returns the characters at the end of every matching path: most patterns are rejected by these alone."""
    ending = ""
    for element in reversed(elements):
        if not isinstance(element, LiteralChar):
            break
        ending = element.char + ending
    # The `/` after a `**` may match nothing.
    return ending.removeprefix("/") if len(ending) < len(elements) else ending


def _contained(elements: tuple[Element, ...]) -> str:
    """Returns the longest run of characters that is in every matching path."""
    longest = run = ""
    for element in elements:
        # A `/` after a `**` may match nothing.
        run = run + element.char if isinstance(element, LiteralChar) and element.char != "/" else ""
        longest = max(longest, run, key=len)
    return longest


class _Reader:
    """Reads the text of a pattern once, from its start to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> tuple[Element, ...] | None:
        """Returns the elements; None if the text is not valid."""
        branches = self._branches(0)
        return branches[0] if branches is not None else None

    def _branches(self, depth: int) -> list[tuple[Element, ...]] | None:
        """Reads the branches up to the `}` that closes this depth, or up to the end at depth 0."""
        branches: list[list[Element]] = [[]]
        while self._at < len(self._text):
            char = self._text[self._at]
            if depth and char in ",}":
                self._at += 1
                if char == "}":
                    return [tuple(branch) for branch in branches if branch]
                branches.append([])
                continue
            element = self._element(char, depth)
            if element is None:
                return None
            branches[-1].append(element)
        return None if depth else [tuple(branches[0])]

    def _element(self, char: str, depth: int) -> Element | None:
        start = self._at
        self._at += 1
        match char:
            case "?":
                return AnyChar()
            case "*":
                return self._stars(start, depth)
            case "[":
                return self._class()
            case "{":
                branches = self._branches(depth + 1) if depth < _MAX_DEPTH else None
                return None if branches is None else GlobGroup(GroupKind.BRACES, tuple(branches) or ((),))
            case "}":
                return None
            case "\\":
                self._at += 1
                return LiteralChar(self._text[start + 1]) if start + 1 < len(self._text) else None
            case _:
                return LiteralChar(char)

    def _stars(self, start: int, depth: int) -> Element:
        """Reads `*`, or `**` if it is a whole segment. The start and the end of a branch count as a `/`."""
        text = self._text
        if text.startswith("*", start + 1):
            self._at += 1
            before, after = text[max(start - 1, 0) : start], text[start + 2 : start + 3]
            if before in ("", "/", *(",{" if depth else "")) and after in ("", "/", *(",}" if depth else "")):
                return Globstar()
        return Star()

    def _class(self) -> Element | None:
        text = self._text
        negated = text[self._at : self._at + 1] in ("!", "^")
        first = self._at + negated
        # A `]` at the start is one of the characters.
        end = text.find("]", first + 1)
        if end < 0:
            return None
        chars, ranges, position = text[first:end], list[tuple[str, str]](), 0
        self._at = end + 1
        while position < len(chars):
            if chars[position + 1 : position + 2] == "-" and position + 2 < len(chars):
                if chars[position] > chars[position + 2]:
                    return None
                ranges.append((chars[position], chars[position + 2]))
                position += 3
            else:
                ranges.append((chars[position], chars[position]))
                position += 1
        return CharClass(tuple(ranges), negated)
