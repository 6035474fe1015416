"""The files that `scan` reads: named files and folders, files that match globs, and files that changed in git."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.path_glob import PathGlob
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.scan_tree import UnreadFile, UnreadReason, files_below, read_text
from ttsr_ls.store.git_changes import AddedLines, StagedTexts
from ttsr_ls.store.gitignore.ignores import Ignores, ignores_of
from ttsr_ls.store.gitignore.users import users_ignore_file

_GLOB = re.compile(r"[*?\[{]")


class ScanTarget(Struct, frozen=True):
    """A file to scan: its absolute path, and the path that is shown. `added` is None if all of its lines count."""

    path: str
    shown: str
    added: AddedLines | None = None


Reader = Callable[[ScanTarget, int], str | UnreadFile]
"""Reads the text of a target that has at most a number of bytes."""


def read_target(target: ScanTarget, maximum: int) -> str | UnreadFile:
    """Reads a file from the disk."""
    return read_text(target.path, maximum)


def staged_reader(texts: StagedTexts) -> Reader:
    """Reads the contents that are staged."""

    def read(target: ScanTarget, maximum: int) -> str | UnreadFile:
        blob = None if target.added is None else target.added.blob
        return UnreadFile(UnreadReason.UNREADABLE) if blob is None else texts.read(blob, maximum)

    return read


class FoundTargets(Struct, frozen=True):
    """The files of all arguments, each once, in order. `incomplete_ignores` are ignore files with more patterns than
    are read."""

    targets: list[ScanTarget]
    incomplete_ignores: tuple[Path, ...]


def targets_of(names: Sequence[str], place: AgentEnvironment, *, gitignore: bool) -> FoundTargets:
    """Finds the files of the arguments. Raises `UsageError` for an argument that names no file."""
    targets: dict[str, ScanTarget] = {}
    incomplete: dict[Path, None] = {}
    for name in names:
        for target in _targets(name, place, incomplete, gitignore=gitignore):
            targets.setdefault(target.path, target)
    return FoundTargets(list(targets.values()), tuple(incomplete))


def changed_targets(names: Sequence[str], changes: Iterable[AddedLines], place: AgentEnvironment) -> list[ScanTarget]:
    """The files with added lines that the arguments name, in order of their paths. Raises `UsageError`."""
    choices = [_choice(name, place) for name in names]
    by_path: Mapping[str, AddedLines] = {lines.path: lines for lines in changes}
    return [
        ScanTarget(f"{_slashed(place.cwd)}{path}", path, by_path[path])
        for path in sorted(by_path)
        if any(choice(path) for choice in choices)
    ]


def _targets(
    name: str, place: AgentEnvironment, incomplete: dict[Path, None], *, gitignore: bool
) -> Iterator[ScanTarget]:
    """Yields the files of an argument. Adds the ignore files that are incomplete to `incomplete`."""
    path = _existing(name, place)
    if path is None:
        yield from _matching(name, place, incomplete, gitignore=gitignore)
    elif path.is_dir():
        yield from _files_in(path.resolve(), name, place, incomplete, gitignore=gitignore)
    else:
        yield ScanTarget(str(path), os.path.normpath(name))


def _existing(name: str, place: AgentEnvironment) -> Path | None:
    """The file or folder that an argument names; None for a glob."""
    display = one_line(name)
    if not name:  # An empty shell variable must not mean the current folder.
        raise UsageError("the name of a file or folder is empty")
    try:
        path = place.cwd / name
        if path.exists():
            return path
    except OSError as error:
        raise UsageError(f"cannot scan {display}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"cannot scan {display}: {error}") from error
    if _GLOB.search(name):
        return None
    raise UsageError(f"there is no file or folder {display}")


def _files_in(
    root: Path, name: str, place: AgentEnvironment, incomplete: dict[Path, None], *, gitignore: bool
) -> Iterator[ScanTarget]:
    above, display = _slashed(root), _shown_prefix(name, root, place.cwd)
    ignores = _ignores(root, place) if gitignore else None
    tree = files_below(root, ignores)
    incomplete.update(dict.fromkeys(tree.incomplete_ignores))
    for file in tree.paths:
        yield ScanTarget(above + file, display + file)


def _matching(
    pattern: str, place: AgentEnvironment, incomplete: dict[Path, None], *, gitignore: bool
) -> Iterator[ScanTarget]:
    """The files that match a glob: by their whole path, or by their name alone where the glob has no `/`."""
    segments = pattern.split("/")
    fixed = next(number for number, segment in enumerate(segments) if _GLOB.search(segment))
    base = "/".join(segments[:fixed]) or ("/" if pattern.startswith("/") else ".")
    root = place.cwd / base
    if not root.is_dir():
        raise UsageError(f"there is no folder {one_line(base)}, so no file matches {one_line(pattern)}")
    glob = PathGlob(pattern.removeprefix("./"))
    files = _files_in(root.resolve(), base, place, incomplete, gitignore=gitignore)
    targets = [target for target in files if _matches(glob, target)]
    if not targets:
        hint = "; --no-gitignore includes files that git ignores" if gitignore else ""
        raise UsageError(f"no file matches {one_line(pattern)}{hint}")
    yield from targets


def _matches(glob: PathGlob, target: ScanTarget) -> bool:
    return glob.matches_any((target.shown,))


def _choice(name: str, place: AgentEnvironment) -> Callable[[str], bool]:
    """Returns whether an argument names a changed file, by its path below the current folder."""
    path = _existing(name, place)
    if path is None:
        glob = PathGlob(name.removeprefix("./"))
        return lambda changed: glob.matches_any((changed,))
    try:
        relative = path.resolve().relative_to(place.cwd.resolve()).as_posix()
    except ValueError:
        raise UsageError(
            f"{one_line(name)} is outside of the current folder; --diff and --staged scan only files in it"
        ) from None
    return lambda changed: relative in (".", changed) or changed.startswith(f"{relative}/")


def _slashed(folder: Path) -> str:
    return f"{folder}/" if str(folder) != "/" else "/"


def _shown_prefix(name: str, root: Path, cwd: Path) -> str:
    """The path from `cwd` to `root`, with a `/` at its end; outside of `cwd`, an absolute `name` as it was written."""
    if root == cwd:
        return ""
    if root.is_relative_to(cwd):
        return f"{root.relative_to(cwd).as_posix()}/"
    if Path(name).is_absolute():
        return f"{Path(name).as_posix().rstrip('/')}/"
    shared = next(parent for parent in (root, *root.parents) if cwd.is_relative_to(parent))
    up = "../" * len(cwd.relative_to(shared).parts)
    down = root.relative_to(shared).as_posix()
    return up if down == "." else f"{up}{down}/"


def _ignores(root: Path, place: AgentEnvironment) -> Ignores:
    """Returns the ignore patterns of git for a folder; those of the current folder too if the folder is below it."""
    users = users_ignore_file(place.cwd, place.home, place.environ)
    if not root.is_relative_to(place.cwd):
        return ignores_of(root, users)
    ignores = ignores_of(place.cwd, users)
    for name in root.relative_to(place.cwd).parts:
        ignores = ignores.below(name)
    return ignores
