"""Checkpoints of long computations, at which a host may have them wait while something more urgent is done.

A computation calls `checkpoint` about once a millisecond. What a host does there never changes the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import TypeVar

_T = TypeVar("_T")


def _do_nothing() -> None:
    """The default: computations do not wait."""


_wait: ContextVar[Callable[[], None]] = ContextVar("ttsr_ls_checkpoint", default=_do_nothing)


def checkpoint() -> None:
    """Calls the function of `call_at_checkpoints`, which may delay the computation."""
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
