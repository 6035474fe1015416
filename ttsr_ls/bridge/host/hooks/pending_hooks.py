"""Runs hooks of features, each within a time limit, and can cancel all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from ttsr_ls.errors import error_text
from ttsr_ls.session.hooks.contract import Feature

_Result = TypeVar("_Result")


class HooksStopped(Exception):
    """The result of the hook is no longer needed."""


class PendingHooks:
    """The running hooks of one session. For one event loop."""

    __slots__ = ("_stopped", "_waiting")

    def __init__(self) -> None:
        self._waiting: set[asyncio.Task[Any]] = set()
        self._stopped: set[asyncio.Task[Any]] = set()

    async def answer(self, asked: Coroutine[Any, Any, _Result]) -> _Result:
        """The result of a hook. Raises the exceptions of the hook, and HooksStopped after `stop`."""
        task = asyncio.ensure_future(asked)
        self._waiting.add(task)
        try:
            await asyncio.wait((task,))
            if task in self._stopped:
                raise HooksStopped
            if task.cancelled():
                raise RuntimeError("it cancelled what it has not begun")
            return task.result()
        finally:
            task.cancel()
            self._waiting.discard(task)
            self._stopped.discard(task)

    def stop(self) -> None:
        """Cancels all running hooks except the calling one."""
        for task in self._waiting - {asyncio.current_task()}:
            self._stopped.add(task)
            task.cancel()


async def within_time_limit(feature: Feature, kind: str, ask: Callable[[], Awaitable[_Result]]) -> _Result:
    """The result of a hook within its time limit. Only the session can cancel it.

    The hook is called here, so that one that is cancelled before it begins leaves no coroutine behind.
    """
    try:
        async with asyncio.timeout(None if feature.timeout == float("inf") else feature.timeout) as bound:
            return await ask()
    except TimeoutError:
        if not bound.expired():
            raise  # The feature's own.
        raise TimeoutError(f"{kind} took longer than {feature.timeout:g} seconds") from None
    except SystemExit as error:  # It would end the event loop.
        raise RuntimeError(error_text(error)) from error
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise RuntimeError("it cancelled what it has not begun") from None
