"""Inlay hints and semantic tokens as editors get them, in their encodings, and the switch of the hints."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from tests.lsp.talk import Starter, Talk

RULE = "---\ndescription: 😀\ncondition:\n  - '(?i)😀+b'\n  - |-\n    a\n    b\n---\nbody\n"


def decoded(answer: Any, legend: types.SemanticTokensLegend) -> list[tuple[int, int, int, str]]:
    """Line, start, length, and type of each token."""
    line = start = 0
    found = []
    for position in range(0, len(answer.data), 5):
        lines, ahead, length, kind, modifiers = answer.data[position : position + 5]
        line, start = line + lines, ahead if lines else start + ahead
        assert modifiers == 0
        found.append((line, start, length, legend.token_types[kind]))
    return found


def provider(talk: Talk) -> types.SemanticTokensOptions:
    assert talk.initialized is not None
    options = talk.initialized.capabilities.semantic_tokens_provider
    assert isinstance(options, types.SemanticTokensOptions)
    return options


async def tokens(talk: Talk, uri: str) -> list[tuple[int, int, int, str]]:
    client: Any = talk.client
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    return decoded(await client.text_document_semantic_tokens_full_async(params), provider(talk).legend)


async def hints(talk: Talk, uri: str) -> Any:
    client: Any = talk.client
    area = types.Range(types.Position(0, 0), types.Position(99, 0))
    found = await client.text_document_inlay_hint_async(types.InlayHintParams(types.TextDocumentIdentifier(uri), area))
    return None if found is None else [(item.position.line, item.position.character, item.label) for item in found]


async def test_tokens_are_in_units_of_the_client_and_split_at_line_ends(start: Starter) -> None:
    for editor, width in (("vscode", 2), ("neovim", 4)):
        talk = await start(editor)
        uri = talk.open("a.md", RULE)
        assert (provider(talk).full, provider(talk).range) == (True, True)
        after = 9 + width
        assert await tokens(talk, uri) == [
            (3, 5, 4, "decorator"),
            (3, 9, width, "regexp"),
            (3, after, 1, "operator"),
            (3, after + 1, 1, "regexp"),
            (5, 4, 1, "regexp"),
            (6, 4, 1, "regexp"),
        ]
        client: Any = talk.client
        area = types.Range(types.Position(6, 0), types.Position(7, 0))
        params = types.SemanticTokensRangeParams(types.TextDocumentIdentifier(uri), area)
        (token, *_) = decoded(await client.text_document_semantic_tokens_range_async(params), provider(talk).legend)
        assert token[3] == "regexp"


async def test_hints_and_tokens_depend_on_capabilities(start: Starter) -> None:
    talk = await start("few-colours")
    assert provider(talk).legend.token_types == ("operator",)
    assert (provider(talk).full, provider(talk).range) == (None, True)
    assert talk.initialized is not None
    assert talk.initialized.capabilities.inlay_hint_provider is None
    uri = talk.open("a.md", RULE)
    client: Any = talk.client
    area = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.SemanticTokensRangeParams(types.TextDocumentIdentifier(uri), area)
    answer = await client.text_document_semantic_tokens_range_async(params)
    assert decoded(answer, provider(talk).legend) == [(3, 11, 1, "operator")]


async def test_hints_follow_the_settings_of_project_and_editor(start: Starter) -> None:
    talk = await start("vscode")
    (talk.folder / "a.ts").write_text("")
    uri = talk.open("a.md", RULE)
    assert await hints(talk, uri) == [(0, 3, "ttsr: text, all tools · 1 of 1 file"), (3, 14, "flags i")]
    before = len(talk.refreshed)
    settings = talk.folder / ".omp" / "settings.json"
    settings.write_text('{"ttsr": {"disabledRules": ["a"]}}')
    params = types.DidChangeWatchedFilesParams([types.FileEvent(settings.as_uri(), types.FileChangeType.Created)])
    talk.client.workspace_did_change_watched_files(params)
    await talk.until(lambda: types.WORKSPACE_INLAY_HINT_REFRESH in talk.refreshed[before:])
    assert (await hints(talk, uri))[0] == (0, 3, "dropped: no effect")
    before = len(talk.refreshed)
    off = types.DidChangeConfigurationParams({"ttsr": {"inlayHints": False}})
    talk.client.workspace_did_change_configuration(off)
    await talk.until(lambda: types.WORKSPACE_INLAY_HINT_REFRESH in talk.refreshed[before:])
    assert await hints(talk, uri) is None


async def test_other_files_have_no_hints_and_tokens(start: Starter) -> None:
    talk = await start("vscode", {"inlayHints": True})
    uri = talk.open(str(talk.folder / "README.md"), "---\ntitle: x\n---\n# y\n")
    client: Any = talk.client
    assert await hints(talk, uri) is None
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    assert await client.text_document_semantic_tokens_full_async(params) is None
