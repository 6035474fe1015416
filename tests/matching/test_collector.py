"""Objects that are created while the collector is paused are old afterwards, so that no later delta pays for traversing
them.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Mapping

import pytest

from ttsr_ls.matching.collector import collector_paused, freeze_live_objects


def test_objects_created_in_a_pause_are_old_for_the_collector() -> None:
    gc.collect()
    with collector_paused():
        assert not gc.isenabled()
        made = [[number] for number in range(50_000)]
    young = len(gc.get_objects(generation=0)) + len(gc.get_objects(generation=1))
    assert gc.isenabled()
    assert len(made) == 50_000
    assert young < 5_000


def test_a_disabled_collector_stays_disabled() -> None:
    gc.disable()
    try:
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_frozen_objects_are_not_counted_after_a_pause_with_few_new_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session often builds small automata, and counting the frozen objects traverses all of them."""
    counted: list[int] = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: counted.append(1) or 0)
    gc.collect()
    with collector_paused():
        few = [[number] for number in range(1_000)]
    assert not counted
    with collector_paused():
        many = [[number] for number in range(50_000)]
    assert counted
    assert len(few) + len(many) == 51_000


@pytest.mark.parametrize("is_on", [True, False])
def test_overlapping_pauses_restore_the_collector(is_on: bool) -> None:
    if not is_on:
        gc.disable()
    try:
        first, second = collector_paused(), collector_paused()
        first.__enter__()
        second.__enter__()
        assert not gc.isenabled()
        first.__exit__(None, None, None)
        second.__exit__(None, None, None)
        assert gc.isenabled() is is_on
    finally:
        gc.enable()


def test_a_pause_that_starts_while_another_ends_leaves_the_collector_enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language server analyses rules in several threads for hours: a collector that stays off fills the memory."""
    is_enabled = gc.isenabled
    asked, goes_on = threading.Event(), threading.Event()

    def asked_and_interrupted() -> bool:
        answer = is_enabled()
        if threading.current_thread() is other:  # The first pause ends between this check and its use.
            asked.set()
            assert goes_on.wait(30)
        return answer

    def work() -> None:
        with collector_paused():
            asked.set()
            assert goes_on.wait(30)

    monkeypatch.setattr(gc, "isenabled", asked_and_interrupted)
    other = threading.Thread(target=work)
    with collector_paused():
        other.start()
        assert asked.wait(30)
    goes_on.set()
    other.join(30)
    assert is_enabled()


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="it collects old objects in increments, too")
def test_passes_over_young_objects_are_short_in_a_process_that_streams() -> None:
    thresholds = gc.get_threshold()
    traversed: list[int] = []

    def count(phase: str, info: Mapping[str, int]) -> None:
        if phase == "start" and info["generation"] == 1:
            traversed.append(len(gc.get_objects(generation=0)) + len(gc.get_objects(generation=1)))

    try:
        freeze_live_objects()
        gc.callbacks.append(count)
        made = [[number] for number in range(20_000)]
        assert len(made) == 20_000
        assert traversed
        assert max(traversed) < 3_000, "8,000 with Python's own thresholds"
    finally:
        gc.callbacks.remove(count)
        gc.set_threshold(*thresholds)
