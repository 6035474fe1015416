"""Hover, completion, quick fixes and commands over the wire; what they say is tested without a server in tests/ide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.talk import Talk, place, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

RULE = "---\ncondition: '(?i)as any;'\nscope: tool:edit(*.ts)\nconditon: x\n---\nno\n"


async def test_hover_explains_a_key(shared: Talk) -> None:
    hover = await shared.hover(shared.open("a.md", RULE), 1, 3)
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == types.MarkupKind.Markdown
    assert "regular expression" in hover.contents.value
    assert hover.range is not None
    assert place(hover.range) == (1, 0, 1, 9)


async def test_hover_explains_a_condition_and_its_scope(shared: Talk) -> None:
    hover = await shared.hover(shared.open("a.md", RULE), 1, 16)
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "case does not count" in hover.contents.value
    assert "files that match `*.ts`" in hover.contents.value
    assert hover.range is not None
    assert place(hover.range) == (1, 11, 1, 24)


async def test_a_client_of_plain_text_gets_no_markdown(shared: Talk, folder: Path) -> None:
    async with serving(folder) as start:
        talk = await start("plain")
        hover = await talk.hover(talk.open("a.md", RULE), 1, 16)
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.kind == types.MarkupKind.PlainText
        assert "Matched on the arguments of the tool edit, on files that match *.ts" in hover.contents.value
        assert "`" not in hover.contents.value
        params = types.CompletionParams(
            types.TextDocumentIdentifier(talk.open("b.md", "---\n\n---\nno\n")), types.Position(1, 0)
        )
        items: Any = await talk.client.text_document_completion_async(params)
        assert {item.documentation.kind for item in items} == {types.MarkupKind.PlainText}
        (condition,) = (item for item in items if item.label == "condition")
        assert "One or more regular expressions" in condition.documentation.value


async def test_completion_offers_missing_keys(shared: Talk) -> None:
    uri = shared.open("a.md", "---\ncondition: x\ninter\n---\nno\n")
    items: Any = await shared.client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(2, 5))
    )
    offered = {item.label: item for item in items}
    assert "condition" not in offered
    assert place(offered["interruptMode"].text_edit.range) == (2, 0, 2, 5)


async def test_a_quick_fix_removes_its_finding(shared: Talk) -> None:
    uri = shared.open("a.md", RULE)
    where = types.Range(types.Position(3, 2), types.Position(3, 2))
    actions: Any = await shared.client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), where, types.CodeActionContext([]))
    )
    action, *others = actions
    further = ("Ignore unknown-key ", "Open the documentation of unknown-key")
    assert all(other.title.startswith(further) for other in others)
    assert (action.kind, action.diagnostics[0].code) == (types.CodeActionKind.QuickFix, "unknown-key")
    (change,) = action.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (uri, 1)
    assert [(place(edit.range), edit.new_text) for edit in change.edits] == [((3, 0, 4, 0), "")]


async def test_no_quick_fixes_are_offered_for_requests_of_other_kinds(shared: Talk) -> None:
    uri = shared.open("a.md", RULE)
    where = types.Range(types.Position(0, 0), types.Position(9, 0))
    context = types.CodeActionContext([], [types.CodeActionKind.SourceOrganizeImports])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
    assert not await shared.client.text_document_code_action_async(params)


async def test_the_test_command_tries_the_open_rule_as_it_is_typed(shared: Talk) -> None:
    uri = shared.open("a.md", RULE)
    result = await shared.run("ttsr.test", {"uri": uri, "text": "x AS ANY; y"})
    assert result["summary"] == "'a' fires on this edit of file.ts."
    (rule,) = result["rules"]
    assert (rule["fires"], rule["triggers"][0]["start"], rule["triggers"][0]["end"]) == (True, 2, 9)
    shared.change(uri, RULE.replace("as any", "unknown"))
    assert (await shared.run("ttsr.test", {"uri": uri, "text": "x as any; y"}))["rules"][0]["fires"] is False


async def test_the_test_command_tries_all_rules_on_a_file_of_another_language(shared: Talk) -> None:
    (shared.rules / "first.md").write_text(RULE)
    (shared.rules / "second.md").write_text("---\ncondition: never\n---\nno\n")
    uri = shared.uri(str(shared.folder / "src" / "x.ts"))
    result = await shared.run("ttsr.test", {"uri": uri, "text": "x as any; y"})
    assert [(rule["name"], rule["fires"]) for rule in result["rules"]] == [("first", True), ("second", False)]
    assert result["summary"] == "1 of 2 rules fires on this edit of src/x.ts: first."


async def test_the_test_command_runs_rules_of_pi_ttsr(shared: Talk) -> None:
    pi = shared.folder / ".pi" / "rules"
    pi.mkdir(parents=True)
    (pi / "pi-first.md").write_text("---\ntrigger: an\n---\nno\n")
    (pi / "pi-second.md").write_text("---\ntrigger: any\n---\nno\n")
    uri = shared.open(str(pi / "pi-second.md"), "---\ntrigger: ANY\nflags: i\n---\nno\n")
    result = await shared.run("ttsr.test", {"uri": uri, "text": "x as aNy; y"})
    assert result["summary"] == "'pi-second' fires on this text."
    result = await shared.run("ttsr.test", {"text": "as any", "rules": ["pi-first", "pi-second"]})
    assert [(rule["name"], rule["fires"]) for rule in result["rules"]] == [("pi-first", True), ("pi-second", False)]
    result = await shared.run("ttsr.test", {"text": "ANY", "rules": ["pi-first", "pi-second"]})
    assert [(rule["name"], rule["fires"]) for rule in result["rules"]] == [("pi-first", False), ("pi-second", True)]


@pytest.mark.parametrize(
    "arguments",
    [(), ("text",), ({"text": 5},), ({"text": "x", "source": "voice"},), ({"text": "x", "rules": "a"},)],
)
async def test_the_test_command_refuses_invalid_arguments(shared: Talk, arguments: Any) -> None:
    with pytest.raises(JsonRpcException) as refused:
        await shared.run("ttsr.test", *arguments)
    assert refused.value.code == types.ErrorCodes.InvalidParams.value
    assert "ttsr.test" in str(refused.value)
