"""The events of captured sessions of a real agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bridge.event_summaries import summarize
from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules, watch
from ttsr_ls.rules.settings.settings import Matching

SAMPLES = Path(__file__).parents[2] / "samples" / "claude"
PATH = "/srv/agents/proj/demo.py"


EXPECTED = {
    "print-partial": [
        "rules no-old",
        "AgentSessionIdentified",
        "t1 started UnseenTrigger",
        "t1.0 no-old on text 49-66 at 66 'deprecated_module'",
        f"t1.0 no-old on write 7-24 at 24 'deprecated_module' in {PATH}:0",
        "t1.0 answer Thinking Text ToolCall",
        "t1.1 calls Write CallDone",
        "t1.2 answer Text",
        "t1 ended TurnCompleted",
    ],
    "interrupted": [
        "rules no-old",
        "AgentSessionIdentified",
        "t1 started UnseenTrigger",
        "t1.0 no-old on text 49-66 at 66 'deprecated_module'",
        "t1.0 cut answer Thinking Text",
        "t1 ended TurnCancelled",
    ],
    "hooks-whole": [
        "rules no-old",
        "AgentSessionIdentified",
        "t1 started UnseenTrigger",
        "t1.0 no-old on text 49-66 at 66 'deprecated_module'",
        f"t1.0 no-old on write 7-24 at 24 'deprecated_module' in {PATH}:0",
        "t1.0 answer Thinking Text ToolCall",
        "t1.1 calls Write CallRefused",
        "t1.2 answer Thinking Text ToolCall",
        "t1.3 calls Write CallDone",
        "t1.4 answer Thinking Text ToolCall",
        "t1.5 calls Write CallDone",
        "t1.6 answer Thinking Text",
        "t1 ended TurnCancelled",
    ],
}


@pytest.mark.parametrize("sample", sorted(EXPECTED))
def test_a_captured_session_gives_the_expected_events(sample: str) -> None:
    log = MemoryLog()
    watch((SAMPLES / f"{sample}.jsonl").read_bytes(), log, rules(no_old=NO_OLD))
    assert [summarize(event) for event in log.events] == EXPECTED[sample]


def test_every_claude_sample_has_expected_events() -> None:
    assert {path.stem for path in SAMPLES.glob("*.jsonl")} == set(EXPECTED)


def test_reference_matching_fires_at_the_end_of_the_delta() -> None:
    log = MemoryLog()
    watch((SAMPLES / "print-partial.jsonl").read_bytes(), log, rules(no_old=NO_OLD), Matching.REFERENCE)
    assert [(trigger.source, trigger.offset) for trigger in log.triggers] == [("text", 72), ("tool", 25)]
