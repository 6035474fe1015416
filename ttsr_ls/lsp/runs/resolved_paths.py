"""Paths with their links resolved, as the triggers of runs have them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

_MAX_FOLDERS = 100
"""Links in a path with more folders are not resolved: each folder takes a system call, and agents choose the paths."""
_MAX_PATHS = 4096
_LIFETIME = 2.0
"""Seconds. All open documents are resolved at each keystroke, but a link may be created or changed at any time."""


class ResolvedPaths:
    """Resolves paths, each once within `_LIFETIME`. Used on the loop only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._paths: dict[str, str] = {}
        self._began = clock()

    def resolve(self, path: str) -> str:
        """The path without links; the path itself if no file can have it."""
        now = self._clock()
        if now - self._began >= _LIFETIME or len(self._paths) >= _MAX_PATHS:
            self._paths.clear()
            self._began = now
        resolved = self._paths.get(path)
        if resolved is None:
            resolved = self._paths[path] = _resolved(path)
        return resolved


def _resolved(path: str) -> str:
    if path.count(os.sep) > _MAX_FOLDERS:
        return os.path.normpath(path)
    try:
        return os.path.realpath(path)
    except ValueError:  # An agent can name a path that no file has: with a NUL, or half of a surrogate pair.
        return path


resolved_path = ResolvedPaths().resolve
"""Resolves a path for the server. Used on the loop only."""
