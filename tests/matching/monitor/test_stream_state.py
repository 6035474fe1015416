"""Snapshots are converted to units incrementally, with the same result as the conversion of the whole text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.monitor.stream_state import StreamState
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.stream import Source, StreamContext

TEXTS = st.text(st.sampled_from("aé—漢😀🎉\ud83d\ude00"), max_size=6)
MATCHER = AutomatonMatcher([compile_condition("x")])


@given(st.lists(st.tuples(st.booleans(), TEXTS), max_size=8))
def test_snapshots_are_converted_to_units_incrementally(steps: list[tuple[bool, str]]) -> None:
    stream = StreamState(MATCHER.open(), StreamContext(Source.TOOL), LIVE.stream_length)
    snapshot = ""
    for grows, text in steps:
        snapshot = snapshot + text if grows else text
        assert stream.to_units(snapshot) == to_units(snapshot)
