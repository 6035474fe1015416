"""Checkpoints of long computations, at which a host may have them wait, or end a computation without a result.

A computation calls `checkpoint` about once a millisecond. Waiting never changes the result. An abandoned computation
may leave nothing unfinished in shared caches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

_T = TypeVar("_T")


class ComputationAbandoned(BaseException):
    """Ends a computation without a result. A `BaseException`, so that `except Exception` does not keep it running."""


def _do_nothing() -> None:
    """The default: computations do not wait."""


_wait: ContextVar[Callable[[], None]] = ContextVar("ttsr_ls_checkpoint", default=_do_nothing)


def checkpoint() -> None:
    """Calls the function of `call_at_checkpoints`, which may delay the computation.

    Raises `ComputationAbandoned` if `abandoned_if` says so.
    """
    _wait.get()()


def with_checkpoints(items: Iterable[_T], between: int = 16) -> Iterator[_T]:
    """Yields the items of a long loop, with a checkpoint after each `between` of them."""
    for number, item in enumerate(items, 1):
        yield item
        if not number % between:
            checkpoint()


def call_at_checkpoints(wait: Callable[[], None]) -> None:
    """Has computations of this thread, or of this context, call `wait` at each checkpoint."""
    _wait.set(wait)


@contextmanager
def abandoned_if(is_outdated: Callable[[], bool]) -> Iterator[None]:
    """Has the next checkpoint inside of the block raise `ComputationAbandoned` once `is_outdated` returns true."""
    wait = _wait.get()

    def wait_or_abandon() -> None:
        wait()
        if is_outdated():
            raise ComputationAbandoned

    token = _wait.set(wait_or_abandon)
    try:
        yield
    finally:
        _wait.reset(token)
