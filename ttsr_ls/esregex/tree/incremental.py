"""Work that can be interrupted after each portion."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from ttsr_ls.checkpoint import checkpoint

_Result = TypeVar("_Result")

Incremental = Generator[int, None, _Result]
"""A computation in portions. Yields the number of steps of each portion, of about 1 µs each; returns the result."""

PORTION = 64
"""About how many steps of work are done between two interruptions."""

STEPS_BETWEEN_CHECKPOINTS = 100
"""On nodes of a tree, a step takes up to 7 µs."""


def run_to_completion(work: Incremental[_Result]) -> _Result:
    """Runs incremental work to its end, with checkpoints, and returns the result."""
    unchecked = 0
    while True:
        try:
            unchecked += next(work)
            if unchecked > STEPS_BETWEEN_CHECKPOINTS:
                checkpoint()
                unchecked = 0
        except StopIteration as ended:
            result: _Result = ended.value
            return result
