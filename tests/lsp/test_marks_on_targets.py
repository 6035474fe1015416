"""Marks on files that agents write: where the agent wrote, moving with the text, and gone with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types
from msgspec.structs import replace

from tests.lsp.logged_run import RULE, Run, trigger
from tests.lsp.talk import Starter, Talk, place
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, Extent, RuleTriggered, StepUpdated, Target
from ttsr_ls.text import Position

SAME = "const b = a as any;\n"
BEFORE = "// 😀\n" + SAME + "// more\n" * 20 + "const b = 1;\n"
AFTER = BEFORE.replace("const b = 1;\n", SAME)
LINE = 22


def edited(talk: Talk, target: Path, *, interrupts: bool = False) -> RuleTriggered:
    """A trigger on an edit of the last line."""
    place = Target(
        str(target), Extent.PIECE, Position(0, 12), Position(0, 19), "const b = a as any;", Position(LINE, 12)
    )
    return replace(trigger(talk.rules / "a.md", target, interrupts=interrupts), tool="edit", target=place)


def splice(talk: Talk, uri: str, version: int, where: tuple[int, int, int, int], text: str) -> None:
    """Sends one change of a part of a text."""
    span = types.Range(types.Position(*where[:2]), types.Position(*where[2:]))
    changes = [types.TextDocumentContentChangePartial(span, text)]
    identifier = types.VersionedTextDocumentIdentifier(version, uri)
    talk.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_an_edit_is_marked_where_it_was_made(start: Starter, editor: str) -> None:
    talk = await start(editor)
    target = talk.folder / "x.ts"
    target.write_text(BEFORE)
    rule, file = talk.open("a.md", RULE), talk.open(str(target), BEFORE, "typescript")
    run = Run(talk.folder, 1_000)
    run.log(edited(talk, target, interrupts=True))
    await talk.push(file, lambda one: [diagnostic.range.start.line for diagnostic in one.diagnostics] == [LINE])
    run.log(StepUpdated("t1", 1, "c1", CallDone("done")))
    await talk.push(file, lambda one: not one.diagnostics)
    splice(talk, file, 2, (LINE, 0, LINE + 1, 0), SAME)
    (found,) = (await talk.push(file, lambda one: one.version == 2 and bool(one.diagnostics))).diagnostics
    assert place(found.range)[:2] == (LINE, 12)
    assert found.message.endswith("otherwise the agent would have been interrupted.")
    expected = [(LINE, 12)]
    shown = await talk.push(
        rule,
        lambda one: [place(information.location.range)[:2] for information in _related(one.diagnostics)] == expected,
    )
    assert "would have been interrupted" in shown.diagnostics[0].message


async def test_a_mark_follows_edits_and_is_removed_with_its_text(vscode: Talk) -> None:
    target = vscode.folder / "x.ts"
    target.write_text(AFTER)
    file = vscode.open(str(target), AFTER, "typescript")
    run = Run(vscode.folder, 1_000)
    run.log(edited(vscode, target))
    run.log(StepUpdated("t1", 1, "c1", CallDone("done")))
    await vscode.push(file, lambda one: [place(diagnostic.range)[0] for diagnostic in one.diagnostics] == [LINE])
    splice(vscode, file, 2, (0, 5, 0, 5), f"\r\n{SAME}\r// \U0001f600\u2028")
    await vscode.push(file, lambda one: [place(diagnostic.range)[0] for diagnostic in one.diagnostics] == [LINE + 3])
    splice(vscode, file, 3, (LINE + 3, 12, LINE + 3, 18), "as string")
    await vscode.push(file, lambda one: one.version == 3 and not one.diagnostics)


async def test_a_denied_call_is_marked_on_the_rule_and_not_on_the_file(vscode: Talk) -> None:
    target = vscode.folder / "x.ts"
    target.write_text(BEFORE)
    rule, file = vscode.open("a.md", RULE), vscode.open(str(target), BEFORE, "typescript")
    run = Run(vscode.folder, 1_000)
    run.log(edited(vscode, target, interrupts=True))
    await vscode.push(file, lambda one: [place(diagnostic.range)[0] for diagnostic in one.diagnostics] == [LINE])
    run.log(StepUpdated("t1", 1, "c1", CallRefused("no", "rules")))
    await vscode.push(file, lambda one: not one.diagnostics)
    await vscode.push(rule, lambda one: any("which was denied" in diagnostic.message for diagnostic in one.diagnostics))


async def test_a_change_that_is_sent_twice_is_applied_once(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    text = RULE.replace("condition:", "conditon: x\ncondition:")
    version = vscode.change(rule, text)
    splice(vscode, rule, version, (1, 0, 1, 0), "conditon: x\n")
    assert [item.code for item in (await vscode.pull(rule)).items] == ["unknown-key"]


async def test_incremental_changes_after_a_newer_full_text_are_ignored(vscode: Talk) -> None:
    template = "---\ncondition: 'PATTERN'\n---\nno\n"
    rule = vscode.open("a.md", template)
    vscode.change(rule, template.replace("PATTERN", r"\bas"))
    version = vscode.change(rule, template.replace("PATTERN", r"\bas any\b"))
    # Made once more, these changes would give `\bas any\by\b`, which matches nothing.
    splice(vscode, rule, version - 1, (1, 12, 1, 19), r"\bas")
    splice(vscode, rule, version, (1, 16, 1, 16), r" any\b")
    assert not (await vscode.pull(rule)).items
    splice(vscode, rule, version + 1, (1, 0, 1, 0), "conditon: x\n")
    assert [item.code for item in (await vscode.pull(rule)).items] == ["unknown-key"]


async def test_the_server_registers_for_incremental_changes_of_all_files(vscode: Talk) -> None:
    await vscode.pull(vscode.open("a.md", RULE))
    assert ("textDocument/didChange", types.TextDocumentSyncKind.Incremental) in vscode.registered


def _related(diagnostics: Sequence[types.Diagnostic]) -> list[types.DiagnosticRelatedInformation]:
    return [information for diagnostic in diagnostics for information in diagnostic.related_information or ()]
