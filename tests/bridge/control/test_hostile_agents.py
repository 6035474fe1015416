"""For any output of an agent, the controller does not raise, sends a limited number of messages, and ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.control.played_agent import (
    AGENT_END,
    ANSWER,
    PlayedAgent,
    answered,
    call,
    claude,
    codex,
    opencode,
    pi,
    text_delta,
    user,
)

SAMPLES = Path(__file__).parents[2] / "samples"

PI_LINES = [
    b"", b"\xff\xfe", b"[]", b"nonsense", b'{"type": 3}', b'{"type": "response", "id": "ttsr-1", "success": false}',
    b'{"type": "response", "id": "ttsr-2", "success": true, "data": 7}', b'{"type": "extension_ui_request", "method": '
    b'"confirm"}', json.dumps(AGENT_END).encode(), json.dumps(ANSWER).encode(),
    json.dumps(answered("aborted")).encode(), json.dumps(answered()).encode(), json.dumps(user("Write a.py")).encode(),
    json.dumps(text_delta("deprecated_module ")).encode(), b'{"type": "auto_retry_start"}',
    *(json.dumps(item).encode() for item in call('{"content": "deprecated_module')),
]  # fmt: skip
_AT = {"threadId": "t", "turnId": "u"}
CODEX_MESSAGES: list[dict[str, Any]] = [
        {"id": 1, "result": {}}, {"id": 2, "result": []}, {"id": 2, "error": {"message": 3}}, {"id": 3, "result": {}},
        {"id": [], "method": "item/fileChange/requestApproval", "params": None}, {"method": 5}, {"id": None},
        {"method": "turn/started", "params": {**_AT, "turn": {"id": "u"}}},
        {"method": "turn/completed", "params": {**_AT, "turn": {"id": "u", "status": "interrupted"}}},
        {"method": "turn/completed", "params": {**_AT, "turn": {"id": "u", "status": "failed"}}},
        {"method": "item/agentMessage/delta", "params": {**_AT, "itemId": "m", "delta": "deprecated_module "}},
        {"method": "item/started", "params": {**_AT, "item": {"type": "commandExecution", "id": "c",
                                                              "command": "deprecated_module"}}},
        {"method": "item/completed", "params": {**_AT, "item": {"type": "commandExecution", "id": "c"}}},
]  # fmt: skip
CODEX_LINES = [json.dumps(message).encode() for message in CODEX_MESSAGES]


def play(agent: PlayedAgent, lines: list[bytes]) -> None:
    agent.start()
    for line in lines:
        before = len(agent.sent)
        agent.says(line)
        assert len(agent.sent) - before <= 4
    agent.now += 10**9
    agent.took(agent.controller.tick(agent.now))
    agent.took(agent.controller.finish(agent.now))
    assert agent.controller.is_over
    assert agent.kinds.count("TurnStarted") == agent.kinds.count("TurnEnded")


@given(st.lists(st.sampled_from(PI_LINES), max_size=40))
def test_any_output_of_pi_is_handled(lines: list[bytes]) -> None:
    play(pi(), lines)


@given(st.lists(st.sampled_from(CODEX_LINES), max_size=40))
def test_any_output_of_codex_is_handled(lines: list[bytes]) -> None:
    play(codex(), lines)


def sampled(name: str) -> list[bytes]:
    """Lines of a recorded session, and some truncated ones."""
    lines = (SAMPLES / name).read_bytes().replace(b"data: ", b"").splitlines()[:400]
    return [*lines, *(line[: len(line) // 2] for line in lines[::7])]


CLAUDE_LINES = [
    *sampled("claude/print-partial.jsonl"),
    b'{"type": "control_request", "request_id": 3, "request": {"subtype": "can_use_tool"}}',
    b'{"type": "control_response", "response": {"subtype": "error", "request_id": "ttsr-1"}}',
    b'{"type": "control_response", "response": {"subtype": "success", "request_id": "ttsr-1"}}',
    b'{"type": "system", "subtype": "init"}', b'{"type": "result", "is_error": true}',
]  # fmt: skip
OPENCODE_LINES = [
    b'{"http": "session-1", "status": 200, "body": {"data": {"id": "s"}}}', b'{"http": "prompt-2", "status": 500}',
    b'{"http": "prompt-2", "status": 200, "body": []}', b'{"http": "wait-3", "status": 204}', b'{"http": 5}',
    b'{"type": "plugin.added", "data": {"id": ["config-provider"]}}',
    b'{"type": "plugin.added", "data": {"id": "config-provider"}}', b'{"type": "catalog.updated"}',
    b'{"type": "permission.v2.asked", "data": {"sessionID": "s", "id": 5, "resources": 3}}',
    b'{"type": "question.v2.asked", "data": {"sessionID": "s"}}',
    b'{"type": "session.next.step.failed", "data": {"sessionID": "s", "error": {"message": "no"}}}',
    b'{"type": "session.next.text.delta", "data": {"sessionID": "s", "delta": "deprecated_module "}}',
    b'{"type": "session.next.step.ended", "data": {"sessionID": "s", "finish": "stop"}}',
]  # fmt: skip


@given(st.lists(st.sampled_from(CLAUDE_LINES), max_size=40))
def test_any_output_of_claude_code_is_handled(lines: list[bytes]) -> None:
    play(claude(), lines)


@given(st.lists(st.sampled_from(OPENCODE_LINES), max_size=40))
def test_any_output_of_opencode_is_handled(lines: list[bytes]) -> None:
    play(opencode(), lines)
