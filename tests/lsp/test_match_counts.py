"""The lens that says how many places in the workspace match: counted aside, as `scan` counts, and kept current."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.conformance.server_session import ServerSession
from tests.lsp.talk import PATIENCE, ROOT, Starter, Talk, make_folder
from ttsr_ls.ide.watched_files import ALL_FILES
from ttsr_ls.lsp.match_counts.match_count import CountRequest, MatchCount
from ttsr_ls.lsp.match_counts.match_counter import MatchCounter
from ttsr_ls.lsp.match_counts.match_counts import MAX_TEXT

RULE = "---\ncondition: 'as any'\nscope: tool:edit(*.ts)\n---\nNo.\n"


async def lenses(talk: Talk, uri: str) -> list[str]:
    client: Any = talk.client
    found = await client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    return [] if found is None else [lens.command.title for lens in found]


async def counted(talk: Talk, uri: str, title: str) -> None:
    """Waits until the lens says so, asking as a client does: at first, and whenever the server says that it may."""
    while title not in await lenses(talk, uri):
        seen = talk.refreshed.count(types.WORKSPACE_CODE_LENS_REFRESH)
        if title not in await lenses(talk, uri):
            await talk.until(partial(_is_refreshed, talk, seen))


def _is_refreshed(talk: Talk, seen: int) -> bool:
    return talk.refreshed.count(types.WORKSPACE_CODE_LENS_REFRESH) > seen


def fill(talk: Talk) -> None:
    (talk.folder / "src").mkdir()
    (talk.folder / "src" / "a.ts").write_text("x as any; y as any;\n😀 as any;\n")
    (talk.folder / "src" / "b.ts").write_text("z as any; // ttsr-ls: ignore[a]\nz as any;\n")
    (talk.folder / "src" / "c.py").write_text("x as any\n")
    (talk.folder / ".gitignore").write_text("out/\n")
    (talk.folder / "out").mkdir()
    (talk.folder / "out" / "d.ts").write_text("x as any\n")


async def test_the_lens_counts_the_matches_of_a_scan_and_is_updated(start: Starter) -> None:
    talk = await start("testing")
    fill(talk)
    await talk.until(lambda: ALL_FILES in talk.watched)
    (talk.rules / "a.md").write_text(RULE)
    uri = talk.open("a.md", RULE)
    await counted(talk, uri, "matches 4 places in 2 files")
    assert (await lenses(talk, uri))[0].startswith("matches"), "it stands first"
    command = [sys.executable, "-m", "ttsr_ls", "scan", "--format", "jsonl", "-r", str(talk.rules / "a.md")]
    done = subprocess.run(
        command,
        cwd=talk.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert len(done.stdout.splitlines()) == 4, done.stderr
    found = await talk.request("ttsr/ruleMatches", {"uri": uri})
    assert (found["matches"], found["files"], found["isComplete"]) == (4, 2, True)
    ranges = [(place["uri"].rpartition("/")[2], place["range"]["start"]["character"]) for place in found["places"]]
    assert ranges == [("a.ts", 2), ("a.ts", 12), ("a.ts", 3), ("b.ts", 2)]
    scanned = [json.loads(line)["range"]["start"]["character"] for line in done.stdout.splitlines()]
    assert scanned == [2, 12, 3, 2]

    # The text of the editor counts before the disk's, and comes as changes of a file of another language.
    code = talk.open(str(talk.folder / "src" / "b.ts"), "nothing", "typescript")
    talk.change(code, "")
    await counted(talk, uri, "matches 3 places in 1 file")
    (talk.folder / "src" / "a.ts").write_text("x as any\n")
    event = types.FileEvent((talk.folder / "src" / "a.ts").as_uri(), types.FileChangeType.Changed)
    talk.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await counted(talk, uri, "matches 1 place in 1 file")
    talk.change(uri, RULE.replace("as any", "never"))
    await counted(talk, uri, "no matches")


async def test_a_change_of_another_file_does_not_check_all_rules_again(start: Starter) -> None:
    talk = await start("testing")
    uri = talk.open("a.md", RULE)
    await talk.pull(uri)
    before = len(talk.refreshed)
    event = types.FileEvent((talk.folder / "x.ts").as_uri(), types.FileChangeType.Created)
    talk.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await talk.pull(uri)
    assert types.WORKSPACE_INLAY_HINT_REFRESH not in talk.refreshed[before:]


class HeldCounter(MatchCounter):
    """Finds one match at once; the second count waits for `release`."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = 0
        self.is_held = threading.Event()
        self.release = threading.Event()

    def count(self, request: CountRequest) -> MatchCount | None:
        self.counts += 1
        if self.counts == 2:
            self.is_held.set()
            assert self.release.wait(PATIENCE)
        return MatchCount(1, 1)


