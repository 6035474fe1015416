"""What is made while the collector is paused is old for it afterwards: no later delta pays for looking through it."""

from __future__ import annotations

import gc

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
