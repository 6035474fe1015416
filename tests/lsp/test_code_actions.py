"""Code actions as editors get them."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from tests.lsp.talk import Talk

BROKEN = '---\ncondition: "\\d+x"\ndescripton: x\ninterupt-mode: always\n---\nno\n'


async def actions(talk: Talk, uri: str, line: int, *only: str, column: int = 0) -> dict[str, Any]:
    """The actions for a character of a line, by their titles."""
    where = types.Range(types.Position(line, column), types.Position(line, column))
    context = types.CodeActionContext([], only=list(only) or None)
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
    found: Any = await talk.client.text_document_code_action_async(params)
    return {action.title: action for action in found}


async def test_fixes_suppressions_and_fixes_of_all_are_offered(vscode: Talk) -> None:
    uri = vscode.open("a.md", BROKEN)
    found = await actions(vscode, uri, 2)
    assert "Fix all 2 findings of unknown-key in this file" in found
    (edit,) = found["Ignore unknown-key here"].edit.document_changes[0].edits
    assert edit.new_text == "# ttsr-ls: ignore[unknown-key]\n"
    create, change = found["Ignore unknown-key in the configuration of the project"].edit.document_changes
    assert create.uri == change.text_document.uri == (vscode.folder / "ttsr-ls.toml").as_uri()
    (vscode.folder / "ttsr-ls.toml").write_text('ignore = ["empty-body"]\n')
    found = await actions(vscode, uri, 2)
    (change,) = found["Ignore unknown-key in the configuration of the project"].edit.document_changes
    assert change.edits[0].new_text == '"unknown-key", '


async def test_fixes_of_the_whole_line_are_offered_and_those_at_the_cursor_are_first(vscode: Talk) -> None:
    uri = vscode.open("a.md", "---\ncondition: [ab, '(b', '[c']\n---\nno\n")
    at_start = list(await actions(vscode, uri, 1))
    at_end = list(await actions(vscode, uri, 1, column=23))
    assert "(b" in at_start[0]
    assert "[c" in at_end[0]
    assert sorted(at_start) == sorted(at_end)
    assert list(await actions(vscode, uri, 0)) == []
    kinds = [title.split()[0] for title in at_start]
    assert kinds.index("Open") > max(number for number, kind in enumerate(kinds) if kind not in ("Open", "Ignore"))
    assert kinds.index("Ignore") > max(number for number, kind in enumerate(kinds) if kind != "Ignore")


async def test_fix_all_is_offered_only_on_request(vscode: Talk) -> None:
    uri = vscode.open("a.md", BROKEN)
    assert "Fix all that can be fixed safely" not in await actions(vscode, uri, 2)
    for only in ("source.fixAll", "source.fixAll.ttsr-ls", "source"):
        (action,) = (await actions(vscode, uri, 0, only)).values()
        assert (action.kind, action.title) == ("source.fixAll.ttsr-ls", "Fix all that can be fixed safely")
    assert vscode.initialized is not None
    provider: Any = vscode.initialized.capabilities.code_action_provider
    assert "source.fixAll.ttsr-ls" in provider.code_action_kinds
