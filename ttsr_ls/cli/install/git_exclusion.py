"""Has git ignore a project's settings with the token of the hook server, in `info/exclude`, which is not committed."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.git_program import GitError, run_git
from ttsr_ls.store.settings_backup import SettingsBackup

_SPECIAL = re.compile(r"([\\*?\[\]! #])")

_REASON = "# The next file has the secret token of a hook server (added by `ttsr-ls install`)."


class ExcludeChange(Struct, frozen=True):
    """A change of the file `info/exclude`. `before` is None where there is no such file."""

    path: Path
    before: str | None
    after: str


class GitExclusion:
    """The exclusion of the file `settings` below the current folder. Without git or a repository there is none."""

    def __init__(self, settings: Path, backup: SettingsBackup) -> None:
        self._name = settings.relative_to(Path.cwd())
        self._backup = backup

    @cached_property
    def _exclude(self) -> Path | None:
        try:
            output = run_git(Path.cwd(), "rev-parse", "--git-path", "info/exclude")
        except GitError:
            return None
        return Path.cwd() / output.decode("utf-8", "surrogateescape").removesuffix("\n")

    @property
    def _line(self) -> str:
        """The pattern of the file. Raises GitError, also for a folder whose name cannot stand in a line of text."""
        prefix = run_git(Path.cwd(), "rev-parse", "--show-prefix").removesuffix(b"\n")
        try:
            folder = prefix.decode("utf-8")
        except UnicodeDecodeError as error:
            raise GitError("the name of the folder is not UTF-8") from error
        if not folder.isprintable():
            raise GitError("the name of the folder has a control character")
        return "/" + _SPECIAL.sub(r"\\\1", folder + self._name.as_posix())

    @property
    def is_tracked(self) -> bool:
        """True if git tracks the file, so that it is committed although it is ignored."""
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
        except GitError:  # For example in a bare repository, where nothing can be committed.
            return None
        before = self._backup.read(self._exclude)
        # At the start of the file, the lines can be removed without a trace.
        return ExcludeChange(self._exclude, before, f"{_REASON}\n{line}\n{before or ''}")

    def add(self, change: ExcludeChange) -> None:
        """Writes the change. Raises UsageError."""
        self._backup.replace(change.path, change.before, change.after)

    def remove(self) -> None:
        """Removes the lines that `add` wrote, and the file if nothing else is in it. Raises UsageError."""
        text = None if self._exclude is None else self._backup.read(self._exclude)
        if self._exclude is None or text is None:
            return
        try:
            addition = f"{_REASON}\n{self._line}\n"
        except GitError:  # No line was added here.
            return
        if addition in text:
            self._backup.replace(self._exclude, text, text.replace(addition, "", 1) or None)
