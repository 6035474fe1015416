"""Lines that a person types, for a program that does other things while it waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable

_CHUNK = 64 * 1024
_LONGEST = 1024 * 1024


class TypedLines:
    """Reads lines in a thread that nobody waits for: a read cannot be taken back.

    The file descriptor is asked for when the first line is wanted. It is not read through `sys.stdin`, whose lock the
    thread would take along when the interpreter ends.
    """

    def __init__(self, descriptor: Callable[[], int]) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def next(self) -> str | None:
        """The next line without its end; None where no more will come."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(self._descriptor(),), name="typed lines", daemon=True).start()
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _read(self, descriptor: int) -> None:
        held = b""
        try:
            while data := os.read(descriptor, _CHUNK):
                *lines, held = (held + data).split(b"\n")
                for line in lines:
                    self._put(line.rstrip(b"\r").decode("utf-8", "replace"))
                if len(held) > _LONGEST:
                    break
        except OSError:
            pass  # The terminal is gone: no more will come.
        if held:
            self._put(held.decode("utf-8", "replace"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        assert self._loop is not None, "the thread is started with the loop"
        with contextlib.suppress(RuntimeError):  # The loop is closed: nobody waits any more.
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
