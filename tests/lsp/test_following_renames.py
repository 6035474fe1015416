"""A rule file that is renamed as a file, such as in a file tree: its tests and mentions follow by `willRenameFiles`."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.named_rules import RULE, apply, make_project, rename, will_rename, write
from tests.lsp.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")


def renames(edit: types.WorkspaceEdit | None) -> list[tuple[str, str]]:
    """The names of the files that get another, with that."""
    changes = [] if edit is None else edit.document_changes or ()
    return [
        (change.old_uri.rpartition("/")[2], change.new_uri.rpartition("/")[2])
        for change in changes
        if isinstance(change, types.RenameFile)
    ]


async def test_the_server_asks_for_renames_of_rules_and_of_no_other_files(talk: Talk) -> None:
    assert talk.initialized is not None
    workspace = talk.initialized.capabilities.workspace
    assert workspace is not None
    assert workspace.file_operations is not None
    assert workspace.file_operations.will_rename is not None
    (one,) = workspace.file_operations.will_rename.filters
    assert (one.scheme, one.pattern.glob, one.pattern.matches) == ("file", "**/*.{md,mdc,test.yml,test.yaml}", "file")


async def test_tests_and_mentions_follow_the_only_file_of_a_rule(talk: Talk) -> None:
    made = make_project(talk)
    made["shadowed"].unlink()
    new = made["rule"].with_name("any-is-banned.md")
    edit = await will_rename(talk, (made["rule"], new))
    assert edit is not None
    assert renames(edit) == [("no-any.test.yml", "any-is-banned.test.yml")], "the editor itself renames the rule"
    apply(talk, edit)
    made["rule"].rename(new)
    assert new.read_text().startswith("---\nname: any-is-banned\n")
    assert "See rule://any-is-banned, not rule://no-any-more." in made["other"].read_text()
    assert '["😀", "any-is-banned", "no-any-more"]' in made["json"].read_text()
    assert made["config"].read_text().startswith('exclude = [".omp/rules/any-is-banned.md", "no-any/**"]')
    assert "ignore[other, any-is-banned] why" in made["code"].read_text()


async def test_mentions_stay_while_another_file_has_the_name(talk: Talk) -> None:
    made = make_project(talk)
    new = made["rule"].with_name("any-is-banned.md")
    edit = await will_rename(talk, (made["rule"], new))
    assert edit is not None
    assert renames(edit) == [("no-any.test.yml", "any-is-banned.test.yml")]
    assert len(edit.document_changes or ()) == 1
    both = await will_rename(
        talk, (made["rule"], new), (made["shadowed"], made["shadowed"].with_name("any-is-banned.mdc"))
    )
    assert both is not None
    edited = [change for change in both.document_changes or () if isinstance(change, types.TextDocumentEdit)]
    assert len({change.text_document.uri for change in edited}) == len(edited) == 6


async def test_the_tests_follow_to_another_folder_and_overwrite_nothing(talk: Talk) -> None:
    made = make_project(talk)
    folder = talk.folder / ".agents" / "rules"
    moved = await will_rename(talk, (made["rule"], folder / "no-any.md"))
    assert moved is not None
    (rename,) = moved.document_changes or ()
    assert isinstance(rename, types.RenameFile)
    assert rename.new_uri == (folder / "no-any.test.yml").as_uri()
    write(folder / "no-any.test.yml", "valid: []\n")
    assert await will_rename(talk, (made["rule"], folder / "no-any.md")) is None
    with_tests = (made["tests"], made["tests"].with_name("b.test.yml"))
    assert renames(await will_rename(talk, (made["rule"], made["rule"].with_name("b.md")), with_tests)) == []


@pytest.mark.parametrize("name", ["no-any.txt", "a b.md", "true.md"])
async def test_an_invalid_name_changes_no_mentions(talk: Talk, name: str) -> None:
    made = make_project(talk)
    made["shadowed"].unlink()
    edit = await will_rename(talk, (made["rule"], made["rule"].with_name(name)))
    changes = [] if edit is None else edit.document_changes or ()
    assert not [change for change in changes if isinstance(change, types.TextDocumentEdit)]


async def test_names_that_are_too_long_for_the_disk_are_ignored(talk: Talk) -> None:
    made = make_project(talk)
    edit = await will_rename(talk, (made["rule"], made["rule"].with_name("\u3002" * 100 + ".md")))
    changes = [] if edit is None else edit.document_changes or ()
    assert not [change for change in changes if isinstance(change, types.TextDocumentEdit)]
    long_folder = made["rule"].parent / ("a" * 300)
    await will_rename(talk, (made["rule"], long_folder / "b.md"))
    assert await will_rename(talk, (long_folder / "a.md", long_folder / "b.md")) is None


async def test_renames_of_other_files_have_no_edits(talk: Talk) -> None:
    write(talk.rules / "a.md", RULE.format(1, "a"))
    readme = talk.folder / "README.md"
    write(readme, "See a.\n")
    assert await will_rename(talk, (readme, readme.with_name("b.md"))) is None
    assert await will_rename(talk, (talk.rules / "none.md", talk.rules / "b.md")) is None


async def test_the_renames_of_a_rename_request_have_no_further_edits(talk: Talk) -> None:
    made = make_project(talk)
    made["shadowed"].unlink()
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    new = made["rule"].with_name("b.md")
    assert renames(await rename(talk, uri, 0, 1, "b"))
    assert await will_rename(talk, (made["rule"], new)) is None
    assert renames(await will_rename(talk, (made["rule"], new))), "by the user, who undid the first"
    talk.close(uri)


async def test_the_shared_test_file_of_two_renamed_rule_files_follows_once(talk: Talk) -> None:
    olds, news = ([talk.rules / f"{name}{suffix}" for suffix in (".md", ".mdc")] for name in ("twin", "new-twin"))
    for path in olds:
        write(path, RULE.format(1, "x"))
    write(talk.rules / "twin.test.yml", "valid: []\n")
    edit = await will_rename(talk, *zip(olds, news, strict=True))
    assert renames(edit) == [("twin.test.yml", "new-twin.test.yml")]
