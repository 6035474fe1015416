"""Notifies of possible changes in folders: at once if the system supports that, else within a second.

Does not read the files. Folders may appear later; changes without a notification (network file systems, a full watch
table) are found by polling.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

_POLL_UNWATCHED = 0.5
"""Seconds between polls while the system does not report changes of all folders."""

_POLL_WATCHED = 3.0

_Signature = tuple[tuple[str, int, int], ...]


class FolderWatch:
    """Calls `on_change` after changes directly in `folders`.

    The call comes from a thread of this object, possibly several times for one change and occasionally for none; it
    must return soon, not raise, and not call `stop`. Start it once; after `stop` returned, no call comes.
    `poll_seconds` are the seconds between polls while the system reports changes of all folders.
    """

    def __init__(
        self, folders: Iterable[Path], on_change: Callable[[], None], poll_seconds: float = _POLL_WATCHED
    ) -> None:
        self._poll_seconds = poll_seconds
        self._folders = tuple(folders)
        self._on_change = on_change
        self._seen: dict[Path, _Signature] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ttsr-folder-watch", daemon=True)

    def start(self) -> None:
        """Begins to watch. Existing files are no change."""
        self._seen = {folder: _signature(folder) for folder in self._folders}
        self._thread.start()

    def stop(self) -> None:
        """Ends watching, and waits for a running call."""
        self._stopped.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        observer = _observer()
        watched: set[Path] = set()
        try:
            while True:
                if observer is not None:
                    watched |= {
                        folder for folder in self._folders if folder not in watched and self._schedule(observer, folder)
                    }
                self._poll()
                if self._stopped.wait(self._poll_seconds if watched == set(self._folders) else _POLL_UNWATCHED):
                    return
        finally:
            if observer is not None:
                observer.stop()
                observer.join()

    def _poll(self) -> None:
        for folder in self._folders:
            signature = _signature(folder)
            if signature != self._seen[folder]:
                self._seen[folder] = signature
                self._on_change()

    def _schedule(self, observer: BaseObserver, folder: Path) -> bool:
        """Has the system report changes of a folder. Returns False if it does not."""
        from watchdog.events import FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent
        from watchdog.events import FileSystemEventHandler as Handler

        class OnChange(Handler):
            def on_any_event(_, event: object) -> None:
                if not self._stopped.is_set():
                    self._on_change()

        # Without events for opened files: a reader that reads at each call would cause the next one.
        kinds = [FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent]
        try:
            observer.schedule(OnChange(), str(folder), recursive=False, event_filter=kinds)
        except OSError:  # The folder does not exist yet, or the system has no watch left.
            return False
        return True


def _observer() -> BaseObserver | None:
    from watchdog.observers import Observer

    observer = Observer()
    try:
        observer.start()
    except (OSError, RuntimeError):  # The system has no inotify instance, or no thread, left.
        return None
    return observer


def _signature(folder: Path) -> _Signature:
    """Returns a value that changes when a file in the folder does."""
    found = []
    try:
        for path in folder.iterdir():
            status = path.lstat()
            found.append((path.name, status.st_size, status.st_mtime_ns))
    except OSError:
        return tuple(sorted(found))
    return tuple(sorted(found))
