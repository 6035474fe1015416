"""The number of lines that are read at once does not change records and notices."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.real_conditions import all_conditions, rare_conditions
from benchmarks.recorded_run import recorded_run
from benchmarks.rule_sets import rule_set
from tests.bridge.watch.watching import MemoryLog, claude, observer
from ttsr_ls.bridge.watch.join_deltas import MAX_JOINED, join_deltas
from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, Source, StreamContext
from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, AnswerStarted, FileWrite
from ttsr_ls.session.output.stream_texts import StreamTexts
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect

PROSE = StreamContext(Source.TEXT)
CALL = StreamContext(Source.TOOL, "write", ("/a.py",), "toolcall:1")
WRITE = FileWrite("/a.py", Extent.WHOLE)
pytestmark = pytest.mark.usefixtures("shared_automata")
TEXTS = st.text(st.sampled_from("ab\n—😀\ud83d\ude00"), max_size=3)
EVENTS = st.one_of(
    st.builds(AgentDelta, st.sampled_from(["main", "sub"]), st.builds(Delta, st.just(PROSE), TEXTS)),
    st.builds(AgentDelta, st.just("main"), st.builds(Snapshot, st.just(CALL), TEXTS), st.just("1"), st.just(WRITE)),
    st.builds(AgentDelta, st.just("main"), st.builds(BlockEnd, st.sampled_from([PROSE, CALL]))),
    st.builds(AnswerStarted, st.just("sub"), st.just("x")),
)


@given(st.lists(EVENTS, max_size=12))
def test_joining_keeps_the_text_of_each_stream_at_each_other_event(events: list[AgentEvent]) -> None:
    assert course(join_deltas(events)) == course(events)


def course(events: Iterable[AgentEvent]) -> list[object]:
    """The events other than deltas and snapshots, each with the texts of the streams at that event."""
    texts: dict[str, StreamTexts] = {"main": StreamTexts(), "sub": StreamTexts()}
    seen: list[object] = []
    for event in itertools.chain(events, [AnswerStarted("main", "end")]):
        if isinstance(event, AgentDelta) and not isinstance(event.event, BlockEnd):
            texts[event.agent].add(event.event)
        else:
            seen.append(
                (event, [stream_texts.text(key) for stream_texts in texts.values() for key in ("text", "toolcall:1")])
            )
    return seen


def test_a_snapshot_that_the_next_one_changes_is_kept() -> None:
    a, ab, b = (AgentDelta("main", Snapshot(CALL, text), "1", WRITE) for text in ("a", "ab", "b"))
    assert list(join_deltas([a, ab, b])) == [ab, b]


def test_the_length_of_joined_deltas_is_limited() -> None:
    events = [AgentDelta("main", Delta(PROSE, "x" * 10)) for _ in range(1_000)]
    joined_events = list(join_deltas(events))
    assert 1 < len(joined_events) < 30
    assert max(len(event.event.text) for event in joined_events) <= MAX_JOINED + 10  # type: ignore[union-attr]


@cache
def firing_rules() -> RulesByDialect:
    rare = set(rare_conditions())
    conditions = [condition for condition in all_conditions() if condition not in rare][::12]
    return RulesByDialect(rule_set(conditions, scope="text, thinking, tool"))


def recorded(lines: list[bytes], at_once: int, matching: Matching) -> tuple[list[str], list[str]]:
    """The records and notices, sorted: the order of triggers depends on the time of searches for their positions."""
    log, adapter = MemoryLog(), claude()
    watching = observer(log, firing_rules(), matching)
    notices: list[Notice] = []
    for position in range(0, len(lines), at_once):
        notices += watching.feed(adapter.feed(b"".join(lines[position : position + at_once])), 0)
    notices += watching.feed(adapter.finish(), 0)
    return sorted(map(repr, log.events)), sorted(map(repr, notices))


@pytest.mark.parametrize("matching", Matching)
def test_the_number_of_lines_in_a_chunk_does_not_change_the_record(matching: Matching) -> None:
    lines = recorded_run(2, 2_000).splitlines(keepends=True)
    singly = recorded(lines, 1, matching)
    assert len(singly[0]) > 100
    assert recorded(lines, len(lines), matching) == recorded(lines, 7, matching) == singly
