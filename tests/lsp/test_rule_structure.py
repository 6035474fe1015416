"""Outline, folds, selections and links as editors get them."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from tests.lsp.talk import Talk, place

RULE = "---\ncondition:\n  - 'a😀(b)'\n---\nSee rule://other and rule://nowhere.\n"


async def test_a_rule_file_has_an_outline_folds_and_selections(vscode: Talk) -> None:
    uri = vscode.open("a.md", RULE)
    identifier = types.TextDocumentIdentifier(uri)
    client: Any = vscode.client
    outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
    assert [symbol.name for symbol in outline] == ["condition", "body"]
    folded = await client.text_document_folding_range_async(types.FoldingRangeParams(identifier))
    assert [(fold.start_line, fold.end_line) for fold in folded] == [(0, 3), (1, 2)]
    params = types.SelectionRangeParams(identifier, [types.Position(2, 6)])
    (selected,) = await client.text_document_selection_range_async(params)
    assert place(selected.parent.range)[0] <= 2


async def test_definition_of_a_rule_link_is_the_rule(vscode: Talk) -> None:
    (vscode.rules / "other.md").write_text(RULE)
    uri = vscode.open("a.md", RULE)
    identifier = types.TextDocumentIdentifier(uri)
    client: Any = vscode.client
    (link,) = await client.text_document_document_link_async(types.DocumentLinkParams(identifier))
    assert (place(link.range), link.target) == ((4, 4, 4, 16), vscode.uri("other.md"))
    where = types.DefinitionParams(identifier, types.Position(4, 8))
    assert (await client.text_document_definition_async(where)).uri == vscode.uri("other.md")
    nowhere = types.DefinitionParams(identifier, types.Position(4, 30))
    assert await client.text_document_definition_async(nowhere) is None
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("oth"))
    assert [(symbol.name, symbol.location.uri) for symbol in found] == [("other", vscode.uri("other.md"))]


async def test_a_deleted_rule_that_is_still_open_is_no_definition(vscode: Talk) -> None:
    (vscode.rules / "other.md").write_text(RULE)
    vscode.open("other.md", RULE)
    identifier = types.TextDocumentIdentifier(vscode.open("a.md", RULE))
    (vscode.rules / "other.md").unlink()
    client: Any = vscode.client
    where = types.DefinitionParams(identifier, types.Position(4, 8))
    assert await client.text_document_definition_async(where) is None
    assert not await client.text_document_document_link_async(types.DocumentLinkParams(identifier))
    assert not await client.workspace_symbol_async(types.WorkspaceSymbolParams("oth"))
