"""Runs that a plugin reports one after the other, in several folders, and under any name."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.logged_run import trigger
from tests.lsp.talk import PATIENCE, Starter, Talk
from tests.lsp.test_hosted_agents import report_event
from tests.lsp.test_showing_runs import ask, runs_when
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnEnded, TurnEvent, TurnStarted, UserInput
from ttsr_ls.store.log.codec import Record, encode_record


def report_records(talk: Talk, folder: Path, *events: TurnEvent, first: int = 1) -> None:
    records = [json.loads(encode_record(Record(number, 0, event))) for number, event in enumerate(events, first)]
    talk.client.protocol.notify("ttsr/events", {"workspace": folder.as_uri(), "records": records})


async def test_the_next_run_of_a_plugin_is_not_taken_for_the_one_before(vscode: Talk) -> None:
    end = TurnEnded("t1", TurnCompleted())
    fired = trigger(vscode.rules / "a.md", None)
    report_records(vscode, vscode.folder, TurnStarted("t1", UserInput("First.")), fired, end)
    (first,) = await runs_when(vscode, lambda found: found and found[0].state == "ended")
    part = await ask(vscode, "ttsr.transcript", {"uri": first.transcript})
    report_records(vscode, vscode.folder, TurnStarted("t1", UserInput("Second.")), fired, end)
    (second,) = await runs_when(vscode, lambda found: (found[0].turns[0].title, found[0].state) == ("Second.", "ended"))
    asked = {"uri": first.transcript, "epoch": part.epoch, "first": part.stable}
    grown = await ask(vscode, "ttsr.transcript", asked)
    assert (grown.first, "  Second." in grown.lines) == (0, True), "the client has lines of the first run"
    numbers = [session.turns[0].triggers[0].number for session in (first, second)]
    assert numbers[1] > numbers[0], "a client announces triggers with higher numbers"
    assert second.triggers == 1


async def test_plugins_in_two_folders_have_separate_runs(start: Starter, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    talk = await start("vscode", folders=[types.WorkspaceFolder(other.as_uri(), "other")])
    for folder in (talk.folder, other):
        started = TurnStarted("t1", UserInput(folder.name))
        report_records(talk, folder, started, trigger(talk.rules / "a.md", None))
    await runs_when(talk, lambda found: found and found[0].triggers == 1)
    tree = await ask(talk, "ttsr.runs")
    found = {one.name: [(run.turns[0].title, run.triggers) for run in one.sessions] for one in tree.workspaces}
    assert found == {name: [(name, 1)] for name in (talk.folder.name, other.name)}
    assert len({run.id for one in tree.workspaces for run in one.sessions}) == 2


@pytest.mark.parametrize("method", ["ttsr/events", "ttsr/event"])
async def test_triggers_after_a_clearing_are_shown_in_each_folder(start: Starter, tmp_path: Path, method: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    talk = await start("vscode", folders=[types.WorkspaceFolder(other.as_uri(), "other")])
    fired = trigger(talk.rules / "a.md", None)

    def report(folder: Path, *events: TurnEvent, first: int) -> None:
        if method == "ttsr/events":
            report_records(talk, folder, *events, first=first)
        else:
            for event in events:
                report_event(talk, event, session=folder.name, workspace=folder.as_uri())

    async def displayed(count: int) -> None:
        async with asyncio.timeout(PATIENCE / 4):
            while (await ask(talk, "ttsr.runs")).displayedTriggers != count:
                await asyncio.sleep(0.02)

    report(talk.folder, TurnStarted("t1", UserInput("One.")), *[fired] * 5, first=1)
    await displayed(5)
    if method == "ttsr/events":
        report(other, TurnStarted("t1", UserInput("Two.")), fired, first=1)
        await displayed(6)
    await talk.run("ttsr.clearTriggers")
    await displayed(0)
    if method == "ttsr/event":
        report(other, TurnStarted("t1", UserInput("Two.")), fired, first=1)
        report(talk.folder, fired, first=7)
        await displayed(2)
    else:
        report(other, fired, first=3)
        await displayed(1)


async def test_a_session_can_have_any_name(vscode: Talk) -> None:
    name = "a/ %2F \ud800"
    report_event(vscode, TurnStarted("t1", UserInput("Hello.")), session=name)
    (session,) = await runs_when(vscode, lambda found: found)
    part = await ask(vscode, "ttsr.transcript", {"uri": session.transcript})
    assert part.lines[-1] == "  Hello."
