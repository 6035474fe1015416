"""Rewrites settings files of other programs, with a backup of the original that can be restored.

The backups are in the state folder. A file that a user changed since is not restored.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from ttsr_ls.errors import UsageError
from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders
from ttsr_ls.store.files.replacement import replace_file

MAX_SETTINGS = 4 * 1024 * 1024
"""A longer file of settings is not rewritten, in bytes."""


class SettingsBackup:
    """The copies in a folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, path: Path) -> str | None:
        """The text of a file; None where there is none. Raises UsageError."""
        try:
            with path.open("rb") as file:
                data = file.read(MAX_SETTINGS + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from error
        if len(data) > MAX_SETTINGS:
            raise UsageError(f"cannot read {path}: it is larger than {MAX_SETTINGS // 1024} KiB")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"cannot read {path}: it is not UTF-8") from error

    def write(self, path: Path, before: str | None, after: str, original: str | None) -> None:
        """Replaces `before` by `after`, and keeps `original` (None: no file) as the text to restore.

        While the file is as it was last written, the backup of an earlier write is kept instead. Raises UsageError.
        """
        kept, written = self._copies(path)
        try:
            if not (written.exists() and _text(written) == before):
                _replace(kept, original or "", PRIVATE_FILE)
                if original is None:
                    kept.unlink()
            _replace(written, after, PRIVATE_FILE)
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, after, None)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error

    def restore(self, path: Path, now: str, cleaned: Callable[[str], str | None]) -> bool:
        """Restores the content before the first `write`, byte for byte; `now` is the current text of the file.

        `cleaned` gets the backup and returns the text to restore (None: no file), because an earlier version could
        keep a backup with its own changes. Returns False if the file changed since, or if there is no backup.
        """
        kept, written = self._copies(path)
        if not written.exists() or _text(written) != now:
            return False
        original = cleaned(_text(kept)) if kept.exists() else None
        self.replace(path, original)
        return True

    def replace(self, path: Path, text: str | None) -> None:
        """Replaces a file, or removes it (None), and forgets its backup. Raises UsageError."""
        try:
            if text is None:
                path.unlink()
            else:
                _replace(path, text, None)
            self.forget(path)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error

    def backup_of(self, path: Path) -> str | None:
        """The text that would be restored; None where there is no backup, or where there was no file."""
        kept, _ = self._copies(path)
        return _text(kept) if kept.exists() else None

    @property
    def has_copies(self) -> bool:
        """Whether some file was written and not restored."""
        return any(self._folder.glob("*.after"))

    def forget(self, path: Path) -> None:
        """Removes the copies of a file."""
        for copied in self._copies(path):
            copied.unlink(missing_ok=True)

    def _copies(self, path: Path) -> tuple[Path, Path]:
        name = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:16]
        return self._folder / f"{name}.before", self._folder / f"{name}.after"


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _replace(path: Path, text: str, mode: int | None) -> None:
    """Replaces a file, or what it links to. `mode` None: the permissions that it had."""
    make_private_folders(path.parent)
    target = path.resolve()
    kept = target.stat().st_mode & 0o777 if target.exists() else PRIVATE_FILE
    replace_file(target, text.encode("utf-8"), kept if mode is None else mode)
