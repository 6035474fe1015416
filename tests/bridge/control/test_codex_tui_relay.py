"""The relay between Codex's interface and its app server: requests of the user are kept, and rules are enforced."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.control.played_agent import CWD, NO_OLD
from tests.bridge.watch.watching import MemoryLog, observer, rules
from ttsr_ls.bridge.adapters.codex.app_server import CodexAppServerAdapter
from ttsr_ls.bridge.control.codex_tui.relay import CodexTuiRelay, TuiThread
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.drivers.codex_tui import CodexTuiDriver
from ttsr_ls.bridge.control.injection_text import DisplayRoots
from ttsr_ls.bridge.control.relayed_lines import MAX_UNREADABLE, RelayedLines
from ttsr_ls.bridge.control.views import AgentTrouble
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import InputSkipped

RUN = {"type": "commandExecution", "id": "c", "command": "pip install deprecated_module", "status": "inProgress"}
APPROVAL = "item/commandExecution/requestApproval"


class Between:
    """A relay, with the lines that it sent to each side."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.relay = CodexTuiRelay(self._open)
        self.to_server: list[Any] = []
        self.to_tui: list[Any] = []
        self.now = 0

    def _open(self, identity: str, cwd: PurePath) -> TuiThread:
        driver, watching = CodexTuiDriver(cwd, "0"), observer(self.log, rules(no_old=NO_OLD))
        shown = DisplayRoots(CWD, CWD)
        return TuiThread(driver, Controller(driver, CodexAppServerAdapter(cwd), watching, Settings(), shown))

    def tui(self, **message: Any) -> None:
        self._took(self.relay.from_tui(json.dumps(message).encode(), self._later()))

    def server(self, **message: Any) -> None:
        self._took(self.relay.from_server(json.dumps(message).encode(), self._later()))

    def event(self, _method: str, **params: Any) -> None:
        self.server(method=_method, params={"threadId": "t", **params})

    def taken(self) -> tuple[list[Any], list[Any]]:
        taken = self.to_server, self.to_tui
        self.to_server, self.to_tui = [], []
        return taken

    def _later(self) -> int:
        self.now += 10
        return self.now

    def _took(self, lines: RelayedLines) -> None:
        self.to_server += map(json.loads, lines.to_agent)
        self.to_tui += map(json.loads, lines.to_client)


def begun(policy: str = "on-request", sandbox: str = "workspaceWrite") -> Between:
    between = Between()
    between.tui(id=1, method="thread/start", params={"cwd": "/home/dev/shop"})
    opened = {"thread": {"id": "t"}, "cwd": "/home/dev/shop", "approvalPolicy": policy, "sandbox": {"type": sandbox}}
    between.server(id=1, result=opened)
    prompt(between, 2)
    between.event("turn/started", turn={"id": "u1"})
    return between


def prompt(between: Between, number: int) -> None:
    prompt = [{"type": "text", "text": "Write a.py"}]
    between.tui(id=number, method="turn/start", params={"threadId": "t", "input": prompt})
    between.server(id=number, result={"turn": {"id": "u1"}})


def methods(lines: list[Any]) -> list[str | None]:
    return [line.get("method") for line in lines]


def test_lines_without_triggers_are_forwarded_unchanged() -> None:
    between = begun()
    between.event("item/agentMessage/delta", itemId="m", delta="Fine.")
    between.event("turn/completed", turn={"id": "u1", "status": "completed"})
    to_server, to_tui = between.taken()
    assert methods(to_server) == ["thread/start", "turn/start"]
    assert "approvalPolicy" not in to_server[1]["params"]
    assert methods(to_tui) == [None, None, "turn/started", "item/agentMessage/delta", "turn/completed"]


