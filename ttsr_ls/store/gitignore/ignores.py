"""All ignore files that apply to the listing of a folder, and their decisions about its names.

As recorded from the reference agent: the folder's own files always apply, those of its parent folders only within a
repository and up to its root, the user's own file only within a repository. `.ignore` overrides `.gitignore`, which
overrides `.git/info/exclude`, which overrides the user's; of one kind, the innermost file overrides the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.store.files.existence import exists
from ttsr_ls.store.gitignore.ignore_file import IgnoredBy, IgnoreFile, IgnoreKind, read_ignore_file

_PLACES = (
    (IgnoreKind.IGNORE, ".ignore"),
    (IgnoreKind.GITIGNORE, ".gitignore"),
    (IgnoreKind.EXCLUDE, ".git/info/exclude"),
)
_ORDER = tuple(IgnoreKind)
_REPOSITORY_MARKS = (".git", ".jj")


class Ignores:
    """The ignore files that apply in a folder, in order of priority: the first with a matching pattern decides."""

    __slots__ = ("_prefixed", "files", "folder")

    def __init__(self, folder: Path, files: tuple[IgnoreFile, ...]) -> None:
        self.folder = folder
        self.files = files
        self._prefixed = tuple((file, _prefix(folder, file.folder)) for file in files)

    def ignoring_pattern(self, name: str, *, is_folder: bool) -> IgnoredBy | None:
        """Returns the pattern that ignores the file or folder of this name in the folder; None if it is not ignored."""
        for file, prefix in self._prefixed:
            pattern = file.deciding_pattern(prefix + name, is_folder=is_folder)
            if pattern is not None:
                return None if pattern.whitelists else IgnoredBy(file.path, pattern.line, pattern.written)
        return None

    @property
    def incomplete_files(self) -> tuple[Path, ...]:
        """The ignore files that have more patterns than are read."""
        return tuple([file.path for file in self.files if not file.is_complete])

    def below(self, name: str) -> Ignores:
        """Returns the ignore files that apply in the subfolder of this name: its own, and these."""
        folder = self.folder / name
        return Ignores(folder, _ordered((*_files_of(folder), *self.files)))


def _prefix(folder: Path, base: Path) -> str:
    """Returns the path of `folder` relative to `base`, with a `/` at its end if not empty; the whole path if it is
    elsewhere."""
    if folder == base:
        return ""
    return f"{(folder.relative_to(base) if folder.is_relative_to(base) else folder).as_posix().rstrip('/')}/"


def ignores_of(folder: Path, users: IgnoreFile | None) -> Ignores:
    """Returns the ignore patterns that apply when `folder` is listed. `users` is the user's own ignore file, for all
    repositories."""
    root = folder.resolve()
    above = _repository_folders(root)
    files = [*_files_of(root)]
    for parent in above:
        files += [file.for_listing(root) for file in _files_of(parent)]
    if above and users is not None:
        files.append(users)
    return Ignores(root, _ordered(files))


def _repository_folders(root: Path) -> tuple[Path, ...]:
    """Returns the folders above `root` up to the nearest repository, innermost first; none without a repository."""
    folders: list[Path] = []
    for folder in root.parents:
        folders.append(folder)
        if any(exists(folder / mark) for mark in _REPOSITORY_MARKS):
            return tuple(folders)
    return ()


def _files_of(folder: Path) -> Iterator[IgnoreFile]:
    for kind, place in _PLACES:
        file = read_ignore_file(kind, folder / place, folder)
        if file is not None:
            yield file


def _ordered(files: Iterable[IgnoreFile]) -> tuple[IgnoreFile, ...]:
    """Sorts files by kind; within a kind, the order stays."""
    return tuple(sorted(files, key=lambda file: _ORDER.index(file.kind)))
