"""Pauses Python's cycle collector while very many values are created: while a long log is read, or an automaton is
built. Afterwards, excludes what lives as long as a session from its passes.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_DISCARDED_SHARE = 5
_FEW_OBJECTS = 5_000
"""The collector traverses this many objects in a tenth of a millisecond."""
_LATER_THRESHOLDS = (2, 40)
"""A pass over young objects comes after three over new ones, not after eleven, and traverses a quarter as many objects:
within one delta, it took 2 ms with 1,000 costly rules. A full pass comes after as many new objects as before."""
_WITH_INCREMENTAL_COLLECTOR = (3, 14)
_PAUSES: list[bool] = []
"""For each pause of any thread, whether the collector was enabled before the first of them."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Context manager that disables the collector, until another thread leaves such a block. Only for code that creates
    many values but no cycles, and does not wait.

    The collector traverses all objects again and again while their number grows. For a log of 100,000 events that is a
    third of the time of reading and projecting it, for 1,000 conditions a quarter of the time of prewarming. At the
    end, the new objects count as old. Otherwise two of the next deltas would traverse them, in 25 ms each with 1,000
    conditions.
    """
    earlier = _PAUSES[-1:]
    # `gc.isenabled()` does not suffice: another thread's pause may have disabled the collector, and may end meanwhile.
    was_enabled = earlier[0] if earlier else gc.isenabled()
    _PAUSES.append(was_enabled)
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Enabled before the pop: a thread that finds no pause must not find the collector disabled.
            gc.enable()
        _PAUSES.pop()
        if was_enabled and not _PAUSES:
            _make_new_objects_old()


def _make_new_objects_old() -> None:
    if gc.get_count()[0] < _FEW_OBJECTS:
        # The next collection may traverse so few. `get_freeze_count` takes 8 to 50 ms for a million frozen objects.
        return
    if gc.get_freeze_count():
        gc.collect(1)
    else:
        # Makes all objects old without traversing them. A collection takes a fourteenth of the time of prewarming
        # 1,000 conditions.
        gc.freeze()
        gc.unfreeze()


def freeze_live_objects() -> None:
    """Collects garbage once, and excludes all objects that are left from later collections of this process. Passes over
    young objects become more frequent, and shorter.

    For a process that streams agent output, after it prewarmed the matchers of a session. Otherwise, each full
    collection traverses its modules, rules, and automata within some delta: 20 ms and more, 90 ms with 1,000
    conditions. Frozen cycles that become unreachable later are not freed.
    """
    gc.collect()
    gc.freeze()
    if sys.version_info < _WITH_INCREMENTAL_COLLECTOR:
        gc.set_threshold(gc.get_threshold()[0], *_LATER_THRESHOLDS)


class SessionFreezer:
    """Calls `freeze_live_objects` for a process that opens and closes sessions, and has garbage of closed sessions
    collected.
    """

    __slots__ = ("_discarded",)

    def __init__(self) -> None:
        self._discarded = 0

    def count_discarded(self) -> None:
        """Records that a session was closed, or rules of one were replaced: automata are cycles."""
        self._discarded += 1

    def freeze(self, open_sessions: int) -> None:
        """Freezes all live objects after a session was prewarmed.

        Also traverses the objects of earlier sessions once the discarded sessions are a fifth of all: like Python's
        collector, which does so at a quarter, it then takes a constant time for each session.
        """
        if self._discarded * _DISCARDED_SHARE > open_sessions:
            gc.unfreeze()
            self._discarded = 0
        freeze_live_objects()
