"""Runs hooks and tools of features, each within a time limit, and can cancel all hooks.

A coroutine may refuse to be cancelled, for example by a bare `except`. So each runs in a task of its own, which is
abandoned if it does not end: neither the agent nor a user who stops it waits for foreign code.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any, TypeVar

from ttsr_ls.errors import error_text
from ttsr_ls.session.hooks.contract import Feature

_Result = TypeVar("_Result")

GRACE = 0.2
"""Seconds that a cancelled hook or tool has to end; after that it is abandoned."""


class HooksStopped(Exception):
    """The result of the hook is no longer needed."""


class PendingHooks:
    """The running hooks of one session. For one event loop."""

    __slots__ = ("_abandoned", "_waiting")

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Task[Any], asyncio.Future[None]] = {}
        """The running hooks, each with a future that `stop` completes."""
        self._abandoned = set[asyncio.Task[Any]]()

    async def answer(
        self, feature: Feature, kind: str, ask: Callable[[], Awaitable[_Result]], *, can_stop: bool = True
    ) -> _Result:
        """Returns the result of a hook or tool within its time limit.

        Raises its exceptions, TimeoutError after the time limit, and HooksStopped after `stop` if it `can_stop`.
        """
        task = asyncio.ensure_future(_called(ask))
        stopped: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if can_stop:
            self._waiting[task] = stopped
        limit = None if feature.timeout == inf else feature.timeout
        try:
            await asyncio.wait((task, stopped), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if stopped.done():
                raise HooksStopped
            if not task.done():
                raise TimeoutError(f"{kind} took longer than {feature.timeout:g} seconds")
            if task.cancelled():
                raise RuntimeError("it raised CancelledError without being cancelled")
            return task.result()
        finally:
            self._waiting.pop(task, None)
            await self._end(task)

    def stop(self) -> None:
        """Cancels all running hooks except the calling one."""
        for task in self._waiting.keys() - {asyncio.current_task()}:
            if not self._waiting[task].done():
                self._waiting[task].set_result(None)
            task.cancel()

    async def _end(self, task: asyncio.Task[Any]) -> None:
        """Cancels a task that is not done, and waits `GRACE` seconds for its end."""
        if task.done():
            return
        self._abandoned.add(task)
        task.add_done_callback(self._has_ended)
        task.cancel()
        await asyncio.wait((task,), timeout=GRACE)

    def _has_ended(self, task: asyncio.Task[Any]) -> None:
        self._abandoned.discard(task)
        if not task.cancelled():
            task.exception()  # Otherwise asyncio reports that it was never retrieved.


async def _called(ask: Callable[[], Awaitable[_Result]]) -> _Result:
    """Calls a hook or tool, and turns a CancelledError of its own into another error.

    `ask` is called within the task, so that a task that is cancelled before it starts leaves no coroutine unawaited.
    """
    try:
        return await ask()
    except SystemExit as error:  # It would stop the event loop.
        raise RuntimeError(error_text(error)) from error
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise RuntimeError("it raised CancelledError without being cancelled") from None
