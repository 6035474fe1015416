"""Finds the rules of a workspace by their names. Runs in a thread, because it reads the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.closed_rules import rule_files
from ttsr_ls.syntax.dialects.file_roles import rule_name_of


def rule_locations(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """The name and path of each rule file of the workspace folders, open or not."""
    seen: set[str] = set()
    opened = (document.path for document in workspace.documents.values() if workspace.rule_document(document.uri))
    on_disk = (path for folder in workspace.folders for path in rule_files(folder, workspace.rule_folders))
    for path in (*opened, *on_disk):
        if path not in seen:
            seen.add(path)
            yield rule_name_of(path), path


def path_of_rule(name: str, beside: str, workspace: Workspace) -> str | None:
    """Returns the file of a rule: the one next to another rule's file, else the first of the workspace; None without
    one.
    """
    paths = [path for known_name, path in rule_locations(workspace) if known_name == name]
    return next((path for path in paths if Path(path).parent == Path(beside).parent), next(iter(paths), None))
