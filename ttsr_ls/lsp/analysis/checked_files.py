"""Files that are no rules and have findings of their own: tests of rules, and the project's configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.configuration_document import analyse_configuration, configuration_document, is_configuration
from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis
from ttsr_ls.lsp.trial.case_documents import analyse_cases, case_document

if TYPE_CHECKING:
    from ttsr_ls.matching.ast.search import AstSearch


def checked_file(workspace: Workspace, uri: str) -> Document | None:
    """The open document at `uri`, if it is such a file."""
    return case_document(workspace, uri) or configuration_document(workspace, uri)


def analyse_file(document: Document, workspace: Workspace, search: AstSearch | None = None) -> FileAnalysis:
    """The findings of such a file, open or not. For a thread: reads the disk.

    Without `search`, cases of tests that only an AST condition decides are not judged.
    """
    if is_configuration(document.path):
        return analyse_configuration(document)
    return analyse_cases(document, workspace, search)
