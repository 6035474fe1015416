"""Editor plugins that host an agent feed its events, or its output as it comes, into the server."""

from __future__ import annotations

import json

from tests.lsp.logged_run import RULE, trigger
from tests.lsp.talk import Starter, Talk, codes
from tests.lsp.test_showing_runs import ask, runs_when
from ttsr_ls.session.history.turn_events import (
    ModelCall,
    StepAppended,
    Text,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
    UnseenTrigger,
)
from ttsr_ls.store.log.codec import Record, encode_record

PROSE_RULE = "---\ncondition: 'absolutely right'\n---\nNo flattery.\n"


def report_event(talk: Talk, event: TurnEvent, session: str = "s1", **more: object) -> None:
    value = json.loads(encode_record(Record(1, 0, event)))["event"]
    talk.client.protocol.notify("ttsr/event", {"session": session, "event": value, **more})


async def test_a_hosted_event_is_shown_like_a_logged_one(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    report_event(vscode, TurnStarted("t1", UnseenTrigger()), agent="my agent")
    report_event(vscode, trigger(vscode.rules / "a.md", None))
    await vscode.push(rule, lambda one: codes(one.diagnostics) == ["triggered"])
    report_event(vscode, StepAppended("t1", 0, ModelCall("main", "m", (Text("as any;"),), complete=True)))
    report_event(vscode, TurnEnded("t1", TurnCompleted()))
    (session,) = await runs_when(vscode, lambda found: found and found[0].state == "ended")
    assert (session.id, session.agent, session.triggers) == ("hosted/s1", "my agent", 1)
    transcript = await ask(vscode, "ttsr.transcript", {"uri": session.transcript})
    assert transcript.lines[-2:] == [
        "⚡ rule 'a' fired on the agent's text, and the agent would have been reminded: “a as any;”",
        "■ the turn is completed",
    ]
    report_event(vscode, TurnStarted("t1", UnseenTrigger()), session="s2")
    await vscode.push(rule, lambda one: not one.diagnostics)


async def test_concurrent_agents_keep_their_triggers(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    for session in ("s1", "s2"):
        report_event(vscode, TurnStarted("t1", UnseenTrigger()), session=session)
        report_event(vscode, trigger(vscode.rules / "a.md", None), session=session)
    await vscode.push(rule, lambda one: any("2 times" in diagnostic.message for diagnostic in one.diagnostics))
    assert {one.id for one in await runs_when(vscode, lambda found: len(found) == 2)} == {"hosted/s1", "hosted/s2"}
    await vscode.run("ttsr.clearTriggers")
    await vscode.push(rule, lambda one: not one.diagnostics)
    report_event(vscode, trigger(vscode.rules / "a.md", None), session="s2")
    await vscode.push(rule, lambda one: codes(one.diagnostics) == ["triggered"])


def claude_lines(*deltas: str) -> list[str]:
    def event(**value: object) -> str:
        return json.dumps({"type": "stream_event", "event": value, "session_id": "x", "parent_tool_use_id": None})

    init = {"type": "system", "subtype": "init", "cwd": "/", "session_id": "x", "tools": []}
    message = {"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": {}}
    return [
        json.dumps(init),
        event(type="message_start", message=message),
        event(type="content_block_start", index=0, content_block={"type": "text", "text": ""}),
        *(event(type="content_block_delta", index=0, delta={"type": "text_delta", "text": text}) for text in deltas),
    ]


async def test_streamed_output_of_an_agent_is_matched_at_once(start: Starter) -> None:
    talk = await start("vscode")
    (talk.rules / "a.md").write_text(PROSE_RULE)
    rule = talk.open("a.md", PROSE_RULE)
    await talk.pull(rule)
    output = "\n".join(claude_lines("You are abso", "lutely right, I will")) + "\n"
    for place in range(0, len(output), 100):  # A chunk is any piece of the output, not a line of it.
        talk.client.protocol.notify("ttsr/stream", {"session": "s1", "data": output[place : place + 100]})
    (session,) = await runs_when(talk, lambda found: found and found[0].triggers == 1)
    assert (session.agent, session.state) == ("claude", "working")
    await talk.push(rule, lambda one: codes(one.diagnostics) == ["triggered"])
    talk.client.protocol.notify("ttsr/stream", {"session": "s1", "end": True})
    (session,) = await runs_when(talk, lambda found: found[0].state != "working")
    transcript = await ask(talk, "ttsr.transcript", {"uri": session.transcript})
    assert "  You are absolutely right, I will" in transcript.lines


async def test_unreadable_events_are_ignored(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    for method, params in (
        ("ttsr/event", None),
        ("ttsr/event", {"session": "", "event": {}}),
        ("ttsr/event", {"session": "s1", "event": {"kind": "Nonsense"}}),
        ("ttsr/event", {"session": "s1", "event": [[[]]], "agent": 7}),
        ("ttsr/stream", {"session": "s1", "data": "x", "from": "--rules"}),
        ("ttsr/stream", {"session": "s1", "data": "x", "workspace": "file:///etc"}),
        ("ttsr/stream", {"session": "x" * 1000, "data": "x"}),
        ("ttsr/stream", {"session": "s9", "end": True}),
    ):
        vscode.client.protocol.notify(method, params)
    report_event(vscode, TurnStarted("t1", UnseenTrigger()), session="last")
    (session,) = await runs_when(vscode, lambda found: found)
    assert session.id == "hosted/last"
