"""Has git ignore a project's settings with the token of the hook server, in `info/exclude`, which is not committed."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.git_program import GitError, run_git
from ttsr_ls.store.settings_backup import SettingsBackup

_SPECIAL = re.compile(r"([\\*?\[\]! #])")


class ExcludeChange(Struct, frozen=True):
    """A change of the file `info/exclude`. `before` is None where there is no such file."""

    path: Path
    before: str | None
    after: str


class GitExclusion:
    """The exclusion of the file `settings` below the current folder. Without git or a repository there is none."""

    def __init__(self, settings: Path, backup: SettingsBackup) -> None:
        self._settings = settings
        self._name = settings.relative_to(Path.cwd())
        self._backup = backup

    @cached_property
    def _exclude(self) -> Path | None:
        try:
            found = run_git(Path.cwd(), "rev-parse", "--git-path", "info/exclude")
        except GitError:
            return None
        return Path.cwd() / found.decode("utf-8", "surrogateescape").removesuffix("\n")

    @property
    def _line(self) -> str:
        prefix = run_git(Path.cwd(), "rev-parse", "--show-prefix").decode("utf-8", "surrogateescape").removesuffix("\n")
        return "/" + _SPECIAL.sub(r"\\\1", prefix + self._name.as_posix())

    @property
    def is_tracked(self) -> bool:
        """Whether git tracks the file, so that it is committed although it is ignored."""
        if self._exclude is None:
            return False
        try:
            return bool(run_git(Path.cwd(), "ls-files", "--", str(self._name)))
        except GitError:
            return False

    def change(self) -> ExcludeChange | None:
        """The change that has git ignore the file; None where git ignores it, or is not used. Raises UsageError."""
        if self._exclude is None:
            return None
        try:
            if run_git(Path.cwd(), "check-ignore", "--no-index", "--", str(self._name), accepts=(0, 1)):
                return None
            line = self._line
        except GitError:  # In a bare repository, nothing can be committed from here.
            return None
        before = self._backup.read(self._exclude)
        end = "\n" if before and not before.endswith("\n") else ""
        return ExcludeChange(self._exclude, before, f"{before or ''}{end}{line}\n")

    def add(self, change: ExcludeChange) -> None:
        """Writes the change. Raises UsageError."""
        self._backup.write(change.path, change.before, change.after, change.before)

    def remove(self) -> None:
        """Takes the line out again if `add` wrote it. Raises UsageError."""
        if self._exclude is None or not self._backup.has_copy(self._exclude):
            return
        text = self._backup.read(self._exclude)
        if text is None:
            self._backup.forget(self._exclude)
        elif not self._backup.restore(self._exclude, text, lambda original: original):
            line = self._line
            self._backup.replace(self._exclude, "".join(each for each in text.splitlines(True) if each.strip() != line))
