"""The changes of renaming a rule: its files, its test files, and its references."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types
from msgspec import Struct
from pygls.exceptions import JsonRpcException

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_names.file_names import name_problem, renamed_rule_path, renamed_test_path, rule_file_name
from ttsr_ls.ide.rule_names.rule_at import own_name_span
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.client import Client
from ttsr_ls.lsp.convert import lsp_range
from ttsr_ls.lsp.rule_names.mention_search import MentioningFile
from ttsr_ls.lsp.rule_names.rule_files import RuleFiles, files_of_rule
from ttsr_ls.lsp.uris import is_file
from ttsr_ls.store.case_file_paths import case_file_of
from ttsr_ls.store.files.bounded_file import read_optional_text
from ttsr_ls.store.files.existence import exists
from ttsr_ls.syntax.dialects.file_roles import rule_name_of
from ttsr_ls.text import Encoding, Span


class FileRename(Struct, frozen=True):
    """A file that gets a new path."""

    old: str
    new: str


class DocumentEdit(Struct, frozen=True, eq=False):
    """A document with the edits that its text needs; their positions are in the client's encoding."""

    document: Document
    edits: tuple[types.TextEdit, ...]


def name_to_change(rule: RuleFiles, client: Client) -> str:
    """Returns the name that the user may change. Raises `JsonRpcException` if renaming is impossible."""
    if not client.renames_files:
        raise _refused(
            "A rule has the name of its file, and this editor does not let a language server rename files. Rename "
            "the file yourself, and its test file, then change the places that name the rule."
        )
    if not rule.paths:
        raise _refused("No rule file here has this name.")
    parts = [rule_file_name(path) for path in rule.paths]
    first = parts[0]
    if first is None or None in parts:
        raise _refused("The agent prescribes this file's name.")
    return first.name


def planned_renames(rule: RuleFiles, new_name: str, workspace: Workspace) -> tuple[FileRename, ...]:
    """The files to rename, rules before their tests. Runs in a thread, because it reads the disk.

    Raises `JsonRpcException` for an invalid name, or one that another rule has.
    """
    new_name = new_name.strip()
    problem = name_problem(new_name)
    if problem is not None:
        raise _refused(problem)
    renames: list[FileRename] = []
    for path in rule.paths:
        new = renamed_rule_path(path, new_name)
        assert new is not None, "name_to_change refuses such files"
        if new == path:
            raise _refused(f"The rule already has the name '{new_name}'.")
        renames.append(FileRename(path, new))
        file_path = case_file_of(Path(path))
        if file_path is not None:
            renames.append(FileRename(str(file_path), renamed_test_path(str(file_path), new)))
    taken = files_of_rule(rule_name_of(renames[0].new), rule.paths[0], workspace)
    existing_paths = [
        *(taken.paths if taken is not None else ()),
        *(rename.new for rename in renames if exists(Path(rename.new))),
    ]
    # On a disk that ignores case, the file with the new name may be the renamed file itself.
    other_paths = [path for path in existing_paths if path.lower() not in {rename.old.lower() for rename in renames}]
    if other_paths:
        raise _refused(f"The name '{new_name}' is taken: {other_paths[0]} exists. Choose another name.")
    return tuple(renames)


def renaming_edit(
    rule: RuleFiles,
    renames: tuple[FileRename, ...],
    mentions: Iterable[MentioningFile],
    workspace: Workspace,
    encoding: Encoding,
) -> types.WorkspaceEdit:
    """The edits of texts, which refer to files by their old names, and then the renames of files."""
    edits = name_edits(rule, renames[0].new, mentions, workspace, encoding)
    return workspace_edit(edits, renames)


def name_edits(
    rule: RuleFiles, new: str, mentions: Iterable[MentioningFile], workspace: Workspace, encoding: Encoding
) -> tuple[DocumentEdit, ...]:
    """The edits of the files that mention a rule, and of its own files, after its file is renamed to `new`."""
    name, parts = rule_name_of(new), rule_file_name(new)
    assert parts is not None, "name_to_change refuses such files"
    spans: dict[str, tuple[Document, list[Span]]] = {}
    for file in mentions:
        spans[file.document.uri] = (file.document, list(file.spans))
    for path in rule.paths:
        document = _document(path, workspace)
        own_span = None if document is None else own_name_span(read_document(document))
        if document is not None and own_span is not None:
            spans.setdefault(document.uri, (document, []))[1].append(own_span)
    return tuple(
        DocumentEdit(
            document,
            tuple(
                # Paths in configurations, and the key `name`, omit the prefix and suffix that some programs demand.
                types.TextEdit(
                    lsp_range(span, document.index, encoding),
                    name if document.text[span.start : span.end] == rule.name else parts.name,
                )
                for span in sorted(set(value))
            ),
        )
        for document, value in spans.values()
    )


def workspace_edit(edits: Iterable[DocumentEdit], renames: Iterable[FileRename]) -> types.WorkspaceEdit:
    """The edits of texts, merged by document, and then the renames of files."""
    merged: dict[str, tuple[Document, dict[tuple[int, int], types.TextEdit]]] = {}
    for edit in edits:
        _, by_place = merged.setdefault(edit.document.uri, (edit.document, {}))
        by_place.update({(each.range.start.line, each.range.start.character): each for each in edit.edits})
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = [
        types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version),
            [by_place[place] for place in sorted(by_place)],
        )
        for document, by_place in merged.values()
    ]
    # Two rule files that differ only in their suffixes share a test file.
    changes += [
        types.RenameFile(old_uri=file_uri(rename.old), new_uri=file_uri(rename.new))
        for rename in dict.fromkeys(renames)
    ]
    return types.WorkspaceEdit(document_changes=changes)


def _document(path: str, workspace: Workspace) -> Document | None:
    opened = (document for document in workspace.documents.values() if is_file(document.uri))
    document = next((document for document in opened if document.path == path), None)
    if document is not None and document.version is not None:
        return document
    text = read_optional_text(Path(path))
    return None if text is None else Document.of(file_uri(path), path, None, text)


def _refused(message: str) -> JsonRpcException:
    return JsonRpcException(message=message, code=types.LSPErrorCodes.RequestFailed.value)
