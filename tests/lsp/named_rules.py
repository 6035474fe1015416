"""A project in which a rule is named in every way there is, and what an editor asks and does about names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from tests.lsp.talk import Talk, place

RULE = "---\ncondition: x{}\n---\nSee rule://{}.\n"


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, newline="")
    return text


def opened(talk: Talk, path: Path, text: str, language: str = "markdown") -> str:
    return talk.open(str(path), write(path, text), language)


async def references(talk: Talk, uri: str, line: int, character: int, *, declared: bool = True) -> Any:
    client: Any = talk.client
    found = await client.text_document_references_async(
        types.ReferenceParams(
            types.ReferenceContext(declared), types.TextDocumentIdentifier(uri), types.Position(line, character)
        )
    )
    return (
        None if found is None else {(item.uri.removeprefix(talk.folder.as_uri()), place(item.range)) for item in found}
    )


async def definition(talk: Talk, uri: str, line: int, character: int) -> Any:
    client: Any = talk.client
    where = types.DefinitionParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
    found = await client.text_document_definition_async(where)
    listed = found if isinstance(found, list) or found is None else [found]
    return None if listed is None else [(Path(item.uri).name, place(item.range)) for item in listed]


async def rename(talk: Talk, uri: str, line: int, character: int, name: str) -> types.WorkspaceEdit:
    client: Any = talk.client
    where = types.RenameParams(types.TextDocumentIdentifier(uri), types.Position(line, character), name)
    edit = await client.text_document_rename_async(where)
    assert isinstance(edit, types.WorkspaceEdit)
    return edit


async def will_rename(talk: Talk, *files: tuple[Path, Path]) -> types.WorkspaceEdit | None:
    client: Any = talk.client
    renames = [types.FileRename(old.as_uri(), new.as_uri()) for old, new in files]
    edit = await client.workspace_will_rename_files_async(types.RenameFilesParams(renames))
    assert edit is None or isinstance(edit, types.WorkspaceEdit)
    return edit


async def prepared(talk: Talk, uri: str, line: int, character: int) -> Any:
    client: Any = talk.client
    where = types.PrepareRenameParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
    return await client.text_document_prepare_rename_async(where)


def apply(talk: Talk, edit: types.WorkspaceEdit) -> None:
    """Does on the disk what an editor does with an edit; positions are in UTF-16."""
    for change in edit.document_changes or ():
        if isinstance(change, types.RenameFile):
            Path(change.old_uri.removeprefix("file://")).rename(change.new_uri.removeprefix("file://"))
            continue
        assert isinstance(change, types.TextDocumentEdit)
        path = Path(change.text_document.uri.removeprefix("file://"))
        lines = path.read_bytes().decode().split("\n")
        edits = [edit for edit in change.edits if not isinstance(edit, types.SnippetTextEdit)]
        for each_edit in sorted(edits, key=lambda edit: place(edit.range), reverse=True):
            first, start, last, end = place(each_edit.range)
            assert first == last
            units = lines[first].encode("utf-16-le")
            changed = units[: 2 * start] + each_edit.new_text.encode("utf-16-le") + units[2 * end :]
            lines[first] = changed.decode("utf-16-le")
        path.write_bytes("\n".join(lines).encode())


def make_project(talk: Talk) -> dict[str, Path]:
    """A rule `no-any` that is named in every way there is, a shadowed one, and names that are like it."""
    made = {
        "rule": talk.rules / "no-any.md",
        "tests": talk.rules / "no-any.test.yml",
        "shadowed": talk.folder / ".cursor" / "rules" / "no-any.mdc",
        "other": talk.rules / "other.md",
        "json": talk.folder / ".omp" / "settings.json",
        "yaml": talk.folder / ".omp" / "config.yml",
        "config": talk.folder / "ttsr-ls.toml",
        "code": talk.folder / "src" / "a.ts",
    }
    write(made["rule"], "---\nname: no-any\ncondition: as any\n---\nNo.\n")
    write(made["tests"], "invalid:\n  - text: x as any\n    condition: as any\n")
    write(made["shadowed"], "---\ncondition: as any\n---\nNo.\n")
    write(made["other"], "---\ncondition: y\n---\n😀 See rule://no-any, not rule://no-any-more.\n")
    write(made["json"], '{"ttsr": {"disabledRules": ["😀", "no-any", "no-any-more"]}}\n')
    write(made["yaml"], "# no-any\ndisabledExtensions:\n  - rule:no-any\n  - tool:no-any\n")
    write(made["config"], 'exclude = [".omp/rules/no-any.md", "no-any/**"] # "no-any.md"\nignore = ["empty-body"]\n')
    write(made["code"], "let a = 1; // ttsr-ls: ignore[other, no-any] why\nconst no_any = 'ttsr-ls: no-any';\n")
    return made


REFERENCES = {
    ("/.omp/rules/no-any.test.yml", (0, 0, 0, 0)),
    ("/.omp/rules/other.md", (3, 14, 3, 20)),
    ("/.omp/settings.json", (0, 35, 0, 41)),
    ("/.omp/config.yml", (2, 9, 2, 15)),
    ("/ttsr-ls.toml", (0, 23, 0, 29)),
    ("/src/a.ts", (0, 37, 0, 43)),
}
DECLARED = {("/.omp/rules/no-any.md", (0, 0, 0, 0)), ("/.cursor/rules/no-any.mdc", (0, 0, 0, 0))}
