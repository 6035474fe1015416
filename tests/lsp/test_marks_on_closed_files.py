"""Triggers are marked on rules and files that nobody has open, so that the editor's list of problems is complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.logged_run import Run, trigger
from tests.lsp.talk import Starter, Talk, codes, place, serving

RULE = "---\ncondition:\n  - never\n  - 'as any;'\n---\nno\n"
TARGET = "const a = 1\nconst b = a as any;\n"


@pytest.mark.parametrize("editor", ["vscode", "neovim", "pushed"])
async def test_a_closed_rule_and_a_closed_file_are_marked(start: Starter, editor: str) -> None:
    talk = await start(editor)
    rule, target = talk.rules / "a.md", talk.folder / "x.ts"
    rule.write_text(RULE)
    target.write_text(TARGET)
    Run(talk.folder, 1_000).log(trigger(rule, target))
    (on_rule,) = (await talk.push(rule.as_uri(), lambda one: bool(one.diagnostics))).diagnostics
    assert (on_rule.code, place(on_rule.range)) == ("triggered", (3, 4, 3, 13))
    (on_file,) = (await talk.push(target.as_uri(), lambda one: bool(one.diagnostics))).diagnostics
    assert (on_file.code, place(on_file.range)) == ("triggered", (1, 12, 1, 19))
    await talk.run("ttsr.clearTriggers")
    await talk.push(rule.as_uri(), lambda one: not one.diagnostics)
    await talk.push(target.as_uri(), lambda one: not one.diagnostics)


async def test_marks_stay_when_a_document_is_opened_and_closed(vscode: Talk) -> None:
    target = vscode.folder / "x.ts"
    target.write_text(TARGET)
    uri = target.as_uri()
    Run(vscode.folder, 1_000).log(trigger(vscode.rules / "a.md", target))
    await vscode.push(uri, lambda one: bool(one.diagnostics))
    vscode.open(str(target), "// typed\n" + TARGET, "typescript")
    await vscode.push(uri, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(2, 12, 2, 19)])
    vscode.close(uri)
    await vscode.push(uri, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(1, 12, 1, 19)])


async def test_marks_follow_closed_files_on_the_disk(vscode: Talk) -> None:
    rule, target = vscode.rules / "a.md", vscode.folder / "x.ts"
    rule.write_text(RULE)
    target.write_text(TARGET)
    Run(vscode.folder, 1_000).log(trigger(rule, target))
    for path in (rule, target):
        await vscode.push(path.as_uri(), lambda one: bool(one.diagnostics))
    rule.unlink()
    target.write_text("// written\n" + TARGET)
    kinds = {rule: types.FileChangeType.Deleted, target: types.FileChangeType.Changed}
    events = [types.FileEvent(path.as_uri(), kind) for path, kind in kinds.items()]
    vscode.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    await vscode.push(rule.as_uri(), lambda one: not one.diagnostics)
    moved = [(2, 12, 2, 19)]
    await vscode.push(target.as_uri(), lambda one: [place(each.range) for each in one.diagnostics] == moved)


async def test_a_file_that_the_agent_never_wrote_is_not_marked(vscode: Talk) -> None:
    rule = vscode.rules / "a.md"
    rule.write_text(RULE)
    Run(vscode.folder, 1_000).log(trigger(rule, vscode.folder / "never-written.ts"))
    await vscode.push(rule.as_uri(), lambda one: bool(one.diagnostics))
    assert [one.uri for one in vscode.published if "never-written" in one.uri] == []


async def test_a_file_outside_of_the_workspace_is_not_read(vscode: Talk) -> None:
    path = vscode.folder.parent / "secret.ts"
    path.write_text(TARGET)
    rule = vscode.rules / "a.md"
    rule.write_text(RULE)
    Run(vscode.folder, 1_000).log(trigger(rule, path))
    await vscode.push(rule.as_uri(), lambda one: bool(one.diagnostics))
    await vscode.run("ttsr.test", {"text": ""})
    assert [one.uri for one in vscode.published if one.uri == path.as_uri()] == []


async def test_marks_in_a_folder_that_is_reached_by_a_link_have_its_paths(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    rule, target = folder / ".omp" / "rules" / "a.md", folder / "x.ts"
    rule.write_text(RULE)
    target.write_text(TARGET)
    async with serving(link) as start:
        talk = await start("vscode")
        Run(folder, 1_000).log(trigger(rule, target))
        for path in (rule, target):
            shown = link / path.relative_to(folder)
            await talk.push(shown.as_uri(), lambda one: codes(one.diagnostics) == ["triggered"])
            assert [one.uri for one in talk.published if one.uri == path.as_uri()] == []
        tree = await talk.run("ttsr.runs")
        (fired,) = tree["workspaces"][0]["sessions"][0]["turns"][0]["triggers"]
        assert (fired["ruleUri"], fired["targetUri"]) == ((link / ".omp/rules/a.md").as_uri(), (link / "x.ts").as_uri())
        opened = talk.open(str(link / "x.ts"), "// typed\n" + TARGET, "typescript")
        moved = [(2, 12, 2, 19)]
        await talk.push(opened, lambda one: [place(each.range) for each in one.diagnostics] == moved)


async def test_a_link_is_marked_once(vscode: Talk) -> None:
    real, link = vscode.folder / "real.ts", vscode.folder / "link.ts"
    real.write_text(TARGET)
    link.symlink_to(real)
    Run(vscode.folder, 1_000).log(trigger(vscode.rules / "a.md", real))
    await vscode.push(real.as_uri(), lambda one: bool(one.diagnostics))
    opened = vscode.open(str(link), TARGET, "typescript")
    await vscode.push(opened, lambda one: codes(one.diagnostics) == ["triggered"])
    await vscode.push(real.as_uri(), lambda one: not one.diagnostics)
