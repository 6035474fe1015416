"""Findings of rule files, test files, and configurations that are not open.

For editors that list the problems of a whole workspace.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_detection import is_in_rule_folder
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.analyses import Analyses
from ttsr_ls.lsp.analysis.checked_files import analyse_file
from ttsr_ls.lsp.analysis.configuration_document import OWN_FILE, SHARED_FILE, is_configuration
from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis
from ttsr_ls.lsp.uris import is_file
from ttsr_ls.rule_tests.case_file_names import is_case_file, rule_stem
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis

_FOREIGN = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", "site-packages"))
_MAX_ENTRIES = 50_000
"""The most files and folders of a workspace that are searched."""
_MAX_RULES = 2_000

Signature = tuple[str, int, int]
"""A state of a file on the disk: its path, its size, and its modification time."""


class ClosedRules:
    """Finds and analyses rule files. For one thread at a time."""

    def __init__(self, analyses: Analyses) -> None:
        self._analyses = analyses
        self._known: dict[str, tuple[Signature, int, Analysis | FileAnalysis]] = {}

    def signatures(self, workspace: Workspace) -> tuple[Signature, ...]:
        """The rules, test files, and configurations of the workspace folders that are not open."""
        files = (document for document in workspace.documents.values() if is_file(document.uri))
        opened = {document.path for document in files if document.version is not None}
        found: dict[str, Signature] = {}
        for folder in workspace.folders:
            configurations = (str(Path(folder, name)) for name in (OWN_FILE, SHARED_FILE))
            for path in (*configurations, *_paths_with_test_files(folder, workspace.rule_folders)):
                if path not in opened and len(found) < _MAX_RULES:
                    try:
                        status = Path(path).stat()
                    except OSError:
                        continue
                    found[path] = (path, status.st_size, status.st_mtime_ns)
        return tuple(found.values())

    def is_known(self, signature: Signature, workspace: Workspace) -> bool:
        """Returns whether the analysis of a file is cached."""
        known = self._known.get(signature[0])
        return known is not None and known[:2] == (signature, workspace.disk_changes)

    def analysis(self, signature: Signature, workspace: Workspace) -> Analysis | FileAnalysis | None:
        """The analysis of a file; None if it cannot be read."""
        # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
        from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
        from ttsr_ls.syntax.reader import decode

        path = signature[0]
        known = self._known.get(path)
        if known is not None and known[:2] == (signature, workspace.disk_changes):
            return known[2]
        try:
            text, _ = decode(read_file(Path(path)))
        except RuleUnreadableError:
            return None
        document = Document.of(file_uri(path), path, None, text)
        analysis: Analysis | FileAnalysis
        if is_case_file(path) or is_configuration(path):
            analysis = analyse_file(document, workspace)
        else:
            analysis = self._analyses.analyse_closed(document, workspace)
        self._known[path] = (signature, workspace.disk_changes, analysis)
        return analysis


def _paths_with_test_files(root: str, rule_folders: frozenset[str]) -> Iterator[str]:
    """The rule files below a folder and the test files beside them, including those without a rule."""
    for folder, names in _folders(root):
        for name in names:
            path = os.path.join(folder, name)  # noqa: PTH118
            rules = [rule_stem(path) + suffix for suffix in RULE_SUFFIXES] if is_case_file(path) else [path]
            if any(_is_rule_path(rule, folder, rule_folders) for rule in rules):
                yield path


def test_files_without_rule(root: str, rule_folders: frozenset[str]) -> Iterator[str]:
    """The test files below a folder of rules that have no rule file beside them."""
    from ttsr_ls.store.case_file_paths import rule_file_of

    for path in _paths_with_test_files(root, rule_folders):
        if is_case_file(path) and rule_file_of(Path(path)) is None:
            yield path


def rule_files(root: str, rule_folders: frozenset[str]) -> Iterator[str]:
    """The files below a folder that programs load as rules, and those in rule folders of configurations."""
    for folder, names in _folders(root):
        for name in names:
            path = os.path.join(folder, name)  # noqa: PTH118
            if _is_rule_path(path, folder, rule_folders):
                yield path


def _is_rule_path(path: str, folder: str, rule_folders: frozenset[str]) -> bool:
    return is_in_rule_folder(path) or (folder in rule_folders and path.endswith(RULE_SUFFIXES))


def _folders(root: str) -> Iterator[tuple[str, list[str]]]:
    """The folders below a folder, each with the names of its files."""
    seen = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _FOREIGN)
        seen += len(folders) + len(files)
        if seen > _MAX_ENTRIES:
            return
        yield folder, sorted(files)
