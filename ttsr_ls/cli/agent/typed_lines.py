"""Reads lines that a user types, without blocking the event loop.

A prompt may be typed ahead. An answer may not: a line that was typed or pasted before its question was shown says
nothing about the question, so it stays a prompt.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable

from msgspec import Struct

REACTION = 0.25
"""The minimum time, in seconds, in which a user can answer a question. Earlier input is the rest of a paste."""

_CHUNK = 64 * 1024
_MAX_LENGTH = 1024 * 1024


class _Line(Struct, frozen=True):
    """A line; `started_at` is when its first byte came, by the clock."""

    text: str
    started_at: float


class TypedLines:
    """Reads lines in a daemon thread, because a blocking read cannot be cancelled.

    The file descriptor is asked for when the first line is wanted. It is not read through `sys.stdin`, whose lock the
    thread would take along when the interpreter ends. `clock` gives seconds and never goes back.
    """

    def __init__(self, descriptor: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._descriptor = descriptor
        self._clock = clock
        self._lines: deque[_Line] = deque()
        self._ended = False
        self._changed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def prompt(self) -> str | None:
        """Returns the next line without its line end; None at the end of the input."""
        self._start()
        while not self._lines and not self._ended:
            await self._change()
        return self._lines.popleft().text if self._lines else None

    async def answer(self) -> str | None:
        """Returns the first line that begins after this call and a pause of `REACTION`; None at the end of the input.

        An unfinished line that the terminal holds is dropped: it was not typed as an answer.
        """
        self._start()
        _drop_unread(self._descriptor())
        asked_at = self._clock()
        while True:
            line = self._first_after_pause(asked_at)
            if line is not None:
                self._lines.remove(line)
                return line.text
            if self._ended:
                return None
            await self._change()

    def _first_after_pause(self, asked_at: float) -> _Line | None:
        """The first line since `asked_at` that began after a pause without input. A slow paste has no such pause."""
        ready = asked_at + REACTION
        for line in self._lines:
            if line.started_at >= ready:
                return line
            if line.started_at >= asked_at:
                ready = line.started_at + REACTION
        return None

    def _start(self) -> None:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(self._descriptor(),), name="typed lines", daemon=True).start()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _read(self, descriptor: int) -> None:
        buffer, started_at = b"", 0.0
        try:
            while data := os.read(descriptor, _CHUNK):
                now = self._clock()
                started_at = started_at if buffer else now
                *lines, buffer = (buffer + data).split(b"\n")
                for line in lines:
                    self._put(_Line(line.rstrip(b"\r").decode("utf-8", "replace"), started_at))
                    started_at = now
                if len(buffer) > _MAX_LENGTH:
                    break
        except OSError:
            pass  # The terminal is gone: this is the end of the input.
        if buffer:
            self._put(_Line(buffer.decode("utf-8", "replace"), started_at))
        self._put(None)

    def _put(self, line: _Line | None) -> None:
        assert self._loop is not None, "the thread is started with the loop"
        with contextlib.suppress(RuntimeError):  # The loop is closed: nobody waits any more.
            self._loop.call_soon_threadsafe(self._take, line)

    def _take(self, line: _Line | None) -> None:
        if line is None:
            self._ended = True
        else:
            self._lines.append(line)
        self._changed.set()


def _drop_unread(descriptor: int) -> None:
    """Discards unread input of a terminal. Other inputs have no unfinished line."""
    if not os.isatty(descriptor):
        return
    try:
        import termios
    except ImportError:  # Not a POSIX system.
        return
    with contextlib.suppress(termios.error):
        termios.tcflush(descriptor, termios.TCIFLUSH)
