"""What is made while the collector is paused is old for it afterwards: no later delta pays for looking through it."""

from __future__ import annotations

import gc
import threading

import pytest

from ttsr_ls.matching.collector import collector_paused


def test_what_was_made_is_old_at_the_end() -> None:
    gc.collect()
    with collector_paused():
        assert not gc.isenabled()
        made = [[number] for number in range(50_000)]
    young = len(gc.get_objects(generation=0)) + len(gc.get_objects(generation=1))
    assert gc.isenabled()
    assert len(made) == 50_000
    assert young < 5_000


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_frozen_objects_are_not_counted_for_a_few_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session builds small automata all the time, and to count what is frozen traverses all of it."""
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
def test_pauses_that_overlap_leave_it_as_it_was(is_on: bool) -> None:
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


def test_a_thread_that_begins_while_another_one_ends_leaves_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language server analyses rules in several threads for hours: a collector that stays off fills the memory."""
    is_enabled = gc.isenabled
    asked, goes_on = threading.Event(), threading.Event()

    def asked_and_interrupted() -> bool:
        answer = is_enabled()
        if threading.current_thread() is other:  # The first one ends between the question and what follows from it.
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
