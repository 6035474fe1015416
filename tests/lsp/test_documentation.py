"""Pages of the manual in editors: our plugins open them rendered, other clients as files; nothing else is read."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException

from tests.lsp.talk import Starter, Talk
from ttsr_ls.ide.paragraphs import join_lines
from ttsr_ls.lint.catalogue import entry_of

RULE = "---\ncondition: x\nconditon: x\n---\nno\n"


def _read_action(value: Any, _: Any) -> types.CodeAction | types.Command:
    """The client's library takes an action with a command for a command: an action's command is an object."""
    read = get_converter().structure
    return read(value, types.Command) if isinstance(value.get("command"), str) else read(value, types.CodeAction)


async def documentation_action(talk: Talk) -> types.CodeAction | None:
    """The action that opens the page of the finding in the rule."""
    talk.client.protocol._converter.register_structure_hook(types.Command | types.CodeAction, _read_action)
    uri = talk.open("a.md", RULE)
    where = types.Range(types.Position(2, 0), types.Position(2, 1))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, types.CodeActionContext([]))
    found: Any = await talk.client.text_document_code_action_async(params)
    return next((item for item in found if item.command is not None), None)


async def test_a_client_that_renders_pages_gets_their_uris(start: Starter) -> None:
    talk = await start("documentation")
    (item,) = (await talk.pull(talk.open("a.md", RULE))).items
    assert item.code_description.href == "ttsr-docs:/findings/unknown-key.md"
    action = await documentation_action(talk)
    assert action is not None
    assert action.title == "Open the documentation of unknown-key"
    assert action.command is not None
    assert action.command.command == "ttsr.openDocumentation"
    page = await talk.run("ttsr.documentation", *action.command.arguments or ())
    assert page == {"uri": "ttsr-docs:/findings/unknown-key.md", "text": join_lines(entry_of("unknown-key").page)}
    assert (await talk.run("ttsr.documentation", "ttsr-docs:/rules.md"))["text"].startswith("# ")


async def test_other_clients_are_asked_to_show_the_file(vscode: Talk) -> None:
    (item,) = (await vscode.pull(vscode.open("a.md", RULE))).items
    assert item.code_description.href == entry_of("unknown-key").url
    action = await documentation_action(vscode)
    assert action is not None
    assert action.command is not None
    await vscode.run(action.command.command, *action.command.arguments or ())
    assert [shown.uri for shown in vscode.client.shown_documents] == [entry_of("unknown-key").url]


@pytest.mark.parametrize(
    ("command", "uri"),
    [
        ("ttsr.documentation", "ttsr-docs:/../pyproject.toml"),
        ("ttsr.documentation", "ttsr-docs:/../README.md"),
        ("ttsr.documentation", "ttsr-docs:/%2e%2e/README.md"),
        ("ttsr.documentation", "ttsr-docs:/findings"),
        ("ttsr.documentation", "ttsr-docs:/a%00.md"),
        pytest.param("ttsr.documentation", f"ttsr-docs:/findings/{'a' * 300}.md", id="a name too long for a file"),
        pytest.param("ttsr.documentation", f"ttsr-docs:/{'a/' * 5_000}b.md", id="a path too long for a file"),
        ("ttsr.documentation", "file:///etc/passwd"),
        ("ttsr.showDocumentation", "file:///etc/passwd"),
        ("ttsr.showDocumentation", "https://example.com/unknown-key.md"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_only_pages_of_the_manual_are_read(shared: Talk, command: str, uri: str) -> None:
    with pytest.raises(JsonRpcException, match="The manual has no page"):
        await shared.run(command, uri)


async def test_a_paragraph_of_a_hover_is_one_line(start: Starter) -> None:
    talk = await start("neovim")
    hover = await talk.hover(talk.open("a.md", RULE), 1, 3)
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    text = hover.contents.value
    assert "The rule fires when any of them is found in what the agent streams" in text
    assert text == join_lines(text)
