"""The other names that a file of a folder has: those through symbolic links of the same folder.

A write to `shared/tasks.json` changes `.vscode/tasks.json` where `.vscode` is a link to `shared`. Hard links do not
matter: a file is replaced and not written into, so its other names keep the old file.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.agent.guarded import plain_names

MAX_ENTRIES = 50_000
"""The most entries of a folder that are searched for links, in breadth-first order: about a tenth of a second."""

_MAX_ALIASES = 1_000
_SKIPPED = frozenset((".git", "node_modules"))


def aliases(folder: Path, path: Path) -> Iterator[Path]:
    """Yields the other names of a file, relative to `folder`. Both paths are resolved, and `path` is inside `folder`.

    A link to a folder above itself occurs only once in a name. Yields at most 1,000 names.
    """
    links = [
        (link, target, plain_names(target))
        for link in _links(folder)
        if (target := _target(folder, link)) is not None and target != link
    ]
    waiting: deque[tuple[Path, frozenset[Path]]] = deque([(path.relative_to(folder), frozenset())])
    seen: set[Path] = set()
    while waiting:
        name, paths = waiting.popleft()
        names = plain_names(name)
        for link, target, target_names in links:
            if link in paths or names[: len(target_names)] != target_names:
                continue
            alias = link.joinpath(*name.parts[len(target.parts) :])
            if alias in seen:
                continue
            if len(seen) == _MAX_ALIASES:
                return
            seen.add(alias)
            yield alias
            waiting.append((alias, paths | {link}))


def _links(folder: Path) -> Iterator[Path]:
    """The symbolic links in a folder, relative to it."""
    paths = deque([folder])
    remaining = MAX_ENTRIES
    while paths:
        try:
            entries = os.scandir(paths.popleft())
        except OSError:  # Removed since, or not readable: then no program reads through it, either.
            continue
        with entries:
            for entry in entries:
                remaining -= 1
                if remaining < 0:
                    return
                if entry.is_symlink():
                    yield Path(entry.path).relative_to(folder)
                elif entry.name not in _SKIPPED and entry.is_dir(follow_symlinks=False):
                    paths.append(Path(entry.path))


def _target(folder: Path, link: Path) -> Path | None:
    """Returns the target of a link relative to the folder, which need not exist; None if it is outside."""
    target = Path(os.path.realpath(folder / link))
    return target.relative_to(folder) if target.is_relative_to(folder) else None
