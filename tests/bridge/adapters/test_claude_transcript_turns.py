"""Transcripts of Claude Code: the outcome of a turn that the provider refused, and the kinds of subagents."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridge.adapters.claude_stream import to_bytes
from ttsr_ls.bridge.adapters.claude.adapter import SYNTHETIC_MODEL
from ttsr_ls.bridge.adapters.claude.transcript import ClaudeTranscriptAdapter
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnFailed
from ttsr_ls.session.output.agent_events import AgentEvent, AnswerStarted, SubagentSeen, TurnClosed

Line = dict[str, Any]
TOO_LONG = "Prompt is too long"


def line(role: str, text: str, model: str = "m", **fields: Any) -> Line:
    message = {"id": f"m-{text}", "role": role, "model": model, "content": [{"type": "text", "text": text}]}
    return {"type": role, "sessionId": "s", "parentUuid": None, "cwd": "/shop", "message": message, **fields}


def failure(text: str = TOO_LONG, **fields: Any) -> Line:
    return line("assistant", text, SYNTHETIC_MODEL, isApiErrorMessage=True, error="invalid_request", **fields)


def events_of(*lines: Line) -> list[AgentEvent]:
    adapter = ClaudeTranscriptAdapter()
    return [*adapter.feed(to_bytes(lines)), *adapter.finish()]


@pytest.mark.parametrize(
    ("lines", "outcomes"),
    [
        ([line("user", "Go."), failure()], [TurnFailed(TOO_LONG)]),
        (
            [line("user", "Go."), line("assistant", "I read."), failure(), line("user", "Again.")],
            [TurnFailed(TOO_LONG), TurnCompleted()],
        ),
        ([line("user", "Go."), failure(), line("assistant", "Done.")], [TurnCompleted()]),
        ([line("user", "Go."), failure(isSidechain=True, agentId="a1")], [TurnCompleted()]),
        ([line("user", "Go."), line("assistant", "No response requested.", SYNTHETIC_MODEL)], [TurnCompleted()]),
    ],
    ids=["at the end", "before the next prompt", "answered after it", "in a subagent", "no error"],
)
def test_a_turn_whose_last_request_was_refused_failed(lines: list[Line], outcomes: list[object]) -> None:
    assert [event.outcome for event in events_of(*lines) if isinstance(event, TurnClosed)] == outcomes


def test_the_kind_of_a_subagent_is_reported_before_its_first_answer() -> None:
    answer = line("assistant", "I look.", isSidechain=True, agentId="a1", attributionAgent="Explore")
    events = events_of(line("user", "Look.", isSidechain=True, agentId="a1"), answer, answer)
    kinds = [event for event in events if isinstance(event, SubagentSeen)]
    assert kinds == [SubagentSeen("a1", "Explore")]
    first_answer = next(event for event in events if isinstance(event, AnswerStarted))
    assert events.index(kinds[0]) < events.index(first_answer)


def task(prompt: str, kind: str) -> Line:
    call = {"type": "tool_use", "id": f"c-{kind}", "name": "Task", "input": {"prompt": prompt, "subagent_type": kind}}
    started = line("assistant", prompt, uuid=f"u-{kind}")
    started["message"]["content"] = [call]
    return started


def sidechain(role: str, text: str, parent: str | None) -> Line:
    return line(role, text, isSidechain=True, uuid=f"u-{text}", parentUuid=parent)


def test_the_prompt_names_the_kind_of_a_subagent_in_the_main_transcript() -> None:
    events = events_of(
        line("user", "Go."),
        task("Look.", "Explore"),
        task("Plan it.", "Plan"),
        sidechain("user", "Look.", None),
        sidechain("user", "Plan it.", None),
        sidechain("assistant", "I look.", "u-Look."),
        sidechain("assistant", "I plan.", "u-Plan it."),
        sidechain("assistant", "Looked.", "u-I look."),
        sidechain("assistant", "Whose?", "u-unknown"),
    )
    kinds = [(event.agent, event.kind) for event in events if isinstance(event, SubagentSeen)]
    assert kinds == [("c-Explore", "Explore"), ("c-Plan", "Plan"), ("u-Look.", "Explore"), ("u-Plan it.", "Plan")]
    answers = [event.agent for event in events if isinstance(event, AnswerStarted)]
    assert [agent for agent in answers if agent != "main"] == ["u-Look.", "u-Plan it.", "u-Look.", "sidechain"]
