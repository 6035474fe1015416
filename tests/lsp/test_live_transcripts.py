"""A transcript grows while the agent speaks, before its answer is on record."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.lsp.logged_run import RULE, Run, trigger
from tests.lsp.talk import PATIENCE, Talk
from ttsr_ls.bridge.watch.live_output_writer import LiveOutputWriter
from ttsr_ls.bridge.watch.turn_translator import StepPosition
from ttsr_ls.lsp.runs.following import follow
from ttsr_ls.rules.stream import Delta, Snapshot, Source, StreamContext
from ttsr_ls.session.history.turn_events import ModelCall, StepAppended, Text
from ttsr_ls.session.output.agent_events import AgentDelta, AnswerEnded, AnswerStarted
from ttsr_ls.store.log.live_output import LiveDelta, LiveOutput, LiveReader, live_path

SAID = LiveDelta("t1", 0, "main", "text", "text", None, None, "const b = a as")


async def transcript_when(talk: Talk, *wanted: str) -> list[str]:
    """The lines of the one session's transcript, as soon as they have what is wanted."""
    lines: list[str] = []
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                tree: Any = json.loads(json.dumps(await talk.run("ttsr.runs"), default=lambda one: one._asdict()))
                sessions = [item for one in tree["workspaces"] for item in one["sessions"]]
                if sessions:
                    part = await talk.run("ttsr.transcript", {"uri": sessions[0]["transcript"]})
                    lines = list(json.loads(json.dumps(part, default=lambda one: one._asdict()))["lines"])
                    if all(any(text in line for line in lines) for text in wanted):
                        return lines
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"the transcript has only {lines}") from None


async def test_an_unfinished_answer_is_shown(vscode: Talk) -> None:
    (vscode.rules / "a.md").write_text(RULE)
    run = Run(vscode.folder, 1_000)
    live = LiveOutput(run.file)
    with run.held():
        live.write([SAID])
        early = await transcript_when(vscode, "● text …", "  const b = a as")
        assert early[-1] == "  const b = a as"
        live.write([replace(SAID, text=" any;\nNext")])
        run.log(trigger(vscode.rules / "a.md", None))
        grown = await transcript_when(vscode, "  const b = a as any;", "⚡ rule 'a' fired", "  Next")
        assert grown.index("● text …") < grown.index("  const b = a as any;")
        run.log(StepAppended("t1", 0, ModelCall("main", "m", (Text("const b = a as any;\nNext line"),), complete=True)))
        whole = await transcript_when(vscode, "  Next line")
        live.clear()
        assert "● text …" not in whole
        assert [line for line in whole if "const b" in line] == ["  const b = a as any;"]
        assert len([line for line in whole if line.startswith("⚡")]) == 1
        live.write([replace(SAID, step=2, source="thinking", stream="thinking", text="Hm")])
        assert (await transcript_when(vscode, "○ thinking …"))[-1] == "  Hm"
        live.close()
    assert not live_path(run.file).exists()


async def test_an_answer_that_is_read_before_its_log_is_shown_after_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(folder.parent / "state"))
    run = Run(folder, 1_000)
    live = LiveOutput(run.file)
    answers = iter((False, True))
    seen = asyncio.Queue[tuple[LiveDelta, ...]]()

    def on_live(_: Path, deltas: tuple[LiveDelta, ...]) -> bool:
        seen.put_nowait(deltas)
        return next(answers)

    with run.held():
        live.write([SAID])
        stop = follow(lambda *_: None, [str(folder)], on_live=on_live)
        try:
            async with asyncio.timeout(PATIENCE):
                assert await seen.get() == (SAID,)
                run.log(trigger(folder / "a.md", None))
                assert await seen.get() == (SAID,), "the agent says nothing more, and its log has come"
        finally:
            stop()
            live.close()


def delta(text: str, agent: str = "main") -> AgentDelta:
    return AgentDelta(agent, Delta(StreamContext(Source.TEXT), text))


def test_recorded_answers_are_not_shown_as_unfinished(tmp_path: Path) -> None:
    log = tmp_path / "s.jsonl"
    reader = LiveReader(log)
    live = LiveOutputWriter(LiveOutput(log), lambda agent: StepPosition("t1", 3 if agent == "main" else 7))
    assert not reader.poll()
    live.follow([AnswerStarted("main", "m"), delta("Hel"), delta("lo")])
    live.follow([delta("!"), delta("\ud83d", "sub")])
    assert reader.poll()
    assert [(delta.agent, delta.step, delta.text) for delta in reader.deltas] == [
        ("main", 3, "Hello"), ("main", 3, "!"), ("sub", 7, "\ufffd"),
    ]  # fmt: skip
    live.follow([delta(" Over"), AnswerEnded("main", complete=True)])
    assert len(reader.deltas) == 3, "the subagent still answers"
    live.follow([AnswerEnded("sub", complete=True)])
    assert reader.poll()
    assert reader.deltas == ()
    for text in ("a = 1", "a = 1\nb", "c", "cd"):
        live.follow([AgentDelta("main", Snapshot(StreamContext(Source.TOOL, "write"), text), "c1")])
    reader.poll()
    assert [(delta.text, delta.replaces) for delta in reader.deltas] == [
        ("a = 1", True), ("\nb", False), ("c", True), ("d", False),
    ]  # fmt: skip
    live.follow([AnswerEnded("main", complete=True)])
    live.follow([delta("x" * 300_000)])
    live.follow([delta("y")])
    reader.poll()
    assert reader.deltas == (), "what follows a delta that is too long is left out, too: the text would have a gap"
    live_path(log).write_bytes(b'{"x":' + b"[" * 200_000 + b'\n\xff\n{"turn":1}\n{"torn')
    reader.poll()
    assert reader.deltas == ()
    live.close()
    assert reader.poll()
    assert reader.is_gone
