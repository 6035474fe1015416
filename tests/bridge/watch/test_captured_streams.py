"""Captured streams of Claude Code are recorded alike, however they are cut."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.watch.watching import NO_ANY, NO_OLD, NO_PUSH, MemoryLog, claude, observer, rules, watch
from ttsr_ls.store.log.codec import Record

SAMPLES = Path(__file__).parents[2] / "samples" / "claude"
RULES = rules(no_any=NO_ANY, no_old=NO_OLD, no_push=NO_PUSH)
pytestmark = pytest.mark.usefixtures("shared_automata")


@cache
def recorded_at_once(data: bytes) -> list[Record]:
    log = MemoryLog()
    watch(data, log, RULES)
    return log.records


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.glob("*.jsonl")))
@given(cuts=st.lists(st.integers(0, 30_000), max_size=6))
def test_any_split_of_a_captured_stream_gives_the_same_record(sample: str, cuts: list[int]) -> None:
    data, log = (SAMPLES / sample).read_bytes(), MemoryLog()
    watching, adapter = observer(log, RULES), claude()
    watching.start(0)
    places = sorted({min(place, len(data)) for place in cuts} | {0, len(data)})
    for start, end in pairwise(places):
        watching.feed(adapter.feed(data[start:end]), 1)
    watching.feed(adapter.finish(), 1)
    assert log.records == recorded_at_once(data)
