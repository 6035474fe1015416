"""Work in a thread and an event on the loop overlap: the newer state is shown, in whatever order they end."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tests.lsp.held_session import HeldCalls, HeldSession, fire
from tests.lsp.logged_run import RULE, TARGET, Run, trigger
from tests.lsp.talk import PATIENCE, make_folder
from ttsr_ls.ide.runs.run_state import RunState
from ttsr_ls.ide.runs.session_run import SessionRun
from ttsr_ls.ide.triggers.trigger_board import RunKey
from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis
from ttsr_ls.lsp.runs import shown_runs
from ttsr_ls.lsp.workspace_files import WorkspaceFiles
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnEnded, TurnEvent, TurnStarted, UnseenTrigger
from ttsr_ls.store.discovery.discovery import read_file
from ttsr_ls.store.log.cleared_runs import ClearedMarks, mark_cleared, read_cleared
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.session_dirs import are_being_written


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path.resolve() / "state"))
    return make_folder(tmp_path)


@pytest_asyncio.fixture
async def session(shop: Path) -> AsyncIterator[HeldSession]:
    session = HeldSession()
    await session.start([shop])
    await session.settle()
    yield session
    session.release.set()
    await session.settle()
    await session.end()


async def until(is_so: Callable[[], bool]) -> None:
    """Waits for a state of the server."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("is_open", [False, True])
async def test_the_newest_of_two_overlapping_reads_of_a_file_is_published(
    session: HeldSession, shop: Path, is_open: bool
) -> None:
    target = shop / "x.ts"
    target.write_text(TARGET)
    fire(session, shop, target)
    session.hold(read_file if is_open else publishing._read_closed)
    if is_open:
        session.notify("ttsr/didOpen", {"uri": target.as_uri()})
    publishing.document_changed(session.server, target.as_uri())
    await session.is_held.wait()
    target.write_text(f"// written\n{TARGET}")
    publishing.document_changed(session.server, target.as_uri())
    await until(lambda: bool(session.published))
    session.release.set()
    await session.settle()
    lines = [mark["range"]["start"]["line"] for params in session.published for mark in params["diagnostics"]]
    assert lines == [2]
    assert not session.server.newest_reads


async def test_a_run_with_an_event_during_the_check_of_its_writer_is_working(session: HeldSession, shop: Path) -> None:
    run = SessionRun("s1", "claude", str(shop), 0, from_start=True)
    run.log = str(shop / "s1.jsonl")
    run.evolve(0, TurnStarted("t1", UnseenTrigger()))
    session.server.runs.begin(str(shop), run)
    session.hold(are_being_written)
    answer = session.command("ttsr.runs")
    await session.is_held.wait()
    run.last_sequence += 1
    run.evolve(0, TurnStarted("t2", UnseenTrigger()))
    session.release.set()
    await answer
    assert run.state is RunState.WORKING
    await session.command("ttsr.runs")
    assert run.state is RunState.FAILED


@pytest.mark.parametrize("fires_meanwhile", [False, True])
async def test_finished_runs_are_removed_after_a_check_off_the_event_loop(
    session: HeldSession, shop: Path, *, fires_meanwhile: bool
) -> None:
    def show(log: str, sequence: int, event: TurnEvent) -> None:
        key = RunKey(str(shop), str(shop / log))
        shown_runs.show_record(session.server, key, str(shop), Record(sequence, 0, event), live=False)

    def logs() -> list[str]:
        return [Path(run.key.log).name for run in session.server.board.of(str(shop))]

    fired = trigger(shop / ".omp" / "rules" / "a.md", None)
    show("old.jsonl", 1, fired)
    session.hold(are_being_written)
    show("new.jsonl", 1, fired)
    await session.is_held.wait()
    assert logs() == ["old.jsonl", "new.jsonl"]
    if fires_meanwhile:
        show("old.jsonl", 2, fired)
    session.release.set()
    await session.settle()
    assert logs() == (["old.jsonl", "new.jsonl"] if fires_meanwhile else ["new.jsonl"])


