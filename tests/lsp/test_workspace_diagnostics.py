"""The findings of rules that are not open."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.conformance.server_session import ServerSession
from tests.lsp.talk import PATIENCE, Talk, codes, make_folder

BROKEN = "---\nconditon: x\ncondition: y\n---\nno\n"


async def ask(talk: Talk, known: dict[str, str] | None = None) -> dict[str, Any]:
    """The reports by URI."""
    previous = [types.PreviousResultId(uri, value) for uri, value in (known or {}).items()]
    params = types.WorkspaceDiagnosticParams(previous, identifier="ttsr")
    async with asyncio.timeout(PATIENCE):
        report = await talk.client.workspace_diagnostic_async(params)
    return {item.uri: item for item in report.items}


async def test_open_and_closed_rules_are_reported(vscode: Talk) -> None:
    for name in ("a.md", "b.md"):
        (vscode.rules / name).write_text(BROKEN)
    (vscode.folder / "notes.md").write_text(BROKEN)
    vscode.open("b.md", BROKEN)
    found = await ask(vscode)
    reported = {uri: (codes(item.items), item.version) for uri, item in found.items()}
    assert reported == {vscode.uri("a.md"): (["unknown-key"], None), vscode.uri("b.md"): (["unknown-key"], 1)}


async def test_the_file_on_the_disk_is_not_reported_after_its_document_was_opened(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    path = folder / ".omp" / "rules" / "a.md"
    path.write_text(BROKEN)
    session = ServerSession("utf-16")
    await session.start([folder])
    run_long, is_analysed, release = session.server.run_long, asyncio.Event(), asyncio.Event()

    async def run(function: Any, *arguments: object) -> Any:
        result = await run_long(function, *arguments)
        if function == session.server.closed_rules.analysis:
            is_analysed.set()
            await release.wait()
        return result

    session.server.run_long = run  # type: ignore[method-assign]
    answer = asyncio.ensure_future(session.request("workspace/diagnostic", {"previousResultIds": []}))
    await is_analysed.wait()
    item = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": "---\ncondition: y\n---\nno\n"}
    session.notify("textDocument/didOpen", {"textDocument": item})
    release.set()
    assert [(item["version"], item["items"]) for item in (await answer)["items"]] == [(1, [])]
    await session.end()


async def test_failing_tests_of_rules_are_reported_and_follow_the_rule(vscode: Talk) -> None:
    (vscode.rules / "a.md").write_text("---\ncondition: y\n---\nno\n")
    tests = vscode.rules / "a.test.yml"
    tests.write_text("valid:\n  - y\n")
    found = await ask(vscode)
    assert codes(found[tests.as_uri()].items) == ["failing-rule-test"]
    (vscode.rules / "a.md").write_text("---\ncondition: z\n---\nno\n")
    event = types.FileEvent(vscode.uri("a.md"), types.FileChangeType.Changed)
    vscode.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert codes((await ask(vscode))[tests.as_uri()].items) == []
    assert any(glob.endswith("*.test.yml") for glob in vscode.watched)


async def test_a_file_that_is_open_without_its_text_is_reported_from_the_disk(vscode: Talk) -> None:
    tests = vscode.rules / "a.test.yml"
    tests.write_text("valid:\n  - y\n")
    vscode.client.protocol.notify("ttsr/didOpen", {"uri": tests.as_uri()})
    found = await ask(vscode)
    assert codes(found[tests.as_uri()].items) == ["test-without-rule"]
    known = {tests.as_uri(): found[tests.as_uri()].result_id}
    waiting = asyncio.ensure_future(ask(vscode, known))
    text = {"uri": tests.as_uri(), "text": "valid: [", "version": 3}
    vscode.client.protocol.notify("ttsr/didOpen", text)
    item = (await waiting)[tests.as_uri()]
    assert (item.version, "test-without-rule" in codes(item.items)) == (3, True)
    tests.unlink()
    vscode.client.protocol.notify("ttsr/didClose", {"uri": tests.as_uri()})
    assert codes((await ask(vscode, known))[tests.as_uri()].items) == []


async def test_a_rule_is_reported_while_an_earlier_version_of_it_is_open(vscode: Talk) -> None:
    path = vscode.rules / "a.md"
    path.write_text(BROKEN)
    earlier = types.TextDocumentItem(f"git:{path}", "markdown", 1, "---\ncondition: y\n---\nno\n")
    vscode.client.text_document_did_open(types.DidOpenTextDocumentParams(earlier))
    assert codes((await ask(vscode))[path.as_uri()].items) == ["unknown-key"]


async def test_a_test_file_is_reported_when_its_rule_was_renamed(vscode: Talk) -> None:
    rule, tests = vscode.rules / "a.md", vscode.rules / "a.test.yml"
    rule.write_text("---\ncondition: y\n---\nno\n")
    tests.write_text("valid:\n  - z\n")
    assert codes((await ask(vscode))[tests.as_uri()].items) == []
    rule.rename(vscode.rules / "b.md")
    kinds = {vscode.uri("a.md"): types.FileChangeType.Deleted, vscode.uri("b.md"): types.FileChangeType.Created}
    events = [types.FileEvent(uri, kind) for uri, kind in kinds.items()]
    vscode.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    assert codes((await ask(vscode))[tests.as_uri()].items) == ["test-without-rule"]


async def test_the_next_answer_waits_for_changes(vscode: Talk) -> None:
    path = vscode.rules / "a.md"
    path.write_text(BROKEN)
    found = await ask(vscode)
    known = {uri: item.result_id for uri, item in found.items()}
    waiting = asyncio.ensure_future(ask(vscode, known))
    await vscode.run("ttsr.test", {"text": ""})
    assert not waiting.done()
    path.write_text(BROKEN.replace("conditon: x\n", ""))
    event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    vscode.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert codes((await waiting)[path.as_uri()].items) == []
    known = {path.as_uri(): (await ask(vscode))[path.as_uri()].result_id}
    waiting = asyncio.ensure_future(ask(vscode, known))
    vscode.open("a.md", BROKEN)
    opened = (await waiting)[path.as_uri()]
    assert (codes(opened.items), opened.version) == (["unknown-key"], 1)


async def test_a_document_that_the_client_does_not_pull_is_reported_with_each_version(vscode: Talk) -> None:
    uri = (vscode.rules / "a.md").as_uri()
    (vscode.rules / "a.md").write_text(BROKEN)
    vscode.open("a.md", BROKEN)
    known = {uri: (await ask(vscode))[uri].result_id}
    waiting = asyncio.ensure_future(ask(vscode, known))
    version = vscode.change(uri, BROKEN.replace("conditon: x\n", ""))
    changed = (await waiting)[uri]
    assert (codes(changed.items), changed.version) == ([], version)
    assert changed.result_id == (await vscode.pull(uri)).result_id


@pytest.mark.parametrize("name", ["a.md", "a.test.yml"])
async def test_findings_of_an_open_document_are_removed_with_its_file(vscode: Talk, name: str) -> None:
    path = vscode.rules / name
    (vscode.rules / "a.md").write_text(BROKEN)
    (vscode.rules / "a.test.yml").write_text("valid:\n  - y\n")
    uri = vscode.open(name, path.read_text(), "markdown" if name == "a.md" else "yaml")
    found = await ask(vscode)
    assert len(found[uri].items) == 1
    known = {uri: item.result_id for uri, item in found.items()}
    waiting = asyncio.ensure_future(ask(vscode, known))
    path.unlink()
    changed = types.FileEvent(uri, types.FileChangeType.Deleted)
    vscode.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    gone = await waiting
    assert codes(gone[uri].items) == []
    # A client that shows the document keeps what it asked for. It is not sent the same again, until the tab closes:
    # then VS Code asks once more, and drops the answer.
    known |= {uri: item.result_id for uri, item in gone.items()} | {uri: (await vscode.pull(uri)).result_id}
    assert codes((await ask(vscode, known))[uri].items) == []
    waiting = asyncio.ensure_future(ask(vscode, known))
    await vscode.run("ttsr.test", {"text": ""})
    await asyncio.sleep(0)
    assert not waiting.done()
    await vscode.pull(uri, known[uri])
    assert codes((await waiting)[uri].items) == []
