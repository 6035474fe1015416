"""Shows the progress of a long scan on standard error, only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from ttsr_ls.cli.printing.output import is_quiet, write_progress

_FIRST_AFTER = 1.0
"""Seconds after which the progress is shown."""
_EVERY = 0.2


class ProgressDisplay:
    """Shows how many of `total` files are done. Call `clear` before anything else is printed."""

    __slots__ = ("_clock", "_is_shown", "_next", "_out", "_total")

    def __init__(self, total: int, out: TextIO | None = None, clock: Callable[[], float] = monotonic) -> None:
        """`out` None: standard error. Nothing is shown if it is no terminal."""
        shown = sys.stderr if out is None else out
        self._out = shown if shown.isatty() and not is_quiet() else None
        self._total = total
        self._clock = clock
        self._next = clock() + _FIRST_AFTER
        self._is_shown = False

    def on_file(self, number: int) -> None:
        """Shows that the file of this number, from 0, is read next."""
        if self._out is None:
            return
        now = self._clock()
        if now >= self._next:
            self._next = now + _EVERY
            self._is_shown = True
            write_progress(f"scanned {number} of {self._total} files", self._out)

    def clear(self) -> None:
        """Removes the line."""
        if self._is_shown and self._out is not None:
            self._is_shown = False
            write_progress("", self._out)
