"""The relay between an editor and its agent: one prompt gets one answer, also after interrupts."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.control.played_agent import CWD, NO_OLD
from tests.bridge.watch.watching import MemoryLog, observer, rules
from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.bridge.control.acp.relay import AcpRelay, RelayedSession
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.drivers.gemini import relayed_driver
from ttsr_ls.bridge.control.injection_text import DisplayRoots
from ttsr_ls.bridge.control.relayed_lines import MAX_UNREADABLE, RelayedLines
from ttsr_ls.bridge.control.views import AgentTrouble
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import InputSkipped


class Between:
    """A relay, with the lines that it sent to each side. `agent_name` is the name that the agent reports."""

    def __init__(self, agent_name: str = "") -> None:
        self.log = MemoryLog()
        self.relay = AcpRelay(self._open)
        self.to_agent: list[Any] = []
        self.to_editor: list[Any] = []
        self.now = 0
        self.editor(id=0, method="initialize", params={"protocolVersion": 1})
        self.agent(id=0, result={"protocolVersion": 1, "agentInfo": {"name": agent_name}})
        self.taken()

    def _open(self, _: str, cwd: PurePath) -> RelayedSession:
        driver = relayed_driver(self.relay.agent_name, cwd, "0")
        watching = observer(self.log, rules(no_old=NO_OLD))
        shown = DisplayRoots(CWD, CWD)
        return RelayedSession(driver, Controller(driver, AcpAdapter(cwd), watching, Settings(), shown))

    def editor(self, **message: Any) -> None:
        self._took(self.relay.from_editor(json.dumps({"jsonrpc": "2.0", **message}).encode(), self._later()))

    def agent(self, **message: Any) -> None:
        self._took(self.relay.from_agent(json.dumps({"jsonrpc": "2.0", **message}).encode(), self._later()))

    def update(self, session: str = "s", **update: Any) -> None:
        self.agent(method="session/update", params={"sessionId": session, "update": update})

    def says(self, text: str, session: str = "s") -> None:
        self.update(session, sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})

    def taken(self) -> tuple[list[Any], list[Any]]:
        taken = self.to_agent, self.to_editor
        self.to_agent, self.to_editor = [], []
        return taken

    def _later(self) -> int:
        self.now += 10
        return self.now

    def _took(self, lines: RelayedLines) -> None:
        self.to_agent += map(json.loads, lines.to_agent)
        self.to_editor += map(json.loads, lines.to_client)


def prompted(agent_name: str = "", *attachments: dict[str, Any]) -> Between:
    between = Between(agent_name)
    between.editor(id=1, method="session/new", params={"cwd": "/home/dev/shop", "mcpServers": []})
    between.agent(id=1, result={"sessionId": "s"})
    prompt = {"sessionId": "s", "prompt": [*attachments, {"type": "text", "text": "Write a.py"}]}
    between.editor(id="p", method="session/prompt", params=prompt)
    to_agent, to_editor = between.taken()
    assert [item["method"] for item in to_agent] == ["session/new", "session/prompt"]
    assert [item["id"] for item in to_editor] == [1]
    return between


def test_a_prompt_without_triggers_is_forwarded_unchanged() -> None:
    between = prompted()
    between.says("Fine.")
    between.agent(id="p", result={"stopReason": "end_turn", "usage": {"x": 1}})
    to_agent, to_editor = between.taken()
    assert not to_agent
    assert to_editor[1] == {"jsonrpc": "2.0", "id": "p", "result": {"stopReason": "end_turn", "usage": {"x": 1}}}


def test_an_interrupted_prompt_is_continued_and_answered_once() -> None:
    between = prompted()
    between.says("I take deprecated_module ")
    to_agent, to_editor = between.taken()
    assert [item["method"] for item in to_agent] == ["session/cancel"]
    assert "this answer broke the rule no-old" in json.dumps(to_editor)
    between.says("and more of it")
    assert between.taken() == ([], [])  # What was cut off is not shown.
    between.agent(id="p", result={"stopReason": "cancelled"})
    (again,), _ = between.taken()
    assert again["method"] == "session/prompt"
    assert "Use new_module." in again["params"]["prompt"][0]["text"]
    between.says("I take new_module.")
    between.agent(id=again["id"], result={"stopReason": "end_turn"})
    to_agent, to_editor = between.taken()
    assert not to_agent
    assert "new_module" in json.dumps(to_editor[0])
    assert to_editor[-1] == {"jsonrpc": "2.0", "id": "p", "result": {"stopReason": "end_turn"}}
    kinds = [type(event).__name__ for event in between.log.events]
    assert kinds.count("TurnStarted") == kinds.count("TurnEnded") == 1
    assert "InjectionCommitted" in kinds


def test_rules_are_enforced_in_a_forked_session() -> None:
    between = prompted()
    between.agent(id="p", result={"stopReason": "end_turn"})
    between.editor(id=2, method="session/fork", params={"sessionId": "s", "cwd": "/home/dev/shop", "mcpServers": []})
    between.agent(id=2, result={"sessionId": "fork"})
    between.editor(id=3, method="session/prompt", params={"sessionId": "fork", "prompt": []})
    between.taken()
    between.says("I take deprecated_module ", "fork")
    assert [item["method"] for item in between.taken()[0]] == ["session/cancel"]


IMAGE = {"type": "image", "mimeType": "image/png", "data": "eA=="}


def test_gemini_cli_gets_the_prompt_again_that_it_removed_with_the_cancelled_answer() -> None:
    between = prompted("gemini-cli", IMAGE)
    between.says("I take deprecated_module ")
    between.agent(id="p", result={"stopReason": "cancelled"})
    (_, again), _ = between.taken()
    image, text = again["params"]["prompt"]
    assert image == IMAGE
    assert text["text"].startswith("Write a.py")
    assert "Use new_module." in text["text"]


def test_gemini_cli_is_not_cancelled_at_a_tool_call() -> None:
    between = prompted("gemini-cli", IMAGE)
    content = [{"type": "diff", "path": "/home/dev/shop/a.py", "oldText": "", "newText": "import deprecated_module\n"}]
    call = {"toolCallId": "c", "status": "pending", "title": "Writing to a.py", "kind": "edit", "content": content}
    options = [{"optionId": "y", "kind": "allow_once"}, {"optionId": "n", "kind": "reject_once"}]
    asked = {"sessionId": "s", "toolCall": call, "options": options}
    between.agent(id=7, method="session/request_permission", params=asked)
    (refused,), _ = between.taken()
    assert refused["result"]["outcome"]["optionId"] == "n"
    between.says("Then not.")
    between.agent(id="p", result={"stopReason": "end_turn"})
    (injected,), to_editor = between.taken()
    assert [block["type"] for block in injected["params"]["prompt"]] == ["text"]
    assert "Use new_module." in injected["params"]["prompt"][0]["text"]
    assert "id" not in to_editor[-1]
    between.agent(id=injected["id"], result={"stopReason": "end_turn"})
    assert between.taken()[1][-1] == {"jsonrpc": "2.0", "id": "p", "result": {"stopReason": "end_turn"}}


def test_prompts_after_interrupts_of_two_sessions_have_different_ids() -> None:
    between = prompted()
    between.editor(id=2, method="session/new", params={"cwd": "/home/dev/shop", "mcpServers": []})
    between.agent(id=2, result={"sessionId": "other"})
    prompt = {"sessionId": "other", "prompt": [{"type": "text", "text": "Write b.py"}]}
    between.editor(id="q", method="session/prompt", params=prompt)
    between.says("I take deprecated_module ")
    between.says("I take deprecated_module ", "other")
    between.taken()
    between.agent(id="p", result={"stopReason": "cancelled"})
    between.agent(id="q", result={"stopReason": "cancelled"})
    (first, second), _ = between.taken()
    assert [first["params"]["sessionId"], second["params"]["sessionId"]] == ["s", "other"]
    between.says("I take new_module.", "other")
    between.agent(id=second["id"], result={"stopReason": "end_turn"})
    _, to_editor = between.taken()
    assert [item["id"] for item in to_editor if "id" in item] == ["q"]


def test_a_call_that_breaks_a_rule_gets_no_permission() -> None:
    between = prompted()
    call: dict[str, Any] = {"toolCallId": "c", "kind": "edit", "title": "Write", "status": "pending"}
    options = [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]
    asked: dict[str, Any] = {"sessionId": "s", "toolCall": call, "options": options}
    other = {**asked, "toolCall": {**call, "toolCallId": "d"}}
    between.agent(id=1, method="session/request_permission", params=other)
    assert [item["id"] for item in between.taken()[1]] == [1]
    written = {"path": "a.py", "content": "import deprecated_module\n"}
    between.update(sessionUpdate="tool_call", rawInput=written, **call)
    between.taken()
    between.agent(id=0, method="session/request_permission", params=asked)
    (refused,), to_editor = between.taken()
    assert refused == {"jsonrpc": "2.0", "id": 0, "result": {"outcome": {"outcome": "selected", "optionId": "no"}}}
    assert not to_editor
    # Nor does another call of the answer that is being cancelled.
    last = {**asked, "toolCall": {**call, "toolCallId": "e"}}
    between.agent(id=2, method="session/request_permission", params=last)
    (refused,), to_editor = between.taken()
    assert (refused["id"], refused["result"]["outcome"]["optionId"], to_editor) == (2, "no", [])


def test_nothing_is_injected_after_the_editor_stops_the_agent() -> None:
    between = prompted()
    between.says("I take deprecated_module ")
    between.editor(method="session/cancel", params={"sessionId": "s"})
    between.taken()
    between.agent(id="p", result={"stopReason": "cancelled"})
    assert between.taken() == ([], [{"jsonrpc": "2.0", "id": "p", "result": {"stopReason": "cancelled"}}])


LINES = [
    b"", b"\xff", b"[]", b'{"id": 1}', b'{"id": "p", "result": {"stopReason": "cancelled"}}', b'{"id": {}, "error": 3}',
    b'{"method": "session/prompt", "id": 7, "params": {"sessionId": "s", "prompt": 3}}', b'{"method": "session/new"}',
    b'{"method": "session/cancel", "params": {"sessionId": "s"}}', b'{"id": "ttsr-s-1", "result": {"stopReason": "x"}}',
    b'{"method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", '
    b'"content": {"type": "text", "text": "deprecated_module"}}}}',
    b'{"method": "session/request_permission", "id": 3, "params": {"sessionId": "s", "options": [5]}}',
]  # fmt: skip


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(LINES)), max_size=30))
def test_any_lines_are_forwarded_or_answered(lines: list[tuple[bool, bytes]]) -> None:
    between = prompted()
    for is_editor, line in lines:
        pass_on = between.relay.from_editor if is_editor else between.relay.from_agent
        sent = pass_on(line, between._later())
        assert len(sent.to_agent) + len(sent.to_client) <= 4
    between.relay.tick(10**9)
    between.relay.finish(10**9)


def test_output_of_the_agent_that_is_no_message_is_dropped() -> None:
    between = prompted()
    relay = between.relay
    strays = [
        b"npm WARN deprecated",
        b"\xff\x1b[2J",
        b"[1]",
        b"42",
        b'"text"',
        b"{}",
        b'{"level": "info"}',
        b"{" * 9_999,
    ]
    relayed_lines = [relay.from_agent(line, 1_000) for line in strays]
    assert {(lines.to_client, lines.to_agent) for lines in relayed_lines} == {((), ())}
    messages = [view.message for lines in relayed_lines for view in lines.views if isinstance(view, AgentTrouble)]
    assert messages[0] == "A line of the agent that is no message was dropped: npm WARN deprecated"
    assert len(messages) == len(strays)
    assert [event.message for event in between.log.events if isinstance(event, InputSkipped)] == messages
    assert max(map(len, messages)) < 300
    assert relay.from_agent(b" ", 1_000) == RelayedLines()
    more = [view for _ in range(MAX_UNREADABLE) for view in relay.from_agent(b"x", 1_000).views]
    assert len(messages) + len(more) == MAX_UNREADABLE
    recorded = [event for event in between.log.events if isinstance(event, InputSkipped)]
    assert len(recorded) == MAX_UNREADABLE
    answer = b'{"jsonrpc": "2.0", "id": 99, "result": {}}'
    assert relay.from_agent(answer, 1_000).to_client == (answer,)


def test_a_failed_injection_prompt_answers_the_editor_with_its_error() -> None:
    between = prompted()
    between.says("I take deprecated_module ")
    between.agent(id="p", result={"stopReason": "cancelled"})
    (_, again), _ = between.taken()
    between.agent(id=again["id"], error={"code": 400, "message": "invalid history"})
    _, to_editor = between.taken()
    assert to_editor == [{"jsonrpc": "2.0", "id": "p", "error": {"code": 400, "message": "invalid history"}}]
    kinds = [type(event).__name__ for event in between.log.events]
    assert kinds.count("TurnStarted") == kinds.count("TurnEnded") == 1


def test_a_call_that_appears_only_in_its_permission_request_is_refused() -> None:
    between = prompted()
    diff = {"type": "diff", "path": "a.py", "oldText": "", "newText": "import deprecated_module\n"}
    call = {"toolCallId": "c", "kind": "edit", "title": "Write a.py", "status": "pending", "content": [diff]}
    options = [{"optionId": "no", "kind": "reject_once"}]
    asked: dict[str, Any] = {"sessionId": "s", "toolCall": call, "options": options}
    between.agent(id=0, method="session/request_permission", params=asked)
    to_agent, _ = between.taken()
    assert to_agent[0]["result"] == {"outcome": {"outcome": "selected", "optionId": "no"}}


def test_unreadable_lines_of_the_editor_are_forwarded_reported_and_recorded() -> None:
    between = prompted()
    lines = between.relay.from_editor(b"{nothing", 1_000)
    assert (lines.to_agent, between.relay.from_editor(b"", 1_000).views) == ((b"{nothing",), ())
    long = between.relay.skip_oversized_line(1_000)
    messages = [view.message for view in (*lines.views, *long.views) if isinstance(view, AgentTrouble)]
    assert messages[0].startswith("A line of the editor was passed on and could not be read: ")
    assert messages[1] == "A line was not passed on: it is too long."
    assert [event.message for event in between.log.events if isinstance(event, InputSkipped)] == messages
