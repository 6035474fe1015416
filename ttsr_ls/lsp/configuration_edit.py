"""Edits of a project's configuration, based on its text in the editor, else on the disk."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.actions.suppressing import ignore_code_edit
from ttsr_ls.ide.documents import Document
from ttsr_ls.lsp.convert import text_edit
from ttsr_ls.lsp.server import Server
from ttsr_ls.store.files.bounded_file import read_optional_text

_OWN = "ttsr-ls.toml"
_SHARED = "pyproject.toml"


def ignoring_edit(server: Server, path: str, code: str) -> types.WorkspaceEdit | None:
    """Returns an edit that makes the configuration of the file at `path` ignore a code; None if the client does not
    support it.

    The edit is of the nearest configuration up to the workspace folder, or creates one there.
    """
    workspace_folder = server.current.folder_around(path)
    if workspace_folder is None or not server.client.takes_document_changes:
        return None
    root = Path(workspace_folder)
    for folder in (file_path for file_path in Path(path).parents if file_path.is_relative_to(root)):
        for name in (_OWN, _SHARED):
            document = _document(server, folder / name)
            if document is not None:
                edit = ignore_code_edit(document.text, code, is_pyproject=name == _SHARED)
                if edit is not None:
                    changed_edit = text_edit(edit, document, server.client.encoding)
                    return types.WorkspaceEdit(document_changes=[_change(document.uri, document.version, changed_edit)])
    if not server.client.creates_files:
        return None
    uri = file_uri(str(root / _OWN))
    start = types.Position(0, 0)
    added_edit = types.TextEdit(types.Range(start, start), f'ignore = ["{code}"]\n')
    create = types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True))
    return types.WorkspaceEdit(document_changes=[create, _change(uri, None, added_edit)])


def _document(server: Server, path: Path) -> Document | None:
    uri = file_uri(str(path))
    document = server.current.documents.get(uri)
    if document is not None and document.version is not None:
        return document
    text = read_optional_text(path)
    return None if text is None else Document.of(uri, str(path), None, text)


def _change(uri: str, version: int | None, edit: types.TextEdit) -> types.TextDocumentEdit:
    return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version), [edit])
