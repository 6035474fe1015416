"""Completions as editors get them."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.talk import Starter, Talk, place


async def complete(talk: Talk, uri: str, line: int, character: int) -> list[Any]:
    """What is offered at a place."""
    position = types.Position(line, character)
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), position)
    found: Any = await talk.client.text_document_completion_async(params)
    return list(found)


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_an_empty_rule_file_is_offered_a_whole_rule(start: Starter, editor: str) -> None:
    talk = await start(editor)
    first, *_ = await complete(talk, talk.open("no-log.md", ""), 0, 0)
    assert first.label == "rule: a regular expression"
    assert first.insert_text_format is types.InsertTextFormat.Snippet
    assert "description: ${1:No log.}" in first.text_edit.new_text


async def test_globs_are_those_of_the_workspace_s_files(vscode: Talk) -> None:
    (vscode.folder / "src").mkdir()
    (vscode.folder / "src" / "a.tsx").write_text("")
    (vscode.folder / "dist").mkdir()
    (vscode.folder / "dist" / "a.js").write_text("")
    (vscode.folder / ".gitignore").write_text("dist\n")
    uri = vscode.open("a.md", '---\ncondition: "x\nscope: tool:edit(*.')
    found = {item.label: item for item in await complete(vscode, uri, 2, 19)}
    assert "*.tsx" in found
    assert "*.js" not in found
    assert place(found["*.tsx"].text_edit.range) == (2, 17, 2, 19)


async def test_the_trigger_characters_of_completion_are_announced(vscode: Talk) -> None:
    assert vscode.initialized is not None
    provider = vscode.initialized.capabilities.completion_provider
    assert provider is not None
    assert set(provider.trigger_characters or ()) >= {":", "(", "\\", "*", "."}


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_a_completed_escape_has_its_meaning_as_a_detail(start: Starter, editor: str) -> None:
    talk = await start(editor)
    item, *_ = await complete(talk, talk.open("a.md", "---\ncondition: '\\"), 1, 13)
    assert item.label == "\\b"
    shown = item.label_details.description if item.label_details is not None else item.detail
    assert shown == "word boundary"


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_an_empty_test_file_is_offered_whole_tests(start: Starter, editor: str) -> None:
    talk = await start(editor)
    (talk.folder / "main.py").write_text("")
    texts, of_file = await complete(talk, talk.open("no-log.test.yml", "", "yaml"), 0, 0)
    assert (texts.label, of_file.label) == ("tests: texts of the agent", "tests: what the agent writes to a file")
    assert "defaults: {path: ${1:a.py}\\}" in of_file.text_edit.new_text
    keys = await complete(talk, talk.open("a.test.yaml", "invalid:\n  - li", "yaml"), 1, 6)
    assert "line" in [item.label for item in keys]
    assert await complete(talk, talk.open("a.yml", "", "yaml"), 0, 0) == []


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_a_test_file_is_offered_the_conditions_of_its_open_rule(start: Starter, editor: str) -> None:
    talk = await start(editor)
    (talk.rules / "a.md").write_text("---\ncondition: old\n---\nBody\n")
    (talk.folder / "main.py").write_text("")
    talk.open("a.md", "---\ncondition: new\n---\nBody\n")
    uri = talk.open("a.test.yml", "invalid:\n  - text: x\n    condition: 'ab'\n    path: x", "yaml")
    (condition,) = await complete(talk, uri, 2, 17)
    assert (condition.label, condition.filter_text, condition.text_edit.new_text) == ("new", "new", "new")
    assert place(condition.text_edit.range) == (2, 16, 2, 18)
    paths = await complete(talk, uri, 3, 11)
    assert "main.py" in [item.label for item in paths]
