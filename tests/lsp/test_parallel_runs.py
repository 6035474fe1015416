"""Agents that work side by side, what is cleared of them, and how often the person is disturbed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.lsp.logged_run import RULE, Run, trigger
from tests.lsp.talk import PATIENCE, Starter, Talk, codes, plain
from ttsr_ls.lsp.runs.announcing import INTERVAL
from ttsr_ls.session.history.turn_events import RulesLoaded, TurnStarted, UnseenTrigger
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder
from ttsr_ls.store.log.turn_log import TurnLog

OTHER = RULE.replace("as any;", "as never;")


@pytest.fixture
def agent(folder: Path) -> Iterator[TurnLog]:
    """An agent's log, which is being written as long as the test runs."""
    logs = workspace_folder(folder.parent / "state", folder)
    with TurnLog.open(session_file(logs, 1_000, "live"), Header("live", "claude", str(folder), 1_000, "test")) as log:
        log.append(RulesLoaded((), "stable"), 0)
        log.append(TurnStarted("t1", UnseenTrigger()), 0)
        yield log


@pytest_asyncio.fixture
async def talk(start: Starter) -> Talk:
    """A window on the folder with two rules open."""
    talk = await start("vscode")
    for name, text in (("a.md", RULE), ("b.md", OTHER)):
        await talk.pull(talk.open(name, text))
    return talk


async def test_a_second_agent_leaves_the_triggers_of_the_first(agent: TurnLog, talk: Talk) -> None:
    agent.append(trigger(talk.rules / "a.md", None), 0)
    await talk.push(talk.uri("a.md"), lambda one: codes(one.diagnostics) == ["triggered"])
    second = Run(talk.folder, 2_000)
    second.log(trigger(talk.rules / "b.md", None))
    await talk.push(talk.uri("b.md"), lambda one: codes(one.diagnostics) == ["triggered"])
    await talk.run("ttsr.test", {"text": ""})
    assert codes((await talk.push(talk.uri("a.md"))).diagnostics) == ["triggered"]
    agent.close()
    Run(talk.folder, 3_000_000)
    await talk.push(talk.uri("a.md"), lambda one: not one.diagnostics)
    await talk.push(talk.uri("b.md"), lambda one: not one.diagnostics)


async def test_agents_that_work_are_all_shown_by_a_server_that_comes_later(
    agent: TurnLog, start: Starter, folder: Path
) -> None:
    rules = folder / ".omp" / "rules"
    agent.append(trigger(rules / "a.md", None), 0)
    Run(folder, 2_000).log(trigger(rules / "b.md", None))
    talk = await start("vscode")
    for name, text in (("a.md", RULE), ("b.md", OTHER)):
        await talk.push(talk.open(name, text), lambda one: codes(one.diagnostics) == ["triggered"])


async def test_cleared_triggers_stay_cleared(agent: TurnLog, talk: Talk, start: Starter) -> None:
    agent.append(trigger(talk.rules / "a.md", None), 0)
    await talk.push(talk.uri("a.md"), lambda one: bool(one.diagnostics))
    other = await start("vscode")
    await other.push(other.open("a.md", RULE), lambda one: bool(one.diagnostics))
    await talk.run("ttsr.clearTriggers")
    await talk.push(talk.uri("a.md"), lambda one: not one.diagnostics)
    await other.push(other.uri("a.md"), lambda one: not one.diagnostics)
    reloaded = await start("vscode")
    reloaded.open("a.md", RULE)
    for window in (other, reloaded):
        window.open("b.md", OTHER)
    agent.append(trigger(talk.rules / "b.md", None), 0)
    for window in (talk, other, reloaded):
        await window.push(window.uri("b.md"), lambda one: codes(one.diagnostics) == ["triggered"])
    assert all(not one.diagnostics for one in reloaded.published if one.uri == reloaded.uri("a.md"))


async def test_many_triggers_make_few_messages(agent: TurnLog, talk: Talk) -> None:
    began = time.monotonic()
    for _ in range(50):
        agent.append(trigger(talk.rules / "a.md", None), 0)
        await asyncio.sleep(0.02)
    await talk.push(talk.uri("a.md"), lambda one: "50 times" in one.diagnostics[0].message)
    async with asyncio.timeout(60):
        while sum(_announced(message.message) for message in talk.client.messages) < 50:
            await asyncio.sleep(0.05)
    # Three within the interval; a busy machine takes several to get so far.
    assert len(talk.client.messages) <= 3 + (time.monotonic() - began) // INTERVAL
    assert len(talk.triggered) == 50


def _announced(message: str) -> int:
    """How many triggers a message tells of."""
    return int(message.split()[1]) if "triggers:" in message else 1


async def test_the_runs_of_a_closed_folder_are_removed(start: Starter, folder: Path) -> None:
    other = folder.parent / "other"
    (other / ".git").mkdir(parents=True)
    (other / "x.ts").write_text("const b = a as any;\n")
    talk = await start("vscode", folders=[types.WorkspaceFolder(other.as_uri(), "other")])
    await talk.pull(talk.open("a.md", RULE))
    Run(other, 1_000).log(trigger(talk.rules / "a.md", other / "x.ts"))
    Run(folder, 2_000)
    await talk.push(talk.uri("a.md"), lambda one: codes(one.diagnostics) == ["triggered"])
    await talk.push((other / "x.ts").as_uri(), lambda one: codes(one.diagnostics) == ["triggered"])
    await _workspaces_when(talk, {"other", "shop"})

    change = types.WorkspaceFoldersChangeEvent([], [types.WorkspaceFolder(other.as_uri(), "other")])
    talk.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(change))
    await talk.push(talk.uri("a.md"), lambda one: not one.diagnostics)
    await talk.push((other / "x.ts").as_uri(), lambda one: not one.diagnostics)
    await _workspaces_when(talk, {"shop"})


async def test_a_workspace_stays_as_long_as_one_of_its_folders_is_open(start: Starter, folder: Path) -> None:
    (folder / "src").mkdir()
    talk = await start("vscode", folders=[types.WorkspaceFolder((folder / "src").as_uri(), "src")])
    await talk.pull(talk.open("a.md", RULE))
    Run(folder, 2_000).log(trigger(talk.rules / "a.md", None))
    await _workspaces_when(talk, {"shop"})
    change = types.WorkspaceFoldersChangeEvent([], [types.WorkspaceFolder((folder / "src").as_uri(), "src")])
    talk.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(change))
    assert [item["name"] for item in plain(await talk.run("ttsr.runs"))["workspaces"]] == ["shop"]


async def _workspaces_when(talk: Talk, names: set[str]) -> None:
    async with asyncio.timeout(PATIENCE):
        while {item["name"] for item in plain(await talk.run("ttsr.runs"))["workspaces"]} != names:
            await asyncio.sleep(0.05)
