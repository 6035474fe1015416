"""The token usage of agents, in the counts of session logs: no token counts twice, and thinking is output.

The numbers are what Codex 0.169.0 and opencode 1.18.33 wrote for one answer of a model on loopback, whose 100 tokens of
prompt included 64 that were read from the cache and 16 that were written to it (opencode: none). Gemini CLI keeps the
counts of the Gemini API under other names; its sample has no others than 0 and 1.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AnswerEnded

CODEX = {
    "input_tokens": 100,
    "cached_input_tokens": 64,
    "cache_write_input_tokens": 16,
    "output_tokens": 20,
    "reasoning_output_tokens": 8,
}
IN_APP_SERVER = {
    "inputTokens": 100,
    "cachedInputTokens": 64,
    "cacheWriteInputTokens": 16,
    "outputTokens": 20,
    "reasoningOutputTokens": 8,
    "totalTokens": 120,
}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi."}]}
RECORDED = {**CODEX, "total_tokens": 120}
OPENCODE = {"total": 120, "input": 36, "output": 12, "reasoning": 8, "cache": {"write": 0, "read": 64}}
GEMINI = {"input": 100, "output": 12, "cached": 64, "thoughts": 8, "tool": 0, "total": 120}
HI = {"type": "agent_message", "id": "i", "text": "Hi."}
STREAMS: dict[str, tuple[list[Any], Usage]] = {
    "codex": (
        [
            {"type": "thread.started", "thread_id": "t"},
            {"type": "turn.started"},
            {"type": "item.completed", "item": HI},
            {"type": "turn.completed", "usage": CODEX},
        ],
        Usage(20, 20, 64, 16),
    ),
    "codex-rollout": (
        [
            {"type": "session_meta", "payload": {"id": "t", "cwd": "/shop"}},
            {"type": "event_msg", "payload": {"type": "user_message", "message": "hi"}},
            {"type": "response_item", "payload": SAID},
            {"type": "token_usage_record", "payload": {"usage": RECORDED, "turn_token_usage": RECORDED}},
            {"type": "event_msg", "payload": {"type": "token_count", "info": {"last_token_usage": RECORDED}}},
        ],
        Usage(20, 20, 64, 16),
    ),
    "codex-app-server": (
        [
            {"method": "thread/started", "params": {"thread": {"id": "t", "cwd": "/shop"}}},
            {"method": "turn/started", "params": {"threadId": "t", "turn": {"id": "u"}}},
            {"method": "item/agentMessage/delta", "params": {"threadId": "t", "itemId": "i", "delta": "Hi."}},
            {"method": "thread/tokenUsage/updated", "params": {"threadId": "t", "tokenUsage": {"last": IN_APP_SERVER}}},
        ],
        Usage(20, 20, 64, 16),
    ),
    "opencode": (
        [
            {"type": "step_start", "sessionID": "s", "part": {"type": "step-start"}},
            {"type": "text", "sessionID": "s", "part": {"id": "p", "type": "text", "text": "Hi."}},
            {"type": "step_finish", "sessionID": "s", "part": {"type": "step-finish", "tokens": OPENCODE}},
        ],
        Usage(36, 20, 64),
    ),
    "gemini-chat": (
        [
            {"sessionId": "s", "projectHash": "p", "startTime": "2026-11-22T21:47:45.609Z", "kind": "main"},
            {"id": "a", "type": "user", "content": "hi"},
            {"id": "b", "type": "gemini", "content": "Hi.", "tokens": GEMINI},
        ],
        Usage(36, 20, 64),
    ),
}


@pytest.mark.parametrize("source", STREAMS)
def test_no_token_is_counted_twice(source: str) -> None:
    lines, usage = STREAMS[source]
    adapter = SOURCES[source].make(None)
    events = [*adapter.feed(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), *adapter.finish()]
    ends = [event.usage for event in events if isinstance(event, AnswerEnded) and event.usage is not None]
    assert ends == [usage]


def test_an_interrupted_answer_of_the_app_server_does_not_repeat_the_usage_of_the_one_before() -> None:
    adapter = SOURCES["codex-app-server"].make(None)
    delta = {"method": "item/agentMessage/delta", "params": {"threadId": "t", "itemId": "j", "delta": "More."}}
    ended = {"method": "turn/completed", "params": {"threadId": "t", "turn": {"id": "u", "status": "interrupted"}}}
    lines = [*STREAMS["codex-app-server"][0], delta, ended]
    events = [*adapter.feed(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), *adapter.finish()]
    assert [event.usage for event in events if isinstance(event, AnswerEnded)] == [Usage(20, 20, 64, 16), None]


def test_the_usage_of_an_app_server_answer_may_come_after_the_result_of_its_call() -> None:
    adapter = SOURCES["codex-app-server"].make(None)
    command = {"type": "commandExecution", "id": "c", "command": "ls", "status": "completed", "exitCode": 0}
    started, completed = (
        {"method": f"item/{step}", "params": {"threadId": "t", "item": command}} for step in ("started", "completed")
    )
    delta = {"method": "item/agentMessage/delta", "params": {"threadId": "t", "itemId": "j", "delta": "More."}}
    ended = {"method": "turn/completed", "params": {"threadId": "t", "turn": {"id": "u", "status": "interrupted"}}}
    *opened, usage = STREAMS["codex-app-server"][0]
    lines = [*opened, started, completed, usage, delta, ended]
    events = [*adapter.feed(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), *adapter.finish()]
    ends = [(event.complete, event.usage) for event in events if isinstance(event, AnswerEnded)]
    assert ends == [(True, Usage(20, 20, 64, 16)), (False, None)]


@pytest.mark.parametrize("status", ["interrupted", "completed", ""])
def test_an_app_server_answer_whose_call_has_a_result_is_complete_without_a_usage(status: str) -> None:
    adapter = SOURCES["codex-app-server"].make(None)
    command = {"type": "commandExecution", "id": "c", "command": "ls", "status": "completed", "exitCode": 0}
    ended = {"method": "turn/completed", "params": {"threadId": "t", "turn": {"id": "u", "status": status}}}
    lines = [
        *STREAMS["codex-app-server"][0][:-1],
        {"method": "item/completed", "params": {"threadId": "t", "item": command}},
        *([ended] if status else []),
    ]
    events = [*adapter.feed(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), *adapter.finish()]
    ends = [(event.complete, event.usage) for event in events if isinstance(event, AnswerEnded)]
    assert ends == [(True, None)]


def test_a_usage_without_an_answer_is_not_that_of_the_next_one() -> None:
    adapter = SOURCES["codex-app-server"].make(None)
    *opened, delta, usage = STREAMS["codex-app-server"][0]
    ended = {"method": "turn/completed", "params": {"threadId": "t", "turn": {"id": "u", "status": "interrupted"}}}
    lines = [*opened, usage, delta, ended]
    events = [*adapter.feed(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), *adapter.finish()]
    assert [event.usage for event in events if isinstance(event, AnswerEnded)] == [None]
