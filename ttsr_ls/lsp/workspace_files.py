"""The files of workspace folders, for globs: listed on the first request, and again when the list is outdated."""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

from ttsr_ls.ide.explain.values import FileList
from ttsr_ls.ide.workspace import Workspace

MAX_FILES = 100_000
"""The most files of a folder that are listed."""
_LIFETIME = 20.0
"""Seconds for which a list is used at least. Changes of files other than rules are not reported."""
_REST = 20.0
"""The pause between two listings, as a multiple of the duration of the first."""
_PATIENCE = 0.25
"""Seconds for which a request waits for a new list before it uses the old one."""
T = TypeVar("T")

ListNames = Callable[[str, int], Sequence[str]]
"""Lists the files of a folder, no more than so many."""


class FirstListingError(Exception):
    """The first listing of a folder is not done. `done` is when it is."""

    def __init__(self, done: Future[None]) -> None:
        super().__init__("the files of the folder are being listed for the first time")
        self.done = done


async def after_listing(run: Callable[..., Awaitable[Any]], function: Callable[..., T], *arguments: object) -> T:
    """Runs `function` by `run` in a thread, and again after a first listing of files that it needs.

    A thread that waited for the listing, which can take many seconds, would delay other requests.
    """
    while True:
        try:
            result: T = await run(function, *arguments)
            return result
        except FirstListingError as error:
            # Shielded: a cancelled request must not cancel the listing for other requests.
            await asyncio.shield(asyncio.wrap_future(error.done))


class WorkspaceFiles:
    """Lists the files around a document that git does not ignore. For use by several threads."""

    def __init__(self, list_names: ListNames | None = None, lifetime: float = _LIFETIME, rest: float = _REST) -> None:
        """`list_names` lists a folder (default: `file_names`). A list is replaced after `lifetime` seconds, but not
        before `rest` times the duration of its listing."""
        self._list_names = list_names or file_names
        self._lifetime = lifetime
        self._rest = rest
        self._lock = threading.Lock()
        self._listings: dict[str, _Listing] = {}

    def around(self, path: str, workspace: Workspace) -> FileList:
        """The files of the innermost workspace folder around `path`, relative to it; none without such a folder.

        Raises FirstListingError.
        """
        folder = workspace.folder_around(path)
        return FileList() if folder is None else self._files(folder)

    def _files(self, folder: str) -> FileList:
        with self._lock:
            listing = self._listings.get(folder)
            if listing is None or time.monotonic() > listing.valid_until(self._lifetime, self._rest):
                before = None if listing is None else listing.files()
                listing = self._listings[folder] = _Listing(lambda: self._list_names(folder, MAX_FILES), before)
        return listing.files()


class _Listing:
    """A list that a thread of its own creates, and the previous list."""

    def __init__(self, list_names: Callable[[], Sequence[str]], before: FileList | None) -> None:
        self._list_names = list_names
        self._before = before
        self._began = time.monotonic()
        self._ended: float | None = None
        self._files = before or FileList()
        self._done: Future[None] = Future()
        threading.Thread(target=self._run, name="ttsr-workspace-files", daemon=True).start()

    def valid_until(self, lifetime: float, rest: float) -> float:
        """Returns the time of `time.monotonic` after which the list is outdated."""
        return math.inf if self._ended is None else self._ended + max(lifetime, rest * (self._ended - self._began))

    def files(self) -> FileList:
        """The files. Waits for a moment for a listing after the first one. Raises FirstListingError."""
        if self._before is None and not self._done.done():
            raise FirstListingError(self._done)
        wait((self._done,), _PATIENCE)
        return self._files

    def _run(self) -> None:
        try:
            names = self._list_names()
            # An equal list stays the same object, for which results are cached.
            if self._before is None or names != self._before.names:
                self._files = FileList(names, len(names) < MAX_FILES)
        finally:
            self._ended = time.monotonic()
            self._done.set_result(None)


def file_names(folder: str, most: int) -> list[str]:
    """The sorted paths, relative to a folder, of at most `most` files that `ttsr-ls scan` would find in it: those that
    git ignores are left out."""
    # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
    from ttsr_ls.store.discovery.scan_tree import files_below
    from ttsr_ls.store.gitignore.ignores import ignores_of
    from ttsr_ls.store.gitignore.users import users_ignore_file

    root = Path(folder)
    return files_below(root, ignores_of(root, users_ignore_file(root, Path.home(), os.environ)), most).paths