def test_an_answer_is_interrupted_rewound_and_requested_again() -> None:
    between = begun()
    between.taken()
    between.event("item/agentMessage/delta", itemId="m", delta="I take deprecated_module ")
    (interrupt,), to_tui = between.taken()
    assert (interrupt["method"], interrupt["params"]) == ("turn/interrupt", {"threadId": "t", "turnId": "u1"})
    assert "this answer breaks the rule no-old" in to_tui[-1]["params"]["message"]
    between.server(id=interrupt["id"], result={})
    between.event("turn/completed", turn={"id": "u1", "status": "interrupted"})
    (revert,), _ = between.taken()
    assert revert["method"] == "thread/revert"
    between.server(id=revert["id"], result={})
    (start,), to_tui = between.taken()
    assert start["method"] == "turn/start"
    assert "Write a.py" in start["params"]["input"][0]["text"]
    assert "Use new_module." in start["params"]["input"][0]["text"]
    assert methods(to_tui) == ["warning"]  # The responses are ours.
    between.server(id=start["id"], result={"turn": {"id": "u2"}})
    between.event("turn/started", turn={"id": "u2"})
    between.event("item/agentMessage/delta", itemId="n", delta="I take new_module.")
    between.event("turn/completed", turn={"id": "u2", "status": "completed"})
    to_server, to_tui = between.taken()
    assert not to_server
    assert methods(to_tui) == ["turn/started", "item/agentMessage/delta", "turn/completed"]
    kinds = [type(event).__name__ for event in between.log.events]
    assert (kinds.count("TurnStarted"), kinds.count("TurnEnded")) == (1, 1)


def test_the_user_decides_about_calls_that_no_rule_forbids() -> None:
    between = begun()
    between.event("item/started", item={**RUN, "id": "d", "command": "ls"})
    between.taken()
    between.server(id=7, method=APPROVAL, params={"threadId": "t", "itemId": "d", "command": "ls"})
    assert between.taken() == (
        [],
        [{"id": 7, "method": APPROVAL, "params": {"threadId": "t", "itemId": "d", "command": "ls"}}],
    )
    between.event("item/started", item=RUN)
    between.taken()
    between.server(id=8, method=APPROVAL, params={"threadId": "t", "itemId": "c", "command": RUN["command"]})
    assert between.taken() == ([{"id": 8, "result": {"decision": "decline"}}], [])


def test_without_approvals_every_call_waits_for_the_rules() -> None:
    between = begun("never", "dangerFullAccess")
    to_server, _ = between.taken()
    assert to_server[1]["params"]["approvalPolicy"] == "untrusted"
    between.event("thread/settings/updated", threadSettings={"approvalPolicy": "untrusted", "model": "m"})
    assert between.taken()[1][0]["params"]["threadSettings"] == {"approvalPolicy": "never", "model": "m"}
    for call, item in (("d", {**RUN, "id": "d", "command": "ls"}), ("c", RUN)):
        between.server(id=call, method=APPROVAL, params={"threadId": "t", "itemId": call})
        between.event("item/started", item=item)
        between.server(id=f"{call}2", method=APPROVAL, params={"threadId": "t", "itemId": call})
    answers = {item["id"]: item["result"]["decision"] for item in between.taken()[0] if "result" in item}
    assert answers == {"d": "accept", "d2": "accept", "c": "accept", "c2": "decline"}


def test_without_approvals_calls_of_mcp_tools_wait_for_the_rules_too() -> None:
    between = begun("never", "dangerFullAccess")
    answers: dict[str, str] = {}
    for call, text in (("d", "new_module"), ("c", "deprecated_module")):
        item = {"type": "mcpToolCall", "id": call, "server": "notes", "tool": "add", "arguments": {"text": text}}
        between.event("item/started", item={**item, "status": "inProgress"})
        between.taken()
        meta = {"codex_approval_kind": "mcp_tool_call", "tool_name": "add", "tool_params": {"text": text}}
        asked = {"threadId": "t", "turnId": "u1", "serverName": "notes", "_meta": meta}
        between.server(id=call, method="mcpServer/elicitation/request", params=asked)
        to_server, to_tui = between.taken()
        answers |= {item["id"]: item["result"]["action"] for item in to_server if "result" in item}
        assert to_tui == []
    assert answers == {"d": "accept", "c": "decline"}


def test_questions_of_mcp_servers_are_left_to_the_user() -> None:
    between = begun("never", "dangerFullAccess")
    between.taken()
    asked = {"threadId": "t", "turnId": "u1", "serverName": "notes", "message": "Which note?"}
    between.server(id=7, method="mcpServer/elicitation/request", params=asked)
    assert between.taken() == ([], [{"id": 7, "method": "mcpServer/elicitation/request", "params": asked}])


