"""Sessions in the events of an opencode server, which serves several at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ttsr_ls.bridge.adapters.opencode.adapter import OpencodeAdapter
from ttsr_ls.session.history.turn_events import ToolCall, UserInput
from ttsr_ls.session.output.agent_events import AgentEvent, BlockFinished, SessionSeen, SubagentSeen, TurnOpened

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


def test_subagents_of_each_session_have_their_kinds_and_other_sessions_that_of_the_main_agent() -> None:
    events = read(
        created(MAIN), created("ses_other"), created(SUB, parentID="ses_other", agent="explore"), created("ses_other")
    )
    assert [item for item in events if isinstance(item, SubagentSeen)] == [
        SubagentSeen("ses_other", "main"),
        SubagentSeen(SUB, "explore"),
    ]


def older(kind: str, session: str, **properties: Any) -> dict[str, Any]:
    return {"type": kind, "properties": {"sessionID": session, **properties}}


def message(session: str, identity: str, role: str, created: int, **info: Any) -> dict[str, Any]:
    info = {"id": identity, "role": role, "time": {"created": created}, **info}
    return older("message.updated", session, info=info)


def part(session: str, of: str, kind: str, **fields: Any) -> dict[str, Any]:
    return older("message.part.updated", session, part={"id": f"p-{of}", "messageID": of, "type": kind, **fields})


def test_the_history_that_a_fork_copies_is_no_new_output() -> None:
    time = {"start": 1, "end": 2}
    events = read(
        created(MAIN, time={"created": 100}),
        created("ses_fork", time={"created": 500}),
        message("ses_fork", "m1", "assistant", 200),
        part("ses_fork", "m1", "text", text="Copied.", time=time),
        message("ses_fork", "m2", "assistant", 600),
        part("ses_fork", "m2", "text", text="New.", time=time),
    )
    assert [item.output.text for item in events if isinstance(item, BlockFinished)] == ["New."]  # type: ignore[union-attr]


def test_a_command_that_the_user_runs_is_neither_a_prompt_nor_a_call_of_the_agent() -> None:
    state = {"status": "completed", "input": {"command": "ls"}, "output": "a.py"}
    events = read(
        created(MAIN),
        message(MAIN, "u1", "user", 1),
        part(MAIN, "u1", "text", text="The following tool was executed by the user", synthetic=True),
        message(MAIN, "m1", "assistant", 2, parentID="u1"),
        part(MAIN, "m1", "tool", callID="c1", tool="bash", state=state),
    )
    assert [type(item) for item in events] == [SessionSeen]


def test_the_content_of_a_file_in_a_prompt_begins_no_turn() -> None:
    events = read(
        created(MAIN),
        message(MAIN, "u1", "user", 1),
        part(MAIN, "u1", "text", text="Read it."),
        part(MAIN, "u1", "text", id="p2", text="Called the Read tool", synthetic=True),
    )
    assert [item.trigger for item in events if isinstance(item, TurnOpened)] == [UserInput("Read it.")]


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
