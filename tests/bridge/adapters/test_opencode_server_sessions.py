"""Sessions in the events of an opencode server, which serves several at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ttsr_ls.bridge.adapters.opencode.adapter import OpencodeAdapter
from ttsr_ls.session.history.turn_events import ToolCall
from ttsr_ls.session.output.agent_events import AgentEvent, BlockFinished, SessionSeen, SubagentSeen

MAIN, SUB = "ses_main", "ses_sub"


def event(kind: str, session: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "location": {"directory": "/p"}, "data": {"sessionID": session, **data}}


def created(session: str, **info: Any) -> dict[str, Any]:
    return event("session.created", session, info={"id": session, "directory": "/p", **info})


def call(session: str, number: int) -> dict[str, Any]:
    return event("session.next.tool.called", session, callID=f"c{number}", tool="bash", input={"command": "ls"})


def read(*events: dict[str, Any]) -> list[AgentEvent]:
    adapter = OpencodeAdapter()
    return adapter.feed(b"".join(json.dumps(item).encode() + b"\n" for item in events)) + adapter.finish()


def test_a_long_session_is_identified_once() -> None:
    events = read(created(MAIN), *(call(MAIN, number) for number in range(600)))
    assert [item for item in events if isinstance(item, SessionSeen)] == [SessionSeen(MAIN, "/p")]


def test_a_subagent_does_not_replace_the_session() -> None:
    events = read(created(MAIN), created(SUB, parentID=MAIN, agent="explore"), call(SUB, 1), call(MAIN, 2))
    sessions = [item for item in events if isinstance(item, SessionSeen | SubagentSeen)]
    assert sessions == [SessionSeen(MAIN, "/p"), SubagentSeen(SUB, "explore")]


def test_another_session_of_the_server_does_not_replace_the_session() -> None:
    events = read(call(MAIN, 1), call("ses_other", 2), call(MAIN, 3))
    assert [item for item in events if isinstance(item, SessionSeen)] == [SessionSeen(MAIN, "/p")]


def tool_part(status: str, arguments: dict[str, Any]) -> dict[str, Any]:
    state = {"status": status, "input": arguments, "output": ""}
    part = {"id": "p", "messageID": "m", "type": "tool", "callID": "c", "tool": "notes_list", "state": state}
    return {"type": "message.part.updated", "properties": {"sessionID": MAIN, "part": part}}


@pytest.mark.parametrize("arguments", [{}, {"limit": 1}])
def test_a_call_is_read_once_its_arguments_are_complete_also_if_there_are_none(arguments: dict[str, Any]) -> None:
    stages = [("pending", {}), ("running", arguments), ("completed", arguments)]
    events = read(created(MAIN), *(tool_part(status, complete) for status, complete in stages))
    (call,) = (item.output for item in events if isinstance(item, BlockFinished))
    assert isinstance(call, ToolCall)
    assert (call.tool, json.loads(call.arguments)) == ("notes_list", arguments)


def test_a_call_that_was_aborted_before_its_arguments_is_not_read() -> None:
    events = read(created(MAIN), tool_part("pending", {}), tool_part("error", {}))
    assert [item for item in events if isinstance(item, BlockFinished)] == []
