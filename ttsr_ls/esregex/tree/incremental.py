"""Work that can be interrupted after each portion."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

_Result = TypeVar("_Result")

Incremental = Generator[int, None, _Result]
"""Work under way. Yields after each portion how much work it was, in steps of about 1 µs; returns its result."""

PORTION = 64
"""About how many steps of work are done between two interruptions."""


def run_to_completion(work: Incremental[_Result]) -> _Result:
    """Runs incremental work to its end and returns the result."""
    while True:
        try:
            next(work)
        except StopIteration as ended:
            result: _Result = ended.value
            return result
