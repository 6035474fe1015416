"""The project's configuration as an open document: its findings, completion, and hover."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis
from ttsr_ls.lsp.uris import can_be_a_path, is_file

if TYPE_CHECKING:
    from ttsr_ls.ide.configuration.config_context import ConfigText
    from ttsr_ls.lint.finding import Finding

OWN_FILE = "ttsr-ls.toml"
SHARED_FILE = "pyproject.toml"


def is_configuration(path: str) -> bool:
    """Returns whether a file can have the configuration of a project, by its name."""
    return PurePath(path).name in (OWN_FILE, SHARED_FILE)


def configuration_document(workspace: Workspace, uri: str) -> Document | None:
    """The open document at `uri`, if it can have the configuration of a project."""
    document = workspace.documents.get(uri)
    is_known = document is not None and document.version is not None and is_file(uri)
    return document if document is not None and is_known and is_configuration(document.path) else None


def config_text(document: Document) -> ConfigText:
    """The text of a document with the spans of its keys and values."""
    # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
    from ttsr_ls.ide.configuration.config_context import read_config_text

    return read_config_text(document.text, is_shared=_is_shared(document))


def analyse_configuration(document: Document) -> FileAnalysis:
    """The findings of a configuration, among them the folders that do not exist. For a thread: reads the disk."""
    from ttsr_ls.lint.config.config_check import check_configuration

    findings = (*check_configuration(document.text, is_shared=_is_shared(document)), *_missing_folders(document))
    return FileAnalysis.of(document, tuple(sorted(findings, key=lambda finding: finding.span)))


def _is_shared(document: Document) -> bool:
    return PurePath(document.path).name == SHARED_FILE


def _missing_folders(document: Document) -> Iterator[Finding]:
    from ttsr_ls.lint.config.config_check import missing_folder
    from ttsr_ls.lint.config.config_table import table_of
    from ttsr_ls.lint.config.keys import RULE_FOLDERS

    if not can_be_a_path(document.path):
        return
    file = config_text(document)
    table = table_of(file.tree.data, file.root)
    named = table.get(RULE_FOLDERS.name) if isinstance(table, dict) else None
    for number, name in enumerate(named if isinstance(named, list) else ()):
        node = file.tree.find((*file.root, RULE_FOLDERS.name, number))
        path = os.path.normpath(Path(document.path).parent / name) if isinstance(name, str) else ""
        if node is not None and isinstance(name, str) and can_be_a_path(path) and not Path(path).is_dir():
            yield missing_folder(name, path, node.span)
