"""The events of oh-my-pi's subagents: each is an agent of its own, in the turn of the agent that started it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.adapters.claude_stream import to_bytes
from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules, watch
from ttsr_ls.bridge.adapters.limits import AdapterLimits
from ttsr_ls.bridge.adapters.pi import PiAdapter
from ttsr_ls.rules.stream import Delta
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    TurnCancelled,
    TurnCompleted,
    TurnOutcome,
    UserInput,
)
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    AnswerEnded,
    AnswerStarted,
    StreamDamaged,
    SubagentSeen,
    ToolResultSeen,
    TurnClosed,
    TurnOpened,
)

SAMPLE = Path(__file__).parents[2] / "samples" / "omp" / "rpc-subagents.jsonl"
ANSWER = {"type": "message_start", "message": {"role": "assistant", "model": "m"}}
AGENT_END = {"type": "agent_end", "messages": []}


def read(lines: Sequence[dict[str, Any]], limits: AdapterLimits | None = None) -> list[AgentEvent]:
    adapter = PiAdapter(limits=limits or AdapterLimits())
    return [*adapter.feed(to_bytes(lines)), *adapter.finish()]


def user(text: str) -> dict[str, Any]:
    return {"type": "message_start", "message": {"role": "user", "content": [{"type": "text", "text": text}]}}


def text_delta(text: str) -> dict[str, Any]:
    return {"type": "message_update", "assistantMessageEvent": {"type": "text_delta", "contentIndex": 0, "delta": text}}


def ended(reason: str = "stop") -> dict[str, Any]:
    return {"type": "message_end", "message": {"role": "assistant", "content": [], "stopReason": reason}}


def lifecycle(status: str, name: str = "One") -> dict[str, Any]:
    return {"type": "subagent_lifecycle", "payload": {"id": name, "agent": "scout", "status": status}}


def of(event: dict[str, Any], name: str = "One") -> dict[str, Any]:
    return {"type": "subagent_event", "payload": {"id": name, "event": event}}


def outcomes(events: list[AgentEvent]) -> list[TurnOutcome]:
    return [event.outcome for event in events if isinstance(event, TurnClosed)]


def test_a_rule_fires_in_the_output_of_each_recorded_subagent() -> None:
    log = MemoryLog()
    watch(SAMPLE.read_bytes(), log, rules(no_old=NO_OLD), adapter=PiAdapter())
    assert sorted((trigger.agent, str(trigger.source)) for trigger in log.triggers) == [
        ("One", "text"), ("One", "tool"), ("Two", "text"), ("Two", "tool"),
    ]  # fmt: skip


def test_a_subagent_has_its_own_kind_answers_and_results() -> None:
    result = {"type": "tool_execution_end", "toolCallId": "c1", "result": {"content": [{"type": "text", "text": "ok"}]}}
    sub = [user("Do one."), ANSWER, text_delta("a"), ended(), result, AGENT_END]
    main = [user("Go."), ANSWER, text_delta("b")]
    events = read([*main, lifecycle("started"), *map(of, sub), text_delta("c"), ended(), AGENT_END])
    assert [event for event in events if isinstance(event, TurnOpened)] == [TurnOpened(UserInput("Go."))]
    assert SubagentSeen("One", "scout") in events
    assert ToolResultSeen("One", "c1", CallDone("ok")) in events
    starts = [event.agent for event in events if isinstance(event, AnswerStarted)]
    ends = [event.agent for event in events if isinstance(event, AnswerEnded)]
    assert (starts, ends) == ([MAIN_AGENT, "One"], ["One", MAIN_AGENT])
    deltas = [event for event in events if isinstance(event, AgentDelta) and isinstance(event.event, Delta)]
    assert [(delta.agent, delta.event.text) for delta in deltas if isinstance(delta.event, Delta)] == [
        (MAIN_AGENT, "b"), ("One", "a"), (MAIN_AGENT, "c"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ([of(text_delta("x")), lifecycle("completed")], [TurnCompleted()]),
        ([{"type": "agent_start"}, lifecycle("failed"), ANSWER, ended(), AGENT_END], [TurnCompleted()]),
        ([user("Next."), ANSWER, ended(), lifecycle("aborted"), AGENT_END], [TurnCompleted(), TurnCompleted()]),
        ([of(text_delta("x"))], [TurnCompleted()]),
    ],
)  # fmt: skip
def test_a_turn_lasts_until_its_subagents_in_the_background_ended(
    later: list[dict[str, Any]], expected: list[TurnOutcome]
) -> None:
    events = read([user("Go."), ANSWER, lifecycle("started"), ended(), AGENT_END, *later])
    assert outcomes(events) == expected
    assert isinstance(events[-1], TurnClosed)


def test_an_aborted_turn_does_not_wait_for_its_subagents() -> None:
    lines = [user("Go."), ANSWER, lifecycle("started"), ended("aborted"), AGENT_END]
    adapter = PiAdapter()
    assert outcomes(adapter.feed(to_bytes(lines))) == [TurnCancelled("aborted")]


def test_an_aborted_answer_of_a_subagent_does_not_end_the_turn_as_aborted() -> None:
    lines = [user("Go."), ANSWER, lifecycle("started"), of(ANSWER), of(ended("aborted")), lifecycle("aborted")]
    assert outcomes(read([*lines, ended(), AGENT_END])) == [TurnCompleted()]


def test_a_subagent_with_the_name_of_the_main_agent_is_another_agent() -> None:
    events = read([user("Go."), ANSWER, of(ANSWER, "main"), of(ended(), "main")])
    assert [event.agent for event in events if isinstance(event, AnswerStarted)] == [MAIN_AGENT, "subagent main"]


def test_unknown_kinds_of_events_of_subagents_are_reported_once() -> None:
    events = read([of({"type": "hummed"}), of({"type": "hummed"}), of(of({"type": "agent_start"}))])
    messages = [event.message for event in events if isinstance(event, StreamDamaged)]
    assert ["hummed" in message for message in messages] == [True, False]
    assert "subagent_event" in messages[1]


def test_the_number_of_running_subagents_is_bounded() -> None:
    lines = [lifecycle("started", f"s{number}") for number in range(5)]
    adapter = PiAdapter(limits=AdapterLimits(agents=2))
    adapter.feed(to_bytes([user("Go."), ANSWER, *lines, ended(), AGENT_END]))
    ends = [lifecycle("completed", f"s{number}") for number in (3, 4)]
    assert outcomes(adapter.feed(to_bytes(ends))) == [TurnCompleted()]
