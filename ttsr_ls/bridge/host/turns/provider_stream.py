"""A provider's stream in any form that an SDK returns: opened, read event by event, interrupted, closed."""

from __future__ import annotations

import asyncio
import inspect
from contextlib import suppress
from typing import Any

from ttsr_ls.errors import UsageError

CLOSING = 5.0
"""Seconds that a stream has to close; after that it is left alone."""
CANCELLED_AGAIN = 1.0
"""After how many seconds the wait for an event is cancelled again, for a stream that goes on in spite of it."""


class StreamInterrupted(Exception):
    """The stream was interrupted while it was read."""


class ProviderStream:
    """The stream of a provider: an async iterator, a context manager that gives one, or an awaitable of either."""

    __slots__ = ("_cancellations", "_cancelling", "_cut", "_entered", "_events", "_given", "_opened", "_reader")

    def __init__(self, given: object) -> None:
        self._given: Any = given
        self._entered: Any = None
        self._opened: Any = None
        """The iterated object. It may own a connection that its iterator does not close."""
        self._events: Any = None
        self._cut = False
        self._reader: asyncio.Task[Any] | None = None
        """The task that waits for an event."""
        self._cancelling: asyncio.Handle | None = None
        self._cancellations = 0
        """How many cancellations of the reader are by `interrupt`, and still in its own count of them."""

    async def next(self) -> Any:
        """Returns the next event. Raises StopAsyncIteration at the end, StreamInterrupted after `interrupt`."""
        if self._cut:
            raise StreamInterrupted
        # Does what `asyncio.timeout` does, which alone costs 1.5 µs an event.
        self._reader = reader = asyncio.current_task()
        assert reader is not None, "a coroutine of asyncio runs in a task"
        cancelled_before = reader.cancelling()
        try:
            if self._events is None:
                await self._open()
            return await anext(self._events)
        except StopAsyncIteration:
            raise
        except asyncio.CancelledError:
            if self._cancellations and self._take_back(reader) <= cancelled_before:
                raise StreamInterrupted from None
            raise
        except Exception:
            if self._cut:  # Some streams make an error of their own of being cut off.
                raise StreamInterrupted from None
            raise
        finally:
            self._reader = None
            if self._cancelling is not None:
                self._cancelling.cancel()
                self._cancelling = None
            if self._cancellations:
                self._take_back(reader)

    def interrupt(self) -> None:
        """Cancels the wait for the next event."""
        self._cut = True
        if self._reader is not None and self._cancelling is None:
            # Later, when the reader waits: a running task would be cancelled wherever it waits next.
            self._cancelling = asyncio.get_running_loop().call_soon(self._cancel)

    def _cancel(self) -> None:
        if self._reader is not None:
            self._cancellations += 1
            self._reader.cancel()
            self._cancelling = asyncio.get_running_loop().call_later(CANCELLED_AGAIN, self._cancel)

    def _take_back(self, reader: asyncio.Task[Any]) -> int:
        """Takes the cancellations by `interrupt` off the count of the reader. Returns what is left of it."""
        while self._cancellations:
            self._cancellations -= 1
            reader.uncancel()
        return reader.cancelling()

    async def close(self) -> None:
        """Closes the stream and ignores errors of closing."""
        with suppress(Exception):
            async with asyncio.timeout(CLOSING):
                if self._entered is not None:
                    await self._entered.__aexit__(None, None, None)
                    self._entered = None
                for source in (self._events, self._opened, self._given):
                    close = getattr(source, "aclose", None) or getattr(source, "close", None)
                    if close is not None and inspect.isawaitable(closing := close()):
                        await closing

    async def _open(self) -> None:
        given = self._given
        if inspect.isawaitable(given):
            given = await given
        if not hasattr(given, "__aiter__") and hasattr(given, "__aenter__"):
            manager = given
            given = await manager.__aenter__()
            self._entered = manager  # Only now: one whose entering was cut off must not be left (PEP 343).
        if not hasattr(given, "__aiter__"):
            raise UsageError(f"a stream is an async iterator, and {type(given).__name__} is none")
        self._opened = given
        self._events = given.__aiter__()
