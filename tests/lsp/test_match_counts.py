"""The lens that says how many places in the workspace match: counted aside, as `scan` counts, and kept current."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from typing import Any

from lsprotocol import types

from tests.lsp.talk import ROOT, Starter, Talk
from ttsr_ls.ide.watched_files import ALL_FILES

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


async def test_the_lens_counts_what_a_scan_finds_and_follows_changes(start: Starter) -> None:
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


async def test_a_change_of_any_file_does_not_have_all_rules_checked_again(start: Starter) -> None:
    talk = await start("testing")
    uri = talk.open("a.md", RULE)
    await talk.pull(uri)
    before = len(talk.refreshed)
    event = types.FileEvent((talk.folder / "x.ts").as_uri(), types.FileChangeType.Created)
    talk.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await talk.pull(uri)
    assert types.WORKSPACE_INLAY_HINT_REFRESH not in talk.refreshed[before:]


async def test_the_counts_can_be_switched_off_by_themselves(start: Starter) -> None:
    talk = await start("testing", {"matchCounts": False})
    fill(talk)
    uri = talk.open("a.md", RULE)
    assert await lenses(talk, uri) == ["Playground"]
    found = await talk.request("ttsr/ruleMatches", {"uri": uri})
    assert (found["matches"], found["isComplete"]) == (0, False)


async def test_a_rule_that_watches_no_files_is_not_counted(start: Starter) -> None:
    talk = await start("testing")
    fill(talk)
    prose = talk.open("prose.md", "---\ncondition: any\nscope: text\n---\nNo.\n")
    assert await lenses(talk, prose) == ["Playground"]
    uri = talk.open("a.md", RULE)
    await counted(talk, uri, "matches 4 places in 2 files")
    assert await lenses(talk, prose) == ["Playground"]