class LensSession(ServerSession):
    """Asks for the lenses of a rule again whenever the server says that it may."""

    def __init__(self, uri: str) -> None:
        super().__init__("utf-16")
        self.shown: list[list[str]] = []
        self._uri = uri

    async def ask(self) -> None:
        """Asks for the lenses."""
        answer = await self.request("textDocument/codeLens", {"textDocument": {"uri": self._uri}})
        self.shown.append([lens["command"]["title"] for lens in answer])

    def _receive(self, message: dict[str, Any]) -> None:
        super()._receive(message)
        if message.get("method") == types.WORKSPACE_CODE_LENS_REFRESH:
            self.server.start(self.ask())


async def test_a_rule_that_is_opened_again_during_its_count_shows_the_count(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    uri = (folder / ".omp" / "rules" / "a.md").as_uri()
    session = LensSession(uri)
    await session.start([folder])
    counts = session.server.match_counts
    counts._counter = counter = HeldCounter()
    opened = {"textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": RULE}}
    session.notify("textDocument/didOpen", opened)
    await session.ask()
    while len(session.shown) < 2:
        await asyncio.sleep(0.01)
    counts.files_changed()
    await asyncio.to_thread(counter.is_held.wait, PATIENCE)
    session.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    session.notify("textDocument/didOpen", opened)
    await session.ask()
    counter.release.set()
    while counter.counts < 3 or counts._task is not None:
        await asyncio.sleep(0.01)
    await session.ask()
    # Each answer without the count was followed by a refresh; the test itself asked once more.
    assert sorted(session.shown) == [["Playground"]] * 2 + [["matches 1 place in 1 file", "Playground"]] * 3
    await session.end()


async def test_the_counts_can_be_switched_off_by_themselves(start: Starter) -> None:
    talk = await start("testing", {"matchCounts": False})
    fill(talk)
    uri = talk.open("a.md", RULE)
    assert await lenses(talk, uri) == ["Playground"]
    found = await talk.request("ttsr/ruleMatches", {"uri": uri})
    assert (found["matches"], found["isComplete"]) == (0, False)


async def test_a_rule_without_files_in_its_scope_is_not_counted(start: Starter) -> None:
    talk = await start("testing")
    fill(talk)
    prose = talk.open("prose.md", "---\ncondition: any\nscope: text\n---\nNo.\n")
    assert await lenses(talk, prose) == ["Playground"]
    uri = talk.open("a.md", RULE)
    await counted(talk, uri, "matches 4 places in 2 files")
    assert await lenses(talk, prose) == ["Playground"]


async def test_a_rule_that_is_closed_and_opened_again_at_once_is_counted(start: Starter) -> None:
    talk = await start("testing")
    fill(talk)
    (talk.rules / "a.md").write_text(RULE)
    uri = talk.open("a.md", RULE)
    talk.close(uri)  # The next count waits for a moment without a change.
    talk.open("a.md", RULE)
    assert not [title for title in await lenses(talk, uri) if title.startswith("matches")]
    talk.close(uri)
    talk.open("a.md", RULE)  # As VS Code does after a rename: it does not ask for lenses again.
    await talk.until(partial(_is_refreshed, talk, 0))
    assert "matches 4 places in 2 files" in await lenses(talk, uri)


async def test_a_long_open_file_does_not_keep_others_from_being_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[CountRequest] = []
    monkeypatch.setattr(MatchCounter, "count", lambda _, request: requests.append(request))
    folder = make_folder(tmp_path)
    rule = folder / ".omp" / "rules" / "a.md"
    session = LensSession(rule.as_uri())
    await session.start([folder])
    for path, text in ((folder / "long.md", "x" * (MAX_TEXT + 1)), (folder / "short.md", "x"), (rule, RULE)):
        opened = {"textDocument": {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": text}}
        session.notify("textDocument/didOpen", opened)
    await session.ask()
    async with asyncio.timeout(PATIENCE):
        while not requests:
            await asyncio.sleep(0.01)
    assert set(requests[0].texts) == {str(folder / "short.md"), str(rule)}
    await session.end()
