"""The findings of open test files, `NAME.test.yml`: invalid parts, and failing cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis
from ttsr_ls.lsp.configuration import configuration_of
from ttsr_ls.lsp.uris import can_be_a_path, is_file
from ttsr_ls.rule_tests.case_file_names import is_case_file, rule_stem
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES

if TYPE_CHECKING:
    from ttsr_ls.lint.finding import Finding
    from ttsr_ls.matching.ast.search import AstSearch


def case_document(workspace: Workspace, uri: str) -> Document | None:
    """The open test file at `uri`, if it is one."""
    document = workspace.documents.get(uri)
    is_known = document is not None and document.version is not None and is_file(uri)
    return document if document is not None and is_known and is_case_file(document.path) else None


def rules_of_cases(workspace: Workspace, cases: Document) -> tuple[Document, ...]:
    """The open files that can be the rule of a test file; none if `cases` is no test file."""
    if not is_case_file(cases.path):
        return ()
    names = {f"{rule_stem(cases.path)}{suffix}" for suffix in RULE_SUFFIXES}
    return tuple(document for document in workspace.documents.values() if document.path in names)


def cases_of_rule(workspace: Workspace, rule: Document) -> tuple[str, ...]:
    """The URIs of the open test files of an open rule file."""
    suffix = next((suffix for suffix in RULE_SUFFIXES if rule.path.endswith(suffix)), None)
    if suffix is None:
        return ()
    stem = rule.path.removesuffix(suffix)
    documents = (document for document in workspace.documents.values() if is_case_file(document.path))
    return tuple(document.uri for document in documents if rule_stem(document.path) == stem)


def analyse_cases(document: Document, workspace: Workspace, search: AstSearch | None = None) -> FileAnalysis:
    """Runs the cases of a test file on its rule, with the editor's text. Runs in a thread, because it reads the disk.

    Without `search`, cases that depend on an AST condition are not evaluated.
    """
    from ttsr_ls.lint.case_files.case_file_check import NoRuleFile, check_case_file
    from ttsr_ls.lsp.trial.trial_rules import open_texts
    from ttsr_ls.store.case_file_paths import rule_file_of
    from ttsr_ls.store.rule_test_files import rules_with_tests

    findings: tuple[Finding, ...] = ()
    path = Path(document.path)
    if can_be_a_path(document.path):
        file_path = rule_file_of(path)
        rule_with_tests = None if file_path is None else rules_with_tests((file_path,), open_texts(workspace))[0]
        rule = NoRuleFile() if rule_with_tests is None else rule_with_tests.rule
        findings = check_case_file(document.text, rule, search)
        findings = configuration_of(path.parent).selection(path).apply_to_findings(findings)
    return FileAnalysis.of(document, findings)
