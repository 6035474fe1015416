"""The match counts of the rules whose lenses an editor shows: made in the background, and again when files change.

One count at a time, after a pause in the edits. The pause after a count is proportional to its duration.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec import Struct

from ttsr_ls.ide.documents import Document
from ttsr_ls.lsp.match_counts.match_count import CountRequest, MatchCount
from ttsr_ls.lsp.match_counts.match_counter import MatchCounter
from ttsr_ls.lsp.uris import can_be_a_path, is_file

if TYPE_CHECKING:
    from ttsr_ls.lsp.server import Server

_PAUSE = 0.5
"""Seconds without an edit before a count begins."""
_MAX_PAUSE = 5.0
"""Seconds for which edits can delay a count at most."""
_PAUSE_FACTOR = 4
"""The pause after a count, as a multiple of its duration."""
_MAX_AGE = 15.0
"""Seconds for which a count is valid if the client does not report changes on the disk."""
_MAX_IDLE = 30.0
"""Seconds without a count after which the process ends."""
MAX_TEXT = 4_000_000
"""The most characters of open files that are sent to the process; it reads the others from the disk."""


class _Known(Struct, frozen=True):
    document: Document
    change: int
    at: float
    count: MatchCount | None


class MatchCounts:
    """Counts the matches of open rules in the workspace, in a child process. Used on the event loop only."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._counter = MatchCounter()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ttsr-ls count")
        self._known: dict[str, _Known] = {}
        self._wanted: dict[str, None] = {}
        self._change = 0
        self._is_edited = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._idle_timer: asyncio.TimerHandle | None = None

    def shown(self, document: Document) -> MatchCount | None:
        """The last count of the matches of an open rule; None before the first count.

        Requests a new count if the last one is out of date.
        """
        if not self._is_countable(document):
            return None
        known = self._known.get(document.uri)
        if known is not None and known.document is not document:
            self._is_edited.set()
        if known is None or known.document is not document or known.change != self._change or self._is_old(known):
            self._want(document.uri)
        return None if known is None else known.count

    def counted(self, document: Document) -> tuple[str, MatchCount] | None:
        """The last count of the matches of an open rule, and the folder to which the paths of its matches are relative.

        None before the first count.
        """
        known, folder = self._known.get(document.uri), self._folder(document)
        return None if known is None or known.count is None or folder is None else (folder, known.count)

    def files_changed(self) -> None:
        """Schedules new counts of all counted rules, after files changed in the editor or on the disk."""
        self._change += 1
        self._is_edited.set()
        # Before the requested rules: the last one is counted first.
        self._wanted = {**dict.fromkeys(uri for uri in self._known if uri not in self._wanted), **self._wanted}
        self._start()

    def forget(self, uri: str) -> None:
        """Forgets the count of a document that was closed.

        A requested count stays requested: an editor that opens the document again at once need not request it again.
        """
        self._known.pop(uri, None)

    def close(self) -> None:
        """Ends the process and the waiting counts."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._counter.close()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _is_countable(self, document: Document) -> bool:
        return is_file(document.uri) and can_be_a_path(document.path) and self._folder(document) is not None

    def _folder(self, document: Document) -> str | None:
        return self._server.current.folder_around(document.path)

    def _is_old(self, known: _Known) -> bool:
        return not self._server.client.registers_watched_files and time.monotonic() > known.at + _MAX_AGE

    def _want(self, uri: str) -> None:
        self._wanted.pop(uri, None)
        self._wanted[uri] = None
        self._start()

    def _start(self) -> None:
        if self._wanted and self._task is None:
            self._task = self._server.start(self._count_all())

    async def _count_all(self) -> None:
        try:
            while self._wanted:
                await self._pause()
                # The last requested rule is the one that the user views.
                uri = next(reversed(self._wanted), None)
                if uri is not None:
                    del self._wanted[uri]
                    await self._count(uri)
        finally:
            self._task = None
            self._stop_process_later()

    async def _pause(self) -> None:
        """Waits for a pause in the edits, for `_MAX_PAUSE` at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_MAX_PAUSE):
                while self._is_edited.is_set():
                    self._is_edited.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._is_edited.wait(), _PAUSE)

    async def _count(self, uri: str) -> None:
        document = self._server.current.rule_document(uri)
        folder = None if document is None else self._folder(document)
        if document is None or folder is None:
            self.forget(uri)
            return
        change, began = self._change, time.monotonic()
        request = CountRequest(
            document.path, document.text, folder, self._server.client.encoding.value, self._texts(folder)
        )
        loop = asyncio.get_running_loop()
        count = await loop.run_in_executor(self._thread, self._counter.count, request)
        now = time.monotonic()
        # After the count: if the document was closed and opened meanwhile, its lens shows no count.
        before = self._known.get(uri)
        self._known[uri] = _Known(document, change, now, count)
        if (before is None or before.count != count) and self._server.client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)
        await asyncio.sleep((now - began) * _PAUSE_FACTOR)

    def _texts(self, folder: str) -> dict[str, str]:
        texts: dict[str, str] = {}
        remaining = MAX_TEXT
        for document in self._server.current.documents.values():
            is_inside = is_file(document.uri) and PurePath(document.path).is_relative_to(folder)
            if document.version is not None and is_inside and len(document.text) <= remaining:
                remaining -= len(document.text)
                texts[document.path] = document.text
        return texts

    def _stop_process_later(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = asyncio.get_running_loop().call_later(_MAX_IDLE, self._counter.stop_idle_process)
