"""Rewrites settings files of other programs, with a backup of the original that can be restored.

The backups are in the state folder. A file that a user changed since is not restored.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ttsr_ls.errors import UsageError
from ttsr_ls.store.files.bounded_file import read_bytes
from ttsr_ls.store.files.file_lock import hold_lock
from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders
from ttsr_ls.store.files.replacement import replace_file

MAX_SETTINGS = 1024 * 1024
"""A longer file of settings is not rewritten, in bytes. Claude Code reads none of 2 MiB."""

_LOCK_SECONDS = 20.0


class SettingsBackup:
    """The copies in a folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other processes from changing settings in the body of a `with`. Raises UsageError."""
        path = self._folder.with_name("settings.lock")
        with ExitStack() as stack:
            try:
                is_held = stack.enter_context(hold_lock(path, _LOCK_SECONDS))
            except OSError as error:
                raise UsageError(f"cannot write {path}: {error.strerror}; nothing was changed") from error
            if not is_held:
                raise UsageError("another `ttsr-ls install` or `uninstall` is under way; run this again after it")
            yield

    def read(self, path: Path) -> str | None:
        """Returns the text of a file; None if there is none. Raises UsageError."""
        data = _data(path)
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"cannot read {path}: it is not UTF-8; save it as UTF-8 first") from error

    def write(self, path: Path, before: str | None, after: str, original: str | None) -> None:
        """Replaces `before` by `after`, and keeps `original` (None: no file) as the text to restore.

        While the file is as it was last written, the backup of an earlier write is kept instead. Raises UsageError,
        and then has changed nothing.
        """
        earlier = {copy: _data(copy) for copy in self._copies(path)}
        try:
            self._keep(path, before, after, original)
            _replace_settings(path, before, after)
        except (OSError, UsageError) as error:
            for copy, data in earlier.items():
                _put_back(copy, data)
            if isinstance(error, UsageError):
                raise
            raise _unwritable(path, error) from error

    def _keep(self, path: Path, before: str | None, after: str, original: str | None) -> None:
        file_path, written_path, first = self._copies(path)
        make_private_folders(self._folder)
        if before is None or _data(written_path) != before.encode():
            earlier = _data(file_path) or b""
            if (
                before is not None
                and written_path.exists()
                and not first.exists()
                and earlier != (original or "").encode()
            ):
                replace_file(first, earlier, PRIVATE_FILE)
            if original is None:
                file_path.unlink(missing_ok=True)
            else:
                replace_file(file_path, original.encode(), PRIVATE_FILE)
        replace_file(written_path, after.encode(), PRIVATE_FILE)

    def restore(self, path: Path, now: str, cleaned: Callable[[str], str | None]) -> bool:
        """Restores the content before the first `write`, byte for byte; `now` is the current text of the file.

        `cleaned` gets the backup and returns the text to restore (None: no file), because an earlier version could
        keep a backup with its own changes. Returns False if the file changed since, or if there is no backup.
        """
        file_path, written_path, _ = self._copies(path)
        if _data(written_path) != now.encode():
            return False
        original = cleaned(_text(file_path)) if file_path.exists() else None
        self.replace(path, now, original)
        return True

    def replace(self, path: Path, now: str | None, text: str | None) -> None:
        """Replaces `now` (None: no file) by `text`, or removes the file (None), and forgets its backup.

        Raises UsageError, and then has changed nothing.
        """
        try:
            _replace_settings(path, now, text)
            self.forget(path)
        except OSError as error:
            raise _unwritable(path, error) from error

    def check_writable(self, path: Path) -> None:
        """Raises UsageError if `write` and `replace` could not change or create a file."""
        target = path.resolve()
        if target.exists() and not stat.S_IMODE(target.stat().st_mode) & stat.S_IWUSR:
            raise _unwritable(path, PermissionError(errno.EACCES, "it is read-only"))
        folder = next(folder for folder in target.parents if folder.exists())
        if not os.access(folder, os.W_OK):
            raise _unwritable(path, PermissionError(errno.EACCES, f"its folder {folder} is read-only"))

    def has_copy_of(self, path: Path) -> bool:
        """Returns whether the file was written, and not restored since."""
        _, written, _ = self._copies(path)
        return written.exists()

    def backup_of(self, path: Path) -> str | None:
        """Returns the text that would be restored; None if there is no backup, or if there was no file."""
        file_path, _, _ = self._copies(path)
        return _text(file_path) if file_path.exists() else None

    def first_original(self, path: Path) -> str | None:
        """Returns the text before the first of several writes, between which the user changed the file; blank if there
        was no file. None if the user did not change it.
        """
        _, _, first = self._copies(path)
        return _text(first) if first.exists() else None

    @property
    def has_copies(self) -> bool:
        """True if some file was written and not restored."""
        return any(self._folder.glob("*.after"))

    def forget(self, path: Path) -> None:
        """Removes the copies of a file."""
        for copied in self._copies(path):
            copied.unlink(missing_ok=True)

    def _copies(self, path: Path) -> tuple[Path, Path, Path]:
        """Returns the paths of the text to restore, of the last written text, and of the text before the first of
        several writes."""
        name = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:16]
        return self._folder / f"{name}.before", self._folder / f"{name}.after", self._folder / f"{name}.first"


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _data(path: Path) -> bytes | None:
    """Returns the bytes of a file; None if there is none. Raises UsageError."""
    try:
        data = read_bytes(path, MAX_SETTINGS + 1)
    except FileNotFoundError:
        if path.is_symlink():
            reason = f"it is a link to {path.readlink()}, which is missing"
            raise UsageError(f"cannot read {path}: {reason}; remove the link, or make the file") from None
        return None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}; put a file of settings there, or nothing") from error
    if len(data) > MAX_SETTINGS:
        raise UsageError(f"cannot read {path}: it is larger than {MAX_SETTINGS // 1024} KiB; shorten it first")
    return data


def _replace_settings(path: Path, before: str | None, after: str | None) -> None:
    """Replaces a file, or what it links to; removes it if `after` is None. Raises OSError, UsageError."""
    if _data(path) != (None if before is None else before.encode()):
        raise UsageError(f"{path} was changed by another program in the meantime and is left as it is; run this again")
    target = path.resolve()
    if before is None:
        make_private_folders(target.parent)
        replace_file(target, (after or "").encode(), PRIVATE_FILE)
        return
    mode = stat.S_IMODE(target.stat().st_mode)
    if not mode & stat.S_IWUSR:
        raise _unwritable(path, PermissionError(errno.EACCES, "it is read-only"))
    if after is None and not path.is_symlink():
        path.unlink()
    else:
        replace_file(target, ("{}\n" if after is None else after).encode(), mode)


def _put_back(path: Path, data: bytes | None) -> None:
    try:
        if data is None:
            path.unlink(missing_ok=True)
        else:
            replace_file(path, data, PRIVATE_FILE)
    except OSError:  # The caller raises the first error.
        return


def _unwritable(path: Path, error: OSError) -> UsageError:
    advice = "Make it and its folder writable first" if isinstance(error, PermissionError) else "Correct this first"
    return UsageError(f"cannot write {path}: {error.strerror}; nothing was changed. {advice}")
