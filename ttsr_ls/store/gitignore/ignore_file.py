"""A file of ignore patterns: `.gitignore`, `.ignore` or `.git/info/exclude`, read within bounds."""

from __future__ import annotations

from enum import Enum
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.store.files.bounded_file import read_optional_text
from ttsr_ls.store.gitignore.pattern import IgnorePattern, read_pattern

MAX_PATTERNS = 2000
"""The most patterns that are read of one file."""


class IgnoreKind(Enum):
    """The kinds of ignore files, in descending order of priority."""

    IGNORE = "ignore"
    GITIGNORE = "gitignore"
    EXCLUDE = "exclude"
    USERS = "users"


class IgnoredBy(Struct, frozen=True):
    """The reason why a file is ignored: a pattern, with its file and line."""

    path: Path
    line: int
    pattern: str


class IgnoreFile(Struct, frozen=True):
    """The patterns of the file at `path`, in order. They match paths relative to `folder`. `is_complete` is false if it
    has more patterns than are read."""

    kind: IgnoreKind
    path: Path
    folder: Path
    patterns: tuple[IgnorePattern, ...]
    is_complete: bool = True

    def deciding_pattern(self, relative: str, *, is_folder: bool) -> IgnorePattern | None:
        """Returns the pattern that decides on a path: the last one that matches; None if none does."""
        patterns = (pattern for pattern in reversed(self.patterns) if pattern.matches(relative, is_folder=is_folder))
        return next(patterns, None)

    def for_listing(self, root: Path) -> IgnoreFile:
        """Returns the part of this file that applies when the files of the folder `root`, below its own, are listed.

        The agent also lists a folder that is itself ignored. Then the patterns that ignore the folder, or one above it,
        are left out, because they would hide all its files; the others apply.
        """
        relative = root.relative_to(self.folder).as_posix()
        above = [relative, *(str(parent) for parent in PurePosixPath(relative).parents if str(parent) != ".")]
        decisions = (self.deciding_pattern(path, is_folder=True) for path in above)
        decision = next((pattern for pattern in decisions if pattern is not None), None)
        if decision is None or decision.whitelists:
            return self
        kept = tuple(
            pattern
            for pattern in self.patterns
            if pattern.whitelists or not any(pattern.matches(path, is_folder=True) for path in above)
        )
        return replace(self, patterns=kept)


def read_ignore_file(kind: IgnoreKind, path: Path, folder: Path) -> IgnoreFile | None:
    """Returns the ignore file at `path` with patterns for paths below `folder`; None if it has none, or is too
    large."""
    text = read_optional_text(path)
    if text is None:
        return None
    patterns: list[IgnorePattern] = []
    is_complete = True
    for number, line in enumerate(text.split("\n"), start=1):
        pattern = read_pattern(line.removesuffix("\r"), number)
        if pattern is not None:
            if len(patterns) >= MAX_PATTERNS:
                is_complete = False
                break
            patterns.append(pattern)
    return IgnoreFile(kind, path, folder, tuple(patterns), is_complete) if patterns else None