async def test_marks_of_cleared_runs_are_stored_off_the_event_loop(
    session: HeldSession, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def mark(folder: Path, new: ClearedMarks) -> None:
        threads.append(threading.current_thread())
        mark_cleared(folder, new)

    for module in ("shown_runs", "run_recording"):
        monkeypatch.setattr(f"ttsr_ls.lsp.runs.{module}.mark_cleared", mark)
    log = Run(shop, 1_000)
    log.log(trigger(shop / ".omp" / "rules" / "a.md", None))
    log.log(TurnEnded("t1", TurnCompleted()))
    await until(lambda: [run.state for run in session.server.runs.of(str(shop))] == [RunState.ENDED])
    await asyncio.gather(session.command("ttsr.clearTriggers"), session.command("ttsr.clearRuns"))
    assert len(threads) == 2
    assert threading.main_thread() not in threads
    assert read_cleared(log.file.parent) == ClearedMarks({log.file.name: 4}, {log.file.name: 4})


async def test_a_trigger_that_fires_while_marks_are_stored_is_not_cleared(session: HeldSession, shop: Path) -> None:
    rule = shop / ".omp" / "rules" / "a.md"
    log = Run(shop, 1_000)
    log.log(trigger(rule, None))
    await until(lambda: bool(session.server.board.triggers))
    session.hold(mark_cleared)
    answer = session.command("ttsr.clearTriggers")
    await session.is_held.wait()
    log.log(trigger(rule, None))
    await until(lambda: bool(session.server.board.triggers))
    session.release.set()
    await answer
    assert [one.sequence for one in session.server.board.triggers] == [4]


async def test_requests_are_answered_while_many_hosted_events_are_added(session: HeldSession, shop: Path) -> None:
    event = trigger(shop / ".omp" / "rules" / "a.md", None)
    records = [json.loads(encode_record(Record(number, 0, event))) for number in range(1, 2_001)]
    session.notify("ttsr/events", {"workspace": shop.as_uri(), "records": records})
    session.notify("ttsr/event", {"session": "s2", "workspace": shop.as_uri(), "event": records[0]["event"]})
    await session.command("ttsr.runs")
    run = session.server.runs.run("hosted/plugin")
    assert run is not None
    assert run.trigger_count < len(records)
    await until(lambda: session.server.runs.run("hosted/s2") is not None)
    assert run.trigger_count == len(records), "the event of the later notification is added last"


async def test_requests_are_answered_during_the_first_listing_of_the_workspace(
    session: HeldSession, shop: Path
) -> None:
    may_end = threading.Event()

    def list_slowly(folder: str, most: int) -> list[str]:
        assert may_end.wait(PATIENCE)
        return ["a.ts", "b.ts"]

    session.server.files = WorkspaceFiles(list_slowly)
    uri = session.open(shop / ".omp" / "rules" / "a.md", "---\ncondition: x\nglobs: ['*.ts']\n---\nno\n")
    document = {"textDocument": {"uri": uri}}
    area = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}
    glob = {"line": 2, "character": 10}
    waiting = [
        asyncio.create_task(session.request("textDocument/hover", {**document, "position": glob})),
        asyncio.create_task(session.request("textDocument/completion", {**document, "position": glob})),
        asyncio.create_task(session.request("textDocument/inlayHint", {**document, "range": area})),
    ]
    try:
        async with asyncio.timeout(PATIENCE / 2):
            for _ in range(3):
                await session.request("textDocument/hover", {**document, "position": {"line": 1, "character": 1}})
        assert not any(request.done() for request in waiting)
    finally:
        may_end.set()
    hover, completions, hints = await asyncio.gather(*waiting)
    assert "2 files" in hover["contents"]["value"]
    assert completions
    assert "2 files" in hints[0]["label"]


async def test_requests_are_answered_while_test_files_are_checked(
    session: HeldSession, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldCalls(lambda document, *_: FileAnalysis.of(document, ()))
    monkeypatch.setattr("ttsr_ls.lsp.analysis.checked_files.analyse_file", held)
    rules = shop / ".omp" / "rules"
    uri = session.open(rules / "a.md", RULE)
    tests = [session.open(rules / f"{name}.test.yml", "valid: []\n") for name in ("a", "b")]
    pulls = [
        asyncio.create_task(session.request("textDocument/diagnostic", {"textDocument": {"uri": test}}))
        for test in tests
    ]
    await held.hover_meanwhile(session, uri, pulls)
    assert [pull["items"] for pull in await asyncio.gather(*pulls)] == [[], []]
