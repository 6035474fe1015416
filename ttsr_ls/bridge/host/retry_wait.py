"""The wait before a retry, which may be ended early."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable


class RetryWait:
    """At most one wait at a time, for one event loop."""

    __slots__ = ("_sleeping",)

    def __init__(self) -> None:
        self._sleeping: asyncio.Future[object] | None = None

    async def wait_until_over(self, sleep: Awaitable[object]) -> None:
        """Waits until `sleep` is over, or `end` is called. Raises the errors of `sleep`."""
        sleeping = self._sleeping = asyncio.ensure_future(sleep)
        try:
            await asyncio.wait((sleeping,))
        finally:
            self._sleeping = None
            sleeping.cancel()
        if not sleeping.cancelled():
            sleeping.result()

    def end(self) -> None:
        """Ends the wait, if there is one."""
        if self._sleeping is not None:
            self._sleeping.cancel()
