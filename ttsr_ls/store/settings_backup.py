"""Rewrites settings files of other programs, with a backup of the original that can be restored.

The backups are in the state folder. A file that a user changed since is not restored.
"""

from __future__ import annotations

import hashlib
import os
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

    def write(self, path: Path, before: str | None, after: str) -> None:
        """Replaces `before` by `after` and keeps a backup of `before`. Raises UsageError."""
        original, written = self._copies(path)
        try:
            # The first copy stays: what is written later is an update of our own part.
            if not (original.exists() and written.exists() and _text(written) == before):
                _replace(original, before if before is not None else "", PRIVATE_FILE)
                if before is None:
                    original.unlink()
            _replace(written, after, PRIVATE_FILE)
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, after, None)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error

    def restore(self, path: Path, now: str) -> bool:
        """Restores the content before the first `write`, byte for byte; `now` is the current text of the file.

        Returns False if the file changed since, or if there is no backup.
        """
        original, written = self._copies(path)
        if not written.exists() or _text(written) != now:
            return False
        try:
            if original.exists():
                _replace(path, _text(original), None)
                original.unlink()
            else:
                path.unlink()
            written.unlink()
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error
        return True

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
