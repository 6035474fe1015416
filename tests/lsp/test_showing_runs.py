"""The client shows running agents: a tree, transcripts, and silenced rules."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.lsp.logged_run import RULE, TARGET, Run, trigger
from tests.lsp.talk import PATIENCE, Starter, Talk
from ttsr_ls.lsp.runs import run_changes
from ttsr_ls.session.history.turn_events import (
    ModelCall,
    RequestNotInspected,
    RequestsCounted,
    StepAppended,
    Text,
    TurnCompleted,
    TurnEnded,
    TurnStarted,
    UnseenTrigger,
)
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.header import Header, encode_header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder


async def ask(talk: Talk, command: str, argument: Any = None) -> Any:
    """What a command answers, with attributes instead of keys."""
    answer = await talk.run(command, *([] if argument is None else [argument]))
    return json.loads(json.dumps(answer), object_hook=lambda value: SimpleNamespace(**value))


async def runs_when(talk: Talk, accept: Any) -> list[Any]:
    """The sessions of the first workspace, as soon as they are acceptable."""
    found: list[Any] = []
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                tree = await ask(talk, "ttsr.runs")
                found = list(tree.workspaces[0].sessions) if tree.workspaces else []
                if accept(found):
                    return found
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"only these runs were shown: {found}") from None


async def test_a_run_is_shown_as_a_tree_and_as_a_transcript(vscode: Talk) -> None:
    run = Run(vscode.folder, 1_000)
    run.log(trigger(vscode.rules / "a.md", vscode.folder / "x.ts"))
    with run.held():
        (session,) = await runs_when(vscode, lambda found: found and found[0].triggers == 1)
        assert (session.agent, session.state) == ("claude", "working")
    (turn,) = session.turns
    (triggers,) = turn.triggers
    assert (triggers.rule, triggers.ruleUri) == ("a", (vscode.rules / "a.md").as_uri())
    assert (triggers.targetUri, triggers.targetLine) == ((vscode.folder / "x.ts").as_uri(), 1)
    early = await ask(vscode, "ttsr.transcript", {"uri": session.transcript})
    assert early.lines[-1] == "⚡ rule 'a' fired on write of x.ts: “a as any;”"
    assert (early.marks[-1].line, early.marks[-1].start) == (len(early.lines) - 1, 0)
    run.log(StepAppended("t1", 0, ModelCall("main", "m", (Text("😀 done"),), complete=True)))
    run.log(TurnEnded("t1", TurnCompleted()))
    await runs_when(vscode, lambda found: found[0].state == "ended")
    asked = {"uri": session.transcript, "epoch": early.epoch, "first": early.stable}
    later = await ask(vscode, "ttsr.transcript", asked)
    assert later.first == early.stable
    assert list(later.lines) == [
        "● text",
        "  😀 done",
        "⚡ rule 'a' fired on write of x.ts: “a as any;”",
        "■ the turn is completed",
    ]


async def test_uninspected_requests_are_shown_and_announced_once(vscode: Talk) -> None:
    run = Run(vscode.folder, 1_000)
    await runs_when(vscode, lambda found: len(found) == 1)
    run.log(RequestNotInspected("it is no JSON", False))
    run.log(RequestNotInspected("it is no JSON", False))
    run.log(RequestsCounted(3, 1, 2, False))
    (session,) = await runs_when(vscode, lambda found: found[0].uninspected == 2 and found[0].coverage)
    assert (
        session.coverage == "requests: 3 inspected, 1 irrelevant, 2 NOT inspected (unreadable requests are passed on)"
    )
    part = await ask(vscode, "ttsr.transcript", {"uri": session.transcript})
    assert part.lines[-2] == "! a request was passed on WITHOUT protection: it is no JSON"
    said = [message.message for message in vscode.client.messages]
    assert said == ["claude behind the proxy: a request was passed on WITHOUT protection: it is no JSON"]


async def test_concurrent_agents_have_separate_sessions(vscode: Talk) -> None:
    first = Run(vscode.folder, 1_000)
    await runs_when(vscode, lambda found: len(found) == 1)
    second = Run(vscode.folder, 2_000_000)
    with first.held(), second.held():
        await runs_when(vscode, lambda found: len(found) == 2)
        first.log(trigger(vscode.rules / "a.md", None))
        second.log(trigger(vscode.rules / "b.md", None))
        first.log(TurnEnded("t1", TurnCompleted()))
        newer, older = await runs_when(
            vscode, lambda found: [(one.triggers, one.state) for one in found] == [(1, "working"), (1, "ended")]
        )
        assert newer.turns[0].triggers[0].rule == "b"
        assert older.turns[0].triggers[0].rule == "a"
        await vscode.run("ttsr.clearRuns")
        (left,) = await runs_when(vscode, lambda found: len(found) == 1)
        assert left.id == newer.id


async def test_a_run_whose_program_has_ended_is_not_working(vscode: Talk) -> None:
    run = Run(vscode.folder, 1_000)
    with run.held():
        await runs_when(vscode, lambda found: found and found[0].state == "working")
    (session,) = await runs_when(vscode, lambda found: found[0].state == "failed")
    assert session.turns[0].outcome is None
    await vscode.run("ttsr.clearRuns")
    await runs_when(vscode, lambda found: not found)


async def test_a_silenced_rule_is_shown_but_not_announced(vscode: Talk) -> None:
    run = Run(vscode.folder, 1_000)
    (session,) = await runs_when(vscode, lambda found: len(found) == 1)
    await vscode.run("ttsr.silence", {"session": session.id, "rule": "a"})
    run.log(trigger(vscode.rules / "a.md", None))
    run.log(trigger(vscode.rules / "b.md", None))
    (session,) = await runs_when(vscode, lambda found: found[0].triggers == 2)
    assert [one.silenced for one in session.turns[0].triggers] == [True, False]
    assert list(session.silenced) == ["a"]
    assert [one.rule for one in vscode.triggered] == ["b"]
    await vscode.run("ttsr.silence", {"session": session.id, "rule": "a", "silent": False})
    run.log(trigger(vscode.rules / "a.md", None))
    await runs_when(vscode, lambda found: found[0].triggers == 3)
    assert [one.rule for one in vscode.triggered] == ["b", "a"]


async def test_a_silenced_rule_is_silent_in_all_windows_and_after_a_restart(start: Starter) -> None:
    one, other = await start("vscode"), await start("vscode")
    run = Run(one.folder, 1_000)
    with run.held():
        (session,) = await runs_when(one, lambda found: len(found) == 1)
        await runs_when(other, lambda found: len(found) == 1)
        await one.run("ttsr.silence", {"session": session.id, "rule": "a"})
        await runs_when(other, lambda found: list(found[0].silenced) == ["a"])
        run.log(trigger(one.rules / "a.md", None))
        run.log(trigger(one.rules / "b.md", None))
        await runs_when(other, lambda found: found[0].triggers == 2)
        assert [each.rule for each in other.triggered] == ["b"]
        later = await start("vscode")
        await runs_when(later, lambda found: found and list(found[0].silenced) == ["a"])
        await other.run("ttsr.silence", {"session": session.id, "rule": "a", "silent": False})
        for window in (one, later):
            await runs_when(window, lambda found: not found[0].silenced)


async def test_a_rule_of_the_same_name_elsewhere_is_not_silenced(vscode: Talk) -> None:
    run = Run(vscode.folder, 1_000)
    (session,) = await runs_when(vscode, lambda found: len(found) == 1)
    mine, other = vscode.rules / "a.md", vscode.folder / ".pi" / "rules" / "a.md"
    await vscode.run("ttsr.silence", {"session": session.id, "rule": "a", "ruleUri": mine.as_uri()})
    run.log(trigger(mine, None))
    run.log(trigger(other, None))
    (session,) = await runs_when(vscode, lambda found: found[0].triggers == 2)
    assert [one.silenced for one in session.turns[0].triggers] == [True, False]


async def test_many_events_cause_few_notifications(vscode: Talk) -> None:
    notified: list[Any] = []

    @vscode.client.feature("ttsr/runsChanged")
    def changed(params: Any) -> None:
        notified.append(params)

    run = Run(vscode.folder, 1_000)
    began = time.monotonic()
    for _ in range(300):
        run.log(trigger(vscode.rules / "a.md", None))
        await asyncio.sleep(0.002)
    await runs_when(vscode, lambda found: found and found[0].triggers == 300 and notified)
    # At most one for each moment; a busy machine takes several to get so far.
    assert len(notified) <= 2 + (time.monotonic() - began) / run_changes._DELAY


async def test_wrong_arguments_get_an_error(vscode: Talk) -> None:
    for command, argument in (
        ("ttsr.transcript", {"uri": 1}),
        ("ttsr.transcript", {"uri": "ttsr-transcript://run/x/y/z"}),
        ("ttsr.transcript", {"uri": "ttsr-transcript://[", "first": 1}),
        ("ttsr.transcript", None),
        ("ttsr.silence", {"session": "x"}),
    ):
        with pytest.raises(Exception, match=r"ttsr\.|session is not shown"):
            await vscode.run(command, argument)


async def test_a_run_with_an_invalid_header_is_shown(vscode: Talk, folder: Path) -> None:
    logs = workspace_folder(folder.parent / "state", folder)
    logs.mkdir(parents=True)
    header = Header("\n/../%", "\x1b]0;x\x07 agent/../x", "", 10**18, "test")
    record = Record(1, 10**18, TurnStarted("t1", UnseenTrigger()))
    session_file(logs, 1_000, "s1").write_bytes(encode_header(header) + encode_record(record))
    (session,) = await runs_when(vscode, lambda found: len(found) == 1)
    assert "\x1b" not in session.agent
    assert session.transcript.count("/") == 5
    assert (await ask(vscode, "ttsr.transcript", {"uri": session.transcript})).lines


async def test_marks_link_to_the_transcript(start: Starter) -> None:
    talk = await start("runs")
    target = talk.folder / "x.ts"
    target.write_text(TARGET)
    rule = talk.open("a.md", RULE)
    run = Run(talk.folder, 1_000)
    run.log(trigger(talk.rules / "a.md", target))
    run.log(trigger(talk.rules / "a.md", None))
    (on_file,) = (await talk.push(target.as_uri(), lambda one: bool(one.diagnostics))).diagnostics
    (session,) = await runs_when(talk, lambda found: found and found[0].triggers == 2)
    lines = (await ask(talk, "ttsr.transcript", {"uri": session.transcript})).lines
    (related,) = on_file.related_information
    assert related.location.uri == session.transcript
    assert lines[related.location.range.start.line].startswith("⚡ rule 'a' fired on write of x.ts")
    (on_rule,) = (
        await talk.push(rule, lambda one: any("2 times" in diagnostic.message for diagnostic in one.diagnostics))
    ).diagnostics
    assert [one.location.uri for one in on_rule.related_information] == [session.transcript, target.as_uri()]
    assert talk.client.messages == [], "such a client shows messages itself"


async def test_the_number_of_displayed_triggers_survives_a_restart(vscode: Talk, start: Starter) -> None:
    async def displayed(talk: Talk, count: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while (await ask(talk, "ttsr.runs")).displayedTriggers != count:
                await asyncio.sleep(0.05)

    run = Run(vscode.folder, 1_000)
    for _ in range(2):
        run.log(trigger(vscode.rules / "a.md", None))
    await displayed(vscode, 2)
    await displayed(await start("vscode"), 2)
    await vscode.run("ttsr.clearTriggers")
    await displayed(vscode, 0)
    run.log(trigger(vscode.rules / "a.md", None))
    await displayed(vscode, 1)
    await displayed(await start("vscode"), 1)


async def test_cleared_sessions_stay_cleared(vscode: Talk, start: Starter) -> None:
    over = Run(vscode.folder, 1_000)
    over.log(TurnEnded("t1", TurnCompleted()))
    await runs_when(vscode, lambda found: [one.state for one in found] == ["ended"])
    other = await start("vscode")
    await runs_when(other, lambda found: len(found) == 1)
    assert not (await ask(other, "ttsr.runs")).cleared
    await vscode.run("ttsr.clearRuns")
    await runs_when(vscode, lambda found: not found)
    await runs_when(other, lambda found: not found)
    reloaded = await start("vscode")
    second = Run(vscode.folder, 2_000_000)
    for window in (vscode, other, reloaded):
        await runs_when(window, lambda found: [one.started for one in found] == [2_000_000])
        assert (await ask(window, "ttsr.runs")).cleared, "an empty view must not say that no agent ran"
    # A session that goes on is shown again, from there on.
    over.log(TurnStarted("t2", UnseenTrigger()))
    for window in (vscode, reloaded):
        found = await runs_when(window, lambda found: len(found) == 2)
        assert [turn.id for turn in found[1].turns] == ["t2"]
    del second
