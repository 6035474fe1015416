"""The project's configuration in an editor: findings where the mistakes are, their fixes, completion, and hover."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.talk import Talk, codes, place

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module", autouse=True)
def _a_rule(shared: Talk) -> None:
    (shared.folder / "team" / "rules").mkdir(parents=True)
    (shared.folder / "team" / "rules" / "a.md").write_text("")


def own_file(talk: Talk) -> str:
    return str(talk.folder / "ttsr-ls.toml")


async def found(talk: Talk, text: str, name: str = "ttsr-ls.toml") -> list[Any]:
    report = await talk.pull(talk.open(str(talk.folder / name), text, "toml"))
    return list(report.items)


async def labels(talk: Talk, text: str) -> dict[str, types.CompletionItem]:
    """What is offered at the bar in a configuration."""
    line, character = text[: text.index("|")].count("\n"), len(text[: text.index("|")].rpartition("\n")[2])
    uri = talk.open(own_file(talk), text.replace("|", ""), "toml")
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
    items = await talk.client.text_document_completion_async(params)
    assert isinstance(items, list)
    return {item.label: item for item in items}


async def test_findings_of_a_configuration_have_the_range_of_their_value(shared: Talk) -> None:
    items = await found(shared, 'ignor = ["a"]\nselect = ["all", "glob-shorthnd"]\ndialect = "😀"\nexclude = "x"\n')
    assert codes(items) == ["invalid-configuration"] * 4
    assert [place(item.range) for item in items] == [(0, 0, 0, 5), (1, 17, 1, 32), (2, 10, 2, 14), (3, 10, 3, 13)]
    assert "did you mean `ignore`?" in items[0].message
    assert all(item.severity == types.DiagnosticSeverity.Error for item in items)


async def test_a_syntax_error_does_not_hide_other_findings(shared: Talk) -> None:
    items = await found(shared, 'select = ["all"\nignor = []\n')
    assert [place(item.range) for item in items] == [(0, 9, 0, 10), (1, 0, 1, 5)]
    assert items[0].message == "This bracket is not closed, so the whole file is ignored. Close it."


async def test_a_missing_rule_folder_is_reported_at_its_item(shared: Talk) -> None:
    (item,) = await found(shared, 'rule-folders = ["team", "gone"]\n')
    assert place(item.range) == (0, 24, 0, 30)
    assert item.message.startswith("`rule-folders` names `gone`, but there is no folder")


async def test_only_the_table_of_ttsr_ls_is_checked_in_pyproject_toml(shared: Talk) -> None:
    text = '[project]\nignor = 1\n\n[tool.ttsr-ls]\nignor = ["all"]\n'
    assert [place(item.range) for item in await found(shared, text, "pyproject.toml")] == [(4, 0, 4, 5)]
    assert await found(shared, "[project]\nname = 'a'\n", "pyproject.toml") == []


async def test_a_fix_replaces_a_misspelt_key(shared: Talk) -> None:
    uri = shared.open(own_file(shared), 'ignor = ["all"]\n', "toml")
    start = types.Position(0, 2)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), types.Range(start, start), types.CodeActionContext([])
    )
    actions = await shared.client.text_document_code_action_async(params)
    assert actions is not None
    (fix,) = [action for action in actions if isinstance(action, types.CodeAction) and action.edit]
    assert fix.title == "Write ignore: `ignor` -> `ignore`"
    assert fix.edit is not None
    (change,) = fix.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert [(place(edit.range), edit.new_text) for edit in change.edits if isinstance(edit, types.TextEdit)] == [
        ((0, 0, 0, 5), "ignore")
    ]


@pytest.mark.parametrize(
    ("text", "offered", "not_offered"),
    [
        ("|", "ignore", "paths"),
        ("ignore = []\nse|", "select", "ignore"),
        ("[[overrides]]\n|", "paths", "exclude"),
        ("severity = { |", "empty-body", "ignore"),
        ('ignore = ["empty-body", "|', '"inert-name"', '"empty-body"'),
        ("dialect = |", '"omp"', '"all"'),
        ('[severity]\nempty-body = "|"', '"hint"', '"omp"'),
    ],
)
async def test_completions_of_a_configuration(shared: Talk, text: str, offered: str, not_offered: str) -> None:
    items = await labels(shared, text)
    assert offered in items
    assert not_offered not in items


async def test_folders_of_the_workspace_are_offered(shared: Talk) -> None:
    items = await labels(shared, "rule-folders = |")
    assert items['["team/rules"]'].text_edit.new_text == '["team/rules"]'  # type: ignore[union-attr]


async def test_nothing_is_offered_in_other_tables(shared: Talk) -> None:
    uri = shared.open(str(shared.folder / "pyproject.toml"), "[project]\n\n[tool.ttsr-ls]\n\n", "toml")
    for line, is_ours in ((1, False), (3, True)):
        params = types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(line, 0))
        assert bool(await shared.client.text_document_completion_async(params)) is is_ours


@pytest.mark.parametrize(
    ("character", "said"),
    [
        (2, "**`severity`**: a table from finding codes"),
        (16, "**`empty-body`** (error): The rule has no body"),
        (28, "`hint`: Shown unobtrusively in editors."),
    ],
)
async def test_hovers_of_a_configuration(shared: Talk, character: int, said: str) -> None:
    uri = shared.open(own_file(shared), 'severity = { empty-body = "hint" }\n', "toml")
    hover = await shared.hover(uri, 0, character)
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.value.startswith(said)
