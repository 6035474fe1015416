"""A provider's stream in any form that an SDK returns: opened, read event by event, interrupted, closed."""

from __future__ import annotations

import asyncio
import inspect
from contextlib import suppress
from typing import Any

from ttsr_ls.errors import UsageError

CLOSE_TIMEOUT = 5.0
"""Seconds that a stream has to close; after that it is abandoned."""
RECANCEL_AFTER = 1.0
"""Seconds after which the wait for an event is cancelled again, for a stream that ignored the cancellation."""


class StreamInterrupted(Exception):
    """The stream was interrupted while it was read."""


class ProviderStream:
    """The stream of a provider: an async iterator, a context manager that returns one, or an awaitable of either."""

    __slots__ = (
        "_cancellations",
        "_cancelling",
        "_entered",
        "_events",
        "_is_interrupted",
        "_opened",
        "_reader",
        "_source",
    )

    def __init__(self, source: object) -> None:
        self._source: Any = source
        self._entered: Any = None
        self._opened: Any = None
        """The iterated object. It may own a connection that its iterator does not close."""
        self._events: Any = None
        self._is_interrupted = False
        self._reader: asyncio.Task[Any] | None = None
        """The task that waits for an event."""
        self._cancelling: asyncio.Handle | None = None
        self._cancellations = 0
        """The number of cancellations of the reader by `interrupt` that `Task.cancelling` still counts."""

    async def next(self) -> Any:
        """Returns the next event. Raises StopAsyncIteration at the end, StreamInterrupted after `interrupt`."""
        if self._is_interrupted:
            raise StreamInterrupted
        # As in `asyncio.timeout`, which is not used because it costs 1.5 µs per event.
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
            if self._cancellations and self._uncancel(reader) <= cancelled_before:
                raise StreamInterrupted from None
            raise
        except Exception:
            if self._is_interrupted:  # Some streams turn the cancellation into an error of their own.
                raise StreamInterrupted from None
            raise
        finally:
            self._reader = None
            if self._cancelling is not None:
                self._cancelling.cancel()
                self._cancelling = None
            if self._cancellations:
                self._uncancel(reader)

    def interrupt(self) -> None:
        """Cancels the wait for the next event."""
        self._is_interrupted = True
        if self._reader is not None and self._cancelling is None:
            # Deferred until the reader waits: a running task would be cancelled at any later `await`.
            self._cancelling = asyncio.get_running_loop().call_soon(self._cancel)

    def _cancel(self) -> None:
        if self._reader is not None:
            self._cancellations += 1
            self._reader.cancel()
            self._cancelling = asyncio.get_running_loop().call_later(RECANCEL_AFTER, self._cancel)

    def _uncancel(self, reader: asyncio.Task[Any]) -> int:
        """Uncancels the cancellations by `interrupt`. Returns how many others the reader has."""
        while self._cancellations:
            self._cancellations -= 1
            reader.uncancel()
        return reader.cancelling()

    async def close(self) -> None:
        """Closes the stream and ignores errors of closing."""
        with suppress(Exception):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                if self._entered is not None:
                    await self._entered.__aexit__(None, None, None)
                    self._entered = None
                for source in (self._events, self._opened, self._source):
                    close = getattr(source, "aclose", None) or getattr(source, "close", None)
                    if close is not None and inspect.isawaitable(closing := close()):
                        await closing

    async def _open(self) -> None:
        opened = self._source
        if inspect.isawaitable(opened):
            opened = await opened
        if not hasattr(opened, "__aiter__") and hasattr(opened, "__aenter__"):
            manager = opened
            opened = await manager.__aenter__()
            self._entered = manager  # Set only now: a manager whose entering failed must not be exited (PEP 343).
        if not hasattr(opened, "__aiter__"):
            raise UsageError(f"a stream is an async iterator, and {type(opened).__name__} is none")
        self._opened = opened
        self._events = opened.__aiter__()