def test_nothing_is_injected_after_the_user_stops_codex() -> None:
    between = begun()
    between.event("item/agentMessage/delta", itemId="m", delta="I take deprecated_module ")
    between.tui(id=9, method="turn/interrupt", params={"threadId": "t", "turnId": "u1"})
    to_server, _ = between.taken()
    assert {"id": 9, "method": "turn/interrupt", "params": {"threadId": "t", "turnId": "u1"}} in to_server
    between.event("turn/completed", turn={"id": "u1", "status": "interrupted"})
    between.server(id=9, result={})
    to_server, to_tui = between.taken()
    assert not [item for item in to_server if item["method"] != "turn/interrupt"]
    assert methods(to_tui) == ["turn/completed", None]


def test_an_unresponsive_agent_is_reported_once_and_no_longer_controlled() -> None:
    between = begun()
    between.event("item/agentMessage/delta", itemId="m", delta="I take deprecated_module ")
    between.taken()
    for later in (100_000, 200_000):
        between._took(between.relay.tick(later))
    _, (note,) = between.taken()
    assert note["params"]["message"].endswith("Rules are no longer enforced in this session.")


LINES: list[Any] = [
    b"", b"\xff", b"[]", b'{"id": 1}', b'{"id": "ttsr-t-1", "result": {}}', b'{"id": "ttsr-t-2", "error": {}}',
    b'{"method": "turn/start", "id": 7, "params": {"threadId": "t", "input": 3}}', b'{"method": "thread/start"}',
    b'{"method": "turn/interrupt", "id": 3, "params": {"threadId": "t"}}', b'{"id": {}, "error": 3}',
    b'{"method": "item/agentMessage/delta", "params": {"threadId": "t", "delta": "deprecated_module"}}',
    b'{"method": "turn/completed", "params": {"threadId": "t", "turn": {"id": "u1", "status": "interrupted"}}}',
    b'{"method": "thread/started", "params": {"thread": {"id": "t", "parentThreadId": "t"}}}',
    b'{"method": "item/fileChange/requestApproval", "id": 3, "params": {"threadId": "t", "itemId": []}}',
    b'{"method": "thread/settings/updated", "params": {"threadId": "t", "threadSettings": 4}}',
]  # fmt: skip


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(LINES)), max_size=30))
def test_any_lines_are_forwarded_or_answered(lines: list[tuple[bool, bytes]]) -> None:
    between = begun("never", "dangerFullAccess")
    for is_tui, line in lines:
        pass_on = between.relay.from_tui if is_tui else between.relay.from_server
        sent = pass_on(line, between._later())
        assert len(sent.to_agent) + len(sent.to_client) <= 5
    between.relay.tick(10**9)
    between.relay.finish(10**9)


def test_unreadable_lines_are_forwarded_reported_and_recorded() -> None:
    between = begun()
    relay = between.relay
    handled = [
        relay.from_server(b"{nothing", 1_000),
        relay.from_tui(b"\xff\xfe", 1_000),
        relay.skip_oversized_line(1_000),
    ]
    assert [(lines.to_agent, lines.to_client) for lines in handled] == [
        ((), (b"{nothing",)),
        ((b"\xff\xfe",), ()),
        ((), ()),
    ]
    messages = [view.message for lines in handled for view in lines.views if isinstance(view, AgentTrouble)]
    assert messages[0].startswith("A line of Codex's app server was passed on and could not be read: it is not JSON")
    assert messages[1].startswith("A line of Codex's interface was passed on and could not be read: ")
    assert messages[2] == "A line of Codex was not passed on: it is too long."
    assert [event.message for event in between.log.events if isinstance(event, InputSkipped)] == messages
    assert relay.from_server(b" ", 1_000).views == ()
    more = [view for _ in range(2 * MAX_UNREADABLE) for view in relay.from_server(b"x", 1_000).views]
    assert len(messages) + len(more) == MAX_UNREADABLE
