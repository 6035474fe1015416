"""Ctrl-C and other signals that end this program: the first asks for an orderly end, the second forces it.

An agent has a process group of its own, so only this program gets the signals of the terminal.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def handled_signals(received: Callable[[int], None]) -> Iterator[None]:
    """Calls `received` with the number of each signal in the body of a `with`, in a running event loop.

    On Windows, whose event loops handle no signals, Ctrl-C raises KeyboardInterrupt as usual.
    """
    loop = asyncio.get_running_loop()
    handled = []
    is_ending = False

    def handle(number: int) -> None:
        nonlocal is_ending
        is_ending = True
        received(number)

    for name in _NAMES:
        number = getattr(signal, name, None)
        # `nohup` ignores SIGHUP, which must stay so.
        if number is None or signal.getsignal(number) is signal.SIG_IGN:
            continue
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, handle, number)
            handled.append(number)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
        if is_ending and signal.SIGINT in handled:
            # Another Ctrl-C would make Python print a stack trace at its end.
            signal.signal(signal.SIGINT, signal.SIG_IGN)


class StopSignals:
    """Counts the signals. A later one does the same as the second."""

    __slots__ = ("_end", "_stop", "count", "last")

    def __init__(self, stop: Callable[[], None], end: Callable[[], object]) -> None:
        """`stop` is called at the first signal, `end` at each later one; both return at once."""
        self._stop = stop
        self._end = end
        self.count = 0
        self.last: int = signal.SIGINT

    def receive(self, number: int) -> None:
        """Counts a signal and reacts to it; for `handled_signals`."""
        self.count += 1
        self.last = number
        if self.count == 1:
            self._stop()
        else:
            self._end()
