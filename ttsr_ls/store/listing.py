"""Lists the files of a folder as the reference agent does: sorted, without hidden ones, and marked if git ignores them.

Unlike there, a broken link is listed, so that the reader can report that the rule is not in force. Bounded,
because a rule folder may come with an untrusted repository. Links to files count as files; links to folders are never
followed, so there are no loops.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.discovery.limits import DISCOVERY_LIMITS, DiscoveryLimits
from ttsr_ls.store.files.disk_reads import record_read
from ttsr_ls.store.gitignore.ignore_file import IgnoredBy
from ttsr_ls.store.gitignore.ignores import Ignores

_NEVER_ENTERED = frozenset(("node_modules",))


class ListedFile(Struct, frozen=True):
    """A file of a listed folder. `ignored_by` is why the agent does not read it, None if it does."""

    path: Path
    ignored_by: IgnoredBy | None


class Listing(Struct, frozen=True):
    """The listed files of a folder, in order. `is_complete` is false if a limit left some out. `incomplete_ignores` are
    the ignore files that have more patterns than are read."""

    files: tuple[ListedFile, ...]
    is_complete: bool
    incomplete_ignores: tuple[Path, ...] = ()


def list_folder(
    folder: Path, suffixes: tuple[str, ...], ignores: Ignores, limits: DiscoveryLimits = DISCOVERY_LIMITS
) -> Listing:
    """Returns the files directly in a folder whose names end in one of `suffixes`; none if it cannot be listed."""
    seen = [0]
    entries = _entries(folder, seen, limits)
    names = sorted(entry.name for entry in entries if entry.name.endswith(suffixes) and _is_file(entry))
    files = tuple(ListedFile(folder / name, ignores.ignoring_pattern(name, is_folder=False)) for name in names)
    return Listing(files, seen[0] <= limits.folder_entries, ignores.incomplete_files if files else ())


def list_tree(
    folder: Path, suffixes: tuple[str, ...], ignores: Ignores, limits: DiscoveryLimits = DISCOVERY_LIMITS
) -> Listing:
    """Returns the files in a folder and its subfolders whose names end in one of `suffixes`, sorted by path."""
    found: list[tuple[str, ListedFile]] = []
    too_deep = False
    incomplete_ignores: dict[Path, None] = {}
    seen = [0]
    open_folders: list[tuple[Path, str, Ignores, IgnoredBy | None, int]] = [(folder, "", ignores, None, 0)]
    while open_folders:
        current, prefix, here_ignores, ignored, depth = open_folders.pop()
        incomplete_ignores.update(dict.fromkeys(here_ignores.incomplete_files))
        for entry in _entries(current, seen, limits):
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if name in _NEVER_ENTERED:
                    continue
                if depth >= limits.folder_depth:
                    too_deep = True
                else:
                    hidden = ignored or here_ignores.ignoring_pattern(name, is_folder=True)
                    open_folders.append(
                        (current / name, f"{prefix}{name}/", here_ignores.below(name), hidden, depth + 1)
                    )
            elif name.endswith(suffixes) and _is_file(entry):
                reason = ignored or here_ignores.ignoring_pattern(name, is_folder=False)
                found.append((f"{prefix}{name}", ListedFile(current / name, reason)))
    files = tuple(file for _, file in sorted(found, key=lambda item: item[0]))
    is_complete = seen[0] <= limits.folder_entries and not too_deep
    return Listing(files, is_complete, tuple(incomplete_ignores) if files else ())


def _entries(folder: Path, seen: list[int], limits: DiscoveryLimits) -> Iterator[os.DirEntry[str]]:
    """Yields the entries of a folder that are not hidden. Stops at the limit for all folders, counted in `seen`."""
    record_read(folder)
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                seen[0] += 1
                if seen[0] > limits.folder_entries:
                    return
                if not entry.name.startswith("."):
                    yield entry
    except (OSError, ValueError):
        return


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Returns whether an entry is no folder. Reading a broken link, a pipe, or a device fails, so it is reported."""
    try:
        if entry.is_symlink():
            record_read(entry.path)
        return not entry.is_dir()
    except OSError:
        return entry.is_symlink()
