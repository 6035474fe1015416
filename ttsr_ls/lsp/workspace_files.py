"""The files of workspace folders, for globs: listed when they are asked for, and again when the list is old."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from ttsr_ls.ide.workspace import Workspace

_LIFETIME = 20.0
"""How many seconds a list counts. Nobody tells of files that are no rules."""


class WorkspaceFiles:
    """Lists the files around a document that git does not ignore. For use by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listed: dict[str, tuple[float, tuple[str, ...]]] = {}

    def around(self, path: str, workspace: Workspace) -> tuple[str, ...]:
        """The files of the innermost workspace folder around `path`, relative to it; none where there is no folder."""
        around = [folder for folder in workspace.folders if Path(path).is_relative_to(folder)]
        return self._files(max(around, key=len)) if around else ()

    def _files(self, folder: str) -> tuple[str, ...]:
        with self._lock:
            known = self._listed.get(folder)
            if known is None or time.monotonic() > known[0] + _LIFETIME:
                known = self._listed[folder] = (time.monotonic(), _listed(Path(folder)))
            return known[1]


def _listed(folder: Path) -> tuple[str, ...]:
    # Here and not above: it takes long to import, and the answer to `initialize` must not wait for it.
    from ttsr_ls.store.listing import unignored_files

    return unignored_files(folder)
