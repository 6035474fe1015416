"""The hook server over HTTP: authorization, answers, changed rules, and independent sessions."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from tests.processor_time import is_below
from ttsr_ls.bridge.agent_hooks.client.failure_header import FAILURE_DENIES, FAILURE_HEADER
from ttsr_ls.bridge.agent_hooks.open_sessions import HookSessions
from ttsr_ls.bridge.agent_hooks.server import HookServer
from ttsr_ls.cli.hooks.proxied import mark_session
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.session.history.turn_events import RulesLoaded, RuleTriggered
from ttsr_ls.store.log.reader import read_log

KEY = "T0"
AUTHORIZED = {"Authorization": f"Bearer {KEY}"}
Client = TestClient[web.Request, web.Application]


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with TestClient(TestServer(HookServer(KEY, lambda _: None).application())) as client:
        yield client


def before_write(project: Path, content: str, session: str = "s1") -> dict[str, Any]:
    return {
        "session_id": session,
        "cwd": str(project),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(project / "a.py"), "content": content},
        "tool_use_id": "t1",
    }


async def asked(client: Client, body: object, agent: str = "claude", key: str = KEY) -> tuple[int, Any]:
    async with client.post(f"/{agent}", json=body, headers={"Authorization": f"Bearer {key}"}) as response:
        text = await response.text()
        return response.status, (await response.json()) if response.content_type == "application/json" else text


async def test_a_call_that_breaks_a_rule_is_denied_and_recorded(client: Client, project: Path) -> None:
    status, body = await asked(client, before_write(project, "import deprecated_module\n"))
    assert status == 200
    assert body["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "Use new_module." in body["hookSpecificOutput"]["permissionDecisionReason"]
    assert await asked(client, before_write(project, "import new_module\n")) == (200, {})
    ended = {"session_id": "s1", "cwd": str(project), "hook_event_name": "SessionEnd"}
    assert await asked(client, ended) == (200, {})
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    events = [record.event for record in read_log(log).records]
    assert [event.rule for event in events if isinstance(event, RuleTriggered)] == ["no-old"]
    assert read_log(log).header.agent == "claude"  # type: ignore[union-attr]


async def test_a_call_of_a_window_without_a_folder_is_checked_against_the_rules_of_the_user(
    project: Path, client: Client
) -> None:
    rules = Path.home() / ".omp" / "agent" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-eval.md").write_text("---\ncondition: eval_module\n---\nUse a parser.\n")
    call = {key: value for key, value in before_write(project, "import eval_module\n").items() if key != "cwd"}
    _, body = await asked(client, call, "vscode")
    assert "Use a parser." in body["hookSpecificOutput"]["permissionDecisionReason"]
    status, _ = await asked(client, call)
    assert status == 400


async def test_a_rule_that_fired_in_one_session_fires_in_another(client: Client, project: Path) -> None:
    for session in ("s1", "s2"):
        _, body = await asked(client, before_write(project, "deprecated_module", session))
        assert body["hookSpecificOutput"]["permissionDecision"] == "deny"


async def test_the_second_end_of_a_session_records_nothing(client: Client, project: Path) -> None:
    ended = {"session_id": "s1", "cwd": str(project), "hook_event_name": "SessionEnd"}
    assert await asked(client, before_write(project, "x")) == (200, {})
    logs = []
    for _ in range(2):
        assert await asked(client, ended) == (200, {})
        logs.append([path.read_bytes() for path in project.parent.glob("state/ttsr-ls/shop-*/*.jsonl")])
    assert len(logs[0]) == 1
    assert logs[0] == logs[1]
    assert (await asked(client, ended | {"cwd": "relative"}))[0] == 400


async def test_hooks_of_a_proxied_session_record_and_decide_nothing(client: Client, project: Path) -> None:
    state = project.parent / "state"
    session_start = b'{"session_id": "s1", "hook_event_name": "SessionStart"}'
    assert mark_session(state, "claude", "", session_start) == ""
    broken = before_write(project, "import deprecated_module\n")
    assert await asked(client, broken) == (200, {})
    assert await asked(client, broken, "claude/judge") == (200, "")
    assert list((state / "ttsr-ls").glob("shop-*")) == []
    # The hook server enforces another agent, another session, and the same session resumed without the proxy.
    _, other = await asked(client, before_write(project, "import deprecated_module\n", "s2"))
    assert other["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert mark_session(state, "", "", session_start) == ""
    _, resumed = await asked(client, broken)
    assert resumed["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_failure_to_mark_a_proxied_session_is_reported(tmp_path: Path) -> None:
    (tmp_path / "ttsr-ls").write_text("")
    assert "hooks may record and enforce" in mark_session(tmp_path, "claude", "", b'{"session_id": "s1"}')
    assert "is not named" in mark_session(tmp_path, "claude", "", b"{")
    assert mark_session(tmp_path, "", "", b"{") == ""


async def test_a_call_that_is_too_long_to_be_matched_is_reported_to_the_user(client: Client, project: Path) -> None:
    call = before_write(project, "x" * LIVE.stream_length + "\nimport deprecated_module\n")
    async with client.post("/claude", data=BytesIO(json.dumps(call).encode()), headers=AUTHORIZED) as response:
        body = await response.json()
    assert "longer than 4 million characters" in body["systemMessage"]
    assert "not matched" in body["systemMessage"]


@pytest.mark.parametrize("agent", ["claude", "cursor"])
async def test_hooks_that_fail_closed_deny_each_call_that_is_too_long_to_be_matched(
    client: Client, project: Path, agent: str
) -> None:
    call = before_write(project, "x" * LIVE.stream_length + "\nimport deprecated_module\n")
    event = {"claude": "PreToolUse", "cursor": "preToolUse"}[agent]
    headers = {**AUTHORIZED, FAILURE_HEADER: FAILURE_DENIES}
    for number in range(2):
        data = BytesIO(json.dumps({**call, "hook_event_name": event, "tool_use_id": f"t{number}"}).encode())
        async with client.post(f"/{agent}", data=data, headers=headers) as response:
            body = json.dumps(await response.json())
        assert '"deny"' in body
        assert "longer than 4 million characters" in body
        assert "--fail-closed" in body
    (log,) = project.parent.glob("state/ttsr-ls/shop-*/*.jsonl")
    assert log.read_text().count("This tool call was not run: it is longer than 4 million characters") == 2


async def test_a_condition_that_is_too_slow_is_reported_to_the_user(client: Client, project: Path) -> None:
    slow = project / ".omp" / "rules" / "slow.md"
    slow.write_text("---\ncondition: '(.+)(.+)(.+)(.+)X\\4\\3\\2\\1c'\n---\nNo.\n")
    distinct = "".join(map(chr, range(0x4E00, 0x4E50)))
    _, body = await asked(client, before_write(project, f"{distinct}X{distinct}c"))
    assert "of slow" in body["systemMessage"]
    assert body["systemMessage"].endswith("and is disabled.")


@pytest.fixture
async def checking_client() -> AsyncIterator[Client]:
    async with TestClient(TestServer(HookServer(KEY, lambda _: None, check_after=0.0).application())) as client:
        yield client


async def test_changed_rules_apply_from_the_next_call(checking_client: Client, project: Path) -> None:
    client = checking_client
    assert (await asked(client, before_write(project, "import other\n")))[1] == {}
    rule = project / ".omp" / "rules" / "no-other.md"
    rule.write_text("---\ncondition: import other\n---\nDo not.\n")
    _, body = await asked(client, before_write(project, "import other\n"))
    assert "Do not." in body["hookSpecificOutput"]["permissionDecisionReason"]
    assert body["systemMessage"] == "ttsr-ls: Rules were read again: added no-other."
    rule.write_text("---\ncondition: '('\n---\nDo not.\n")
    _, body = await asked(client, before_write(project, "import other\n"))
    assert body["systemMessage"].startswith(
        "ttsr-ls: Rules were read again: removed no-other. The rule no-other is not "
    )
    # Each change is reported once in a session.
    assert (await asked(client, before_write(project, "import other\n")))[1] == {}
    rule.unlink()
    assert (await asked(client, before_write(project, "import other\n", "s2")))[1] == {}
    logs = sorted((project.parent / "state" / "ttsr-ls").glob("shop-*/*-s1.jsonl"))
    loaded = [record.event for record in read_log(logs[0]).records if isinstance(record.event, RulesLoaded)]
    assert [len(event.rules) for event in loaded] == [1, 2, 1]


async def test_rule_files_are_checked_between_calls_as_long_as_there_are_calls(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: SimpleQueue[bool] = SimpleQueue()
    remaining = [False, True, True]

    def check(_: HookSessions) -> bool:
        checks.put(remaining[-1])
        return remaining.pop()

    monkeypatch.setattr(HookSessions, "check_rules", check)
    async with TestClient(TestServer(HookServer(KEY, lambda _: None, check_after=0.02).application())) as client:
        await asked(client, before_write(project, "import other\n"))
        assert [await asyncio.to_thread(checks.get, timeout=60) for _ in range(3)] == [True, True, False]
        remaining.append(False)
        await asked(client, before_write(project, "import other\n"))
        assert not await asyncio.to_thread(checks.get, timeout=60)


async def test_requests_without_a_token_or_with_an_invalid_call_are_refused(client: Client, project: Path) -> None:
    assert (await asked(client, before_write(project, "x"), key="T1"))[0] == 403
    assert (await asked(client, before_write(project, "x"), agent="nobody"))[0] == 404
    assert (await asked(client, []))[0] == 400
    assert (await asked(client, {"hook_event_name": "Stop"}))[0] == 400
    assert (await asked(client, before_write(project, "x") | {"cwd": "relative"}))[0] == 400
    async with client.post("/claude", data=b"\xff{", headers=AUTHORIZED) as response:
        assert response.status == 400
    async with client.post("/claude", json={}) as response:
        assert response.status == 403
    async with client.post("/claude", json={}, headers={"Authorization": f"Basic {KEY}"}) as response:
        assert response.status == 403
    async with client.post("/claude", json={}, headers={**AUTHORIZED, "Origin": "http://example.com"}) as response:
        assert response.status == 403
    async with client.get("/", headers=AUTHORIZED) as response:
        assert (await response.json())["service"] == "ttsr-ls hooks"


async def test_requests_of_web_pages_are_refused_and_those_of_a_user_or_a_program_answered(client: Client) -> None:
    for headers, status in (
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Mode": "cors"}, 200),
    ):
        async with client.get("/", headers={**AUTHORIZED, **headers}) as response:
            assert response.status == status, headers


async def test_hooks_that_were_installed_with_the_token_in_the_url_still_work(client: Client, project: Path) -> None:
    broken = before_write(project, "import deprecated_module\n")
    async with client.post(f"/{KEY}/claude", json=broken) as response:
        assert (await response.json())["hookSpecificOutput"]["permissionDecision"] == "deny"
    async with client.post(f"/{KEY}/claude/judge", json=broken) as response:
        assert (response.status, await response.text()) == (200, "")
    for path in ("/T1/claude", "/T1/claude/judge"):
        async with client.post(path, json=broken) as response:
            assert response.status == 403
    async with client.get(f"/{KEY}") as response:
        assert (await response.json())["service"] == "ttsr-ls hooks"
    # A wrong token in the header is refused also with the right token in the path.
    async with client.get(f"/{KEY}", headers={"Authorization": "Bearer T1"}) as response:
        assert response.status == 403


async def test_a_hundred_rules_and_a_long_edit_are_decided_in_milliseconds(client: Client, project: Path) -> None:
    for number in range(100):
        rule = project / ".omp" / "rules" / f"r{number}.md"
        rule.write_text(f"---\ncondition: 'forbidden_{number}\\s*\\('\n---\nNo.\n")
    content = "def total(prices):\n    return sum(prices)\n" * 500
    assert (await asked(client, before_write(project, content, "warm")))[1] == {}
    spent = []
    for _ in range(20):
        start = time.process_time()
        assert (await asked(client, before_write(project, content, "warm")))[1] == {}
        spent.append(time.process_time() - start)
    # The processor time of client and server. The limit is far above the measured time, because machines are busy.
    assert is_below(sorted(spent)[10], 0.05)
