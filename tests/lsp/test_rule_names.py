"""References, renaming, and definitions of rules by their names, wherever these stand."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.named_rules import (
    DECLARED,
    REFERENCES,
    RULE,
    apply,
    definition,
    make_project,
    opened,
    prepared,
    references,
    rename,
    write,
)
from tests.lsp.talk import Talk, place

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_rule_is_found_wherever_it_is_named(talk: Talk) -> None:
    made = make_project(talk)
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    assert await references(talk, uri, 0, 0) == REFERENCES | DECLARED
    assert await references(talk, uri, 2, 3, declared=False) == REFERENCES
    assert await references(talk, uri, 4, 1) is None
    settings = talk.open(str(made["json"]), made["json"].read_text(), "json")
    assert await references(talk, settings, 0, 38) == REFERENCES | DECLARED
    assert await references(talk, settings, 0, 3) is None
    code = talk.open(str(made["code"]), made["code"].read_text(), "typescript")
    assert await references(talk, code, 0, 42) == REFERENCES | DECLARED
    tests = talk.open(str(made["tests"]), made["tests"].read_text(), "yaml")
    assert await references(talk, tests, 0, 2) == REFERENCES | DECLARED
    for item in (uri, settings, code, tests):
        talk.close(item)


async def test_the_text_of_the_editor_is_searched_instead_of_the_disk(talk: Talk) -> None:
    made = make_project(talk)
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    other = talk.open(str(made["other"]), "---\ncondition: y\n---\n\nrule://no-any\n")
    found = await references(talk, uri, 0, 0, declared=False)
    assert ("/.omp/rules/other.md", (4, 7, 4, 13)) in found
    assert ("/.omp/rules/other.md", (3, 14, 3, 20)) not in found
    talk.close(uri)
    talk.close(other)


@pytest.mark.parametrize("method", ["textDocument/didChange", "ttsr/didOpen"])
async def test_a_rename_edits_the_text_of_the_editor(talk: Talk, method: str) -> None:
    made = make_project(talk)
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    unsaved = "// New.\n\n" + made["code"].read_text()
    if method == "ttsr/didOpen":
        code, version = made["code"].as_uri(), 7
        talk.client.protocol.notify(method, {"uri": code, "text": unsaved, "version": version})
    else:
        code = talk.open(str(made["code"]), made["code"].read_text(), "typescript")
        version = talk.change(code, unsaved)
    edit = await rename(talk, uri, 0, 1, "any-is-banned")
    (text_document_edit,) = [
        change
        for change in edit.document_changes or ()
        if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == code
    ]
    assert text_document_edit.text_document.version == version
    assert [place(edit.range) for edit in text_document_edit.edits if not isinstance(edit, types.SnippetTextEdit)] == [
        (2, 37, 2, 43)
    ]
    assert (code.removeprefix(talk.folder.as_uri()), (2, 37, 2, 43)) in await references(talk, uri, 0, 0)
    if method == "ttsr/didOpen":
        talk.client.protocol.notify("ttsr/didClose", {"uri": code})
    else:
        talk.close(code)
    talk.close(uri)


async def test_a_rule_gets_a_new_name_in_all_files_and_mentions(talk: Talk) -> None:
    made = make_project(talk)
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    ready = await prepared(talk, uri, 0, 1)
    assert (place(ready.range), ready.placeholder) == ((0, 0, 0, 3), "no-any")
    edit = await rename(talk, uri, 0, 1, "any-is-banned")
    talk.close(uri)
    versions = {
        change.text_document.uri: change.text_document.version
        for change in edit.document_changes or ()
        if isinstance(change, types.TextDocumentEdit)
    }
    assert versions[uri] == 1
    assert set(versions.values()) == {1, None}
    apply(talk, edit)
    assert not made["rule"].exists()
    assert not made["tests"].exists()
    assert (talk.rules / "any-is-banned.md").read_text().startswith("---\nname: any-is-banned\n")
    assert (talk.rules / "any-is-banned.test.yml").exists()
    assert (talk.folder / ".cursor" / "rules" / "any-is-banned.mdc").exists()
    assert "See rule://any-is-banned, not rule://no-any-more." in made["other"].read_text()
    assert '["😀", "any-is-banned", "no-any-more"]' in made["json"].read_text()
    assert "- rule:any-is-banned\n  - tool:no-any" in made["yaml"].read_text()
    assert made["config"].read_text().startswith('exclude = [".omp/rules/any-is-banned.md", "no-any/**"] # "no-any.md"')
    assert "ignore[other, any-is-banned] why\nconst no_any = 'ttsr-ls: no-any'" in made["code"].read_text()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "cannot be the name"),
        ("../x", "cannot be the name"),
        ("a b", "cannot be the name"),
        ("x" * 81, "cannot be the name"),
        ("no-any.md", "without a suffix"),
        ("nul", "a device"),
        ("12", "YAML does not read"),
        ("true", "YAML does not read"),
        ("other", "is taken"),
        ("no-any", "already"),
    ],
)
async def test_an_invalid_name_is_refused(talk: Talk, name: str, reason: str) -> None:
    made = make_project(talk)
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    with pytest.raises(JsonRpcException, match=reason) as refused:
        await rename(talk, uri, 0, 1, name)
    assert refused.value.code == types.LSPErrorCodes.RequestFailed.value
    talk.close(uri)


async def test_an_existing_test_file_is_not_overwritten(talk: Talk) -> None:
    made = make_project(talk)
    write(talk.rules / "new.test.yml", "valid: []\n")
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    with pytest.raises(JsonRpcException, match=r"new\.test\.yml exists"):
        await rename(talk, uri, 0, 1, "new")
    talk.close(uri)


async def all_references(talk: Talk, uri: str) -> list[str]:
    client: Any = talk.client
    where = types.TextDocumentIdentifier(uri), types.Position(0, 0)
    found = await client.text_document_references_async(types.ReferenceParams(types.ReferenceContext(True), *where))
    return [item.uri.rpartition("/")[2] for item in found]


async def test_the_shared_test_file_of_two_rule_files_is_renamed_once(talk: Talk) -> None:
    for name in ("twin.md", "twin.mdc"):
        write(talk.rules / name, RULE.format(1, "x"))
    write(talk.rules / "twin.test.yml", "valid: []\n")
    uri = talk.open(str(talk.rules / "twin.md"), RULE.format(1, "x"))
    assert (await all_references(talk, uri)).count("twin.test.yml") == 1
    apply(talk, await rename(talk, uri, 0, 1, "single"))
    talk.close(uri)
    assert sorted(path.name for path in talk.rules.glob("single*")) == ["single.md", "single.mdc", "single.test.yml"]


async def test_a_prescribed_file_name_cannot_be_changed(talk: Talk) -> None:
    path = talk.folder / ".omp" / "RULES.md"
    uri = opened(talk, path, "---\ncondition: x\n---\nx\n")
    with pytest.raises(JsonRpcException, match="prescribes"):
        await prepared(talk, uri, 0, 0)
    talk.close(uri)


async def test_the_name_of_a_builtin_rule_cannot_be_changed(talk: Talk) -> None:
    path = talk.folder / ".omp" / "settings.json"
    uri = opened(talk, path, '{"ttsr": {"disabledRules": ["builtin"]}}', "json")
    assert await references(talk, uri, 0, 32) == {("/.omp/settings.json", (0, 29, 0, 36))}
    assert await definition(talk, uri, 0, 32) is None
    with pytest.raises(JsonRpcException, match="No rule file here has this name"):
        await prepared(talk, uri, 0, 32)
    talk.close(uri)


async def test_files_of_other_dialects_keep_their_prefixes_and_suffixes(talk: Talk) -> None:
    path = talk.folder / ".claude" / "hookify.rm.local.md"
    uri = opened(talk, path, "---\nname: rm\nenabled: true\nevent: bash\npattern: rm\n---\nNo.\n")
    ready = await prepared(talk, uri, 1, 7)
    assert (place(ready.range), ready.placeholder) == ((1, 6, 1, 8), "rm")
    apply(talk, await rename(talk, uri, 1, 7, "remove"))
    talk.close(uri)
    assert (talk.folder / ".claude" / "hookify.remove.local.md").read_text().startswith("---\nname: remove\n")


async def test_rules_of_one_name_in_unrelated_folders_are_separate(talk: Talk) -> None:
    for package in ("a", "b"):
        write(talk.folder / package / ".omp" / "rules" / "same.md", RULE.format(1, "same"))
    uri = talk.open(str(talk.folder / "a" / ".omp" / "rules" / "same.md"), RULE.format(1, "same"))
    found = await references(talk, uri, 0, 0)
    assert {path for path, _ in found} == {"/a/.omp/rules/same.md"}
    talk.close(uri)


async def test_definition_in_settings_and_tests_is_the_rule(talk: Talk) -> None:
    made = make_project(talk)
    start = (0, 0, 0, 0)
    settings = talk.open(str(made["yaml"]), made["yaml"].read_text(), "yaml")
    assert sorted(await definition(talk, settings, 2, 11)) == [("no-any.md", start), ("no-any.mdc", start)]
    assert await definition(talk, settings, 3, 11) is None
    config = talk.open(str(made["config"]), made["config"].read_text(), "toml")
    assert await definition(talk, config, 0, 20) == [("no-any.md", start)]
    assert await definition(talk, config, 0, 40) is None
    assert await definition(talk, config, 1, 15) is None
    tests = talk.open(str(made["tests"]), made["tests"].read_text(), "yaml")
    assert await definition(talk, tests, 0, 0) == [("no-any.md", start)]
    assert await definition(talk, tests, 1, 12) == [("no-any.md", start)]
    assert await definition(talk, tests, 2, 18) == [("no-any.md", (2, 11, 2, 17))]
    for item in (settings, config, tests):
        talk.close(item)


async def test_definition_in_user_settings_is_the_rules_of_the_workspace(talk: Talk) -> None:
    write(talk.rules / "no-any.md", RULE.format(1, "x"))
    path = talk.folder.parent / "home" / ".omp" / "agent" / "config.yml"
    uri = opened(talk, path, "ttsr:\n  disabledRules: [no-any]\n", "yaml")
    assert await definition(talk, uri, 1, 20) == [("no-any.md", (0, 0, 0, 0))]
    assert await references(talk, uri, 1, 20) is None, "they are of other folders, too"
    talk.close(uri)
    path.unlink()


async def test_only_the_table_of_ttsr_ls_in_pyproject_toml_names_rules(talk: Talk) -> None:
    write(talk.rules / "no-any.md", RULE.format(1, "x"))
    uri = opened(
        talk,
        talk.folder / "pyproject.toml",
        '[tool.other]\nexclude = ["no-any.md"]\n\n[[tool.ttsr-ls.overrides]]\npaths = ["no-*.md"]\n',
        "toml",
    )
    assert await definition(talk, uri, 1, 14) is None
    assert await definition(talk, uri, 4, 12) == [("no-any.md", (0, 0, 0, 0))]
    talk.close(uri)
