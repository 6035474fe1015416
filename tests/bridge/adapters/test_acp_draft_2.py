"""Draft 2 of the Agent Client Protocol: whole messages, inputs that are replaced, patches, and states."""

from __future__ import annotations

import json
from typing import Any

from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules, watch
from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.bridge.adapters.acp.git_patch import added_text_by_file
from ttsr_ls.rules.stream import Delta, Snapshot
from ttsr_ls.session.history.turn_events import UserInput
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, StreamDamaged, TurnClosed, TurnOpened


def update(_kind: str, **fields: Any) -> dict[str, Any]:
    return {"method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": _kind, **fields}}}


def said(kind: str, *texts: str, message: str = "m") -> dict[str, Any]:
    return update(kind, messageId=message, content=[{"type": "text", "text": text} for text in texts])


def chunk(text: str, message: str = "m") -> dict[str, Any]:
    return update("agent_message_chunk", messageId=message, content={"type": "text", "text": text})


def call(**fields: Any) -> dict[str, Any]:
    return update("tool_call_update", toolCallId="c", **fields)


def read(*messages: object) -> list[AgentEvent]:
    adapter = AcpAdapter()
    return [*adapter.feed("".join(json.dumps(message) + "\n" for message in messages).encode()), *adapter.finish()]


def seen(*messages: object) -> list[str]:
    """The texts on which rules are matched."""
    events = [event.event for event in read(*messages) if isinstance(event, AgentDelta)]
    return [event.text for event in events if isinstance(event, Delta | Snapshot)]


def test_a_whole_message_adds_only_its_new_text() -> None:
    assert seen(chunk("one "), said("agent_message", "one ", "two"), chunk(" three")) == ["one ", "two", " three"]
    assert seen(said("agent_message", "one"), said("agent_message", "one")) == ["one"]
    # Also after a chunk of another message.
    assert seen(chunk("one"), chunk("x", "n"), said("agent_message", "one two")) == ["one", "x", " two"]


def test_a_replaced_message_is_matched_again() -> None:
    assert seen(chunk("one two"), said("agent_message", "two")) == ["one two", "two"]
    assert seen(chunk("one"), said("agent_message"), said("agent_message", "one")) == ["one", "one"]
    assert seen(chunk("one"), update("agent_message", messageId="m")) == ["one"]


def test_a_terminal_of_a_long_session_belongs_to_its_call() -> None:
    messages: list[object] = []
    for number in range(1_002):
        terminal = [{"type": "terminal", "terminalId": f"t{number}"}]
        fields = {"toolCallId": f"c{number}", "name": "bash", "rawInput": {"command": "ls"}, "content": terminal}
        messages.append(update("tool_call_update", status="in_progress", **fields))
        messages.append(update("terminal_update", terminalId=f"t{number}", command="ls"))
    assert len(seen(*messages)) == 1_002


def test_a_replaced_input_is_matched_again() -> None:
    pieces = ({"command": "pip install "}, {"command": "pip install deprecated_module"})
    log = MemoryLog()
    lines = [call(name="bash", status="pending", rawInput=piece) for piece in pieces]
    lines.append(call(status="completed", rawInput=pieces[1]))
    watch("".join(json.dumps(line) + "\n" for line in lines).encode(), log, rules(no_old=NO_OLD), adapter=AcpAdapter())
    assert [trigger.rule for trigger in log.triggers] == ["no-old"]
    assert len(seen(*lines)) == 2 * len(seen(lines[0]))


def test_each_file_of_a_diff_is_a_call_with_its_added_text() -> None:
    patch = (
        "diff --git /a.py /a.py\n--- /a.py\n+++ /a.py\n@@ -1,2 +1,2 @@\n-x\n--- /b.py\n+++ /c.py\n+y\n"
        "diff --git /d.py /d.py\n--- /d.py\n+++ /d.py\n@@ -0,0 +1 @@\n+z\n\\ No newline at end of file\n"
    )
    assert added_text_by_file(patch) == [("/a.py", "++ /c.py\ny"), ("/d.py", "z")]
    changes = [{"operation": "modify", "path": "/a.py"}, {"operation": "delete", "path": "/b.py"}]
    diff = {"type": "diff", "changes": changes, "patch": {"format": "git_patch", "text": patch}}
    texts = seen(update("tool_call_content_chunk", toolCallId="c", content=diff))
    assert "++ /c.py\ny" in texts
    assert "z" in texts  # No change names its file.


def test_hunks_with_any_numbers_are_read_in_bounded_time() -> None:
    for head in ("@@ -1,999999999 +1,999999999 @@", "@@ -1,99999999999999999999 +1 @@", "@@ -a +b @@", "@@"):
        added_text_by_file(f"diff --git a a\n+++ a\n{head}\n+x\n" * 50)


def test_a_user_message_while_the_agent_runs_starts_no_turn() -> None:
    running, idle = update("state_update", state="running"), update("state_update", state="idle")
    steered = read(running, chunk("a"), said("user_message", "Stop.", message="u"), chunk("b", "n"), idle)
    assert [type(event) for event in steered].count(TurnOpened) == 1
    again = [said("user_message", text, message=text) for text in ("One", "Two")]
    opened = [event.trigger for event in read(*again, again[0]) if isinstance(event, TurnOpened)]
    assert opened == [UserInput("One"), UserInput("Two")]


def test_an_idle_state_from_before_the_prompt_ends_no_turn() -> None:
    prompt = {"method": "session/prompt", "id": 1, "params": {"prompt": [{"type": "text", "text": "Go."}]}}
    idle = update("state_update", state="idle")
    events = read(idle, prompt, idle, update("state_update", state="running"), chunk("a"), idle)
    assert [type(event) for event in events].count(TurnClosed) == 1


def test_unknown_states_and_damaged_batches_are_reported() -> None:
    events = read(update("state_update", state="_lost"), [1], [])
    messages = [event.message for event in events if isinstance(event, StreamDamaged)]
    assert len(messages) == 3
    assert "'state _lost'" in messages[0]
