"""The files in a folder and its subfolders for `scan`, and their texts.

Never enters `.git`, `node_modules` or folders behind links, and reads files behind links only if these stay inside of
the folder: a repository must not make the scan read files outside of it.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.gitignore.ignores import Ignores

BINARY_PROBE = 8192
"""A file with a NUL in its first `BINARY_PROBE` bytes is binary."""

MAX_SCANNED_BYTES = 64 * 1024 * 1024
"""A larger file is never read, whatever the caller's limit is: its text and its matches must fit into memory."""

_NEVER_ENTERED = frozenset((".git", "node_modules"))


class UnreadReason(StrEnum):
    """The reason why a file was not read."""

    BINARY = "binary"
    LARGE = "large"
    UNREADABLE = "unreadable"


class _Folder(Struct, frozen=True):
    """A folder to walk. `prefix` is its path below the root with a `/` at its end; empty for the root."""

    path: str
    prefix: str
    ignores: Ignores | None


class FileTree(Struct, frozen=True):
    """The paths of all files below a folder, relative to it with `/`, sorted. `incomplete_ignores` are the ignore files
    that have more patterns than are read."""

    paths: list[str]
    incomplete_ignores: tuple[Path, ...]


def files_below(root: Path, ignores: Ignores | None, most: int | None = None) -> FileTree:
    """Returns the files in a folder and its subfolders.

    `ignores` is what git ignores in `root`, or None. A folder that cannot be listed has no files. The walk ends after
    `most` files; None: no limit.
    """
    paths: list[str] = []
    incomplete: dict[Path, None] = {}
    real_root = root.resolve()
    folders = [_Folder(str(root), "", ignores)]
    while folders:
        folder = folders.pop()
        ignores = folder.ignores
        if ignores is not None:
            incomplete.update(dict.fromkeys(ignores.incomplete_files))
        for entry in _entries(folder.path):
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and entry.name in _NEVER_ENTERED:
                continue
            if not is_folder and (entry.name == ".git" or not _is_file(entry, real_root)):
                continue
            if ignores is not None and ignores.ignoring_pattern(entry.name, is_folder=is_folder) is not None:
                continue
            if is_folder:
                below = None if ignores is None else ignores.below(entry.name)
                folders.append(_Folder(entry.path, f"{folder.prefix}{entry.name}/", below))
            else:
                paths.append(folder.prefix + entry.name)
                if len(paths) == most:
                    return FileTree(sorted(paths), tuple(incomplete))
    return FileTree(sorted(paths), tuple(incomplete))


class UnreadFile(Struct, frozen=True):
    """A file that was not read. `detail` is the system's error for an unreadable one, if there is one."""

    reason: UnreadReason
    detail: str | None = None


def read_text(path: str, maximum: int) -> str | UnreadFile:
    """Returns the text of a file of at most `maximum` bytes (0: `MAX_SCANNED_BYTES`), as the reference agent reads it:
    as UTF-8 without a byte order mark, or as UTF-16 (little endian) with its mark.
    """
    limit = min(maximum or MAX_SCANNED_BYTES, MAX_SCANNED_BYTES)
    try:
        descriptor = open_regular(path)
        with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123 - of a descriptor
            size = os.fstat(descriptor).st_size
            if size > limit:
                return UnreadFile(UnreadReason.LARGE)
            # One byte more than the size, so that a file that grows meanwhile does not exceed the limit.
            data = file.read(size + 1)
    except OSError as error:
        return UnreadFile(UnreadReason.UNREADABLE, error.strerror)
    return decoded_text(data, maximum)


def decoded_text(data: bytes, maximum: int) -> str | UnreadFile:
    """Decodes a file as UTF-8, or as UTF-16 with a byte order mark. Returns why not if it is large or binary."""
    if len(data) > min(maximum or MAX_SCANNED_BYTES, MAX_SCANNED_BYTES):
        return UnreadFile(UnreadReason.LARGE)
    if b"\0" in data[:BINARY_PROBE]:
        return UnreadFile(UnreadReason.BINARY)
    if data.startswith(codecs.BOM_UTF16_LE) and len(data) > len(codecs.BOM_UTF16_LE):
        whole_units = data[2 : len(data) & ~1]
        return whole_units.decode("utf-16-le", "surrogatepass")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except (OSError, ValueError):
        return


def _is_file(entry: os.DirEntry[str], root: Path) -> bool:
    try:
        if not entry.is_symlink():
            return entry.is_file()
        return entry.is_file() and Path(entry.path).resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return False
