"""Files that are no rules and have findings of their own: tests of rules, and the project's configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.configuration_document import analyse_configuration, configuration_document, is_configuration
from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis
from ttsr_ls.lsp.trial.case_documents import analyse_cases, case_document, rules_of_cases

if TYPE_CHECKING:
    from ttsr_ls.lsp.server import Server
    from ttsr_ls.matching.ast.search import AstSearch


def checked_file(workspace: Workspace, uri: str) -> Document | None:
    """The open test file or configuration at `uri`, if there is one."""
    return case_document(workspace, uri) or configuration_document(workspace, uri)


async def newest_file_analysis(server: Server, uri: str) -> FileAnalysis | None:
    """The findings of the newest version of the open test file or configuration at `uri`; None if there is none.

    The findings of a test file are those for the newest version of its rule.
    """
    while (file := checked_file(server.current, uri)) is not None:
        before = _inputs(server.current, file)
        analysis = await server.run_check(analyse_file, file, server.current, server.trials.search)
        if checked_file(server.current, uri) is file and _inputs(server.current, file) == before:
            return analysis
    return None


def _inputs(workspace: Workspace, file: Document) -> tuple[object, ...]:
    """The state, other than the file's own text, that its findings depend on. Documents compare by identity."""
    return workspace.disk_changes, workspace.folders, rules_of_cases(workspace, file)


def analyse_file(document: Document, workspace: Workspace, search: AstSearch | None = None) -> FileAnalysis:
    """The findings of a test file or configuration, open or not. Runs in a thread, because it reads the disk.

    Without `search`, test cases that depend on an AST condition are not evaluated.
    """
    if is_configuration(document.path):
        return analyse_configuration(document)
    return analyse_cases(document, workspace, search)
