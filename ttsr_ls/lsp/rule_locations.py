"""Finds the rules of a workspace by their names, and those that cannot be read. Runs in a thread, because it reads the
disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.closed_rules import rule_files
from ttsr_ls.lsp.uris import can_be_a_path
from ttsr_ls.syntax.dialects.file_roles import rule_name_of


def rule_locations(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """The name and path of each rule file of the workspace folders, open or not; none of a file that was deleted."""
    seen: set[str] = set()
    rules = (document.path for document in workspace.documents.values() if workspace.rule_document(document.uri))
    opened = (path for path in rules if can_be_a_path(path) and Path(path).is_file())
    on_disk = (path for folder in workspace.folders for path in rule_files(folder, workspace.rule_folders))
    for path in (*opened, *on_disk):
        if path not in seen:
            seen.add(path)
            yield rule_name_of(path), path


def paths_of_rules(names: Collection[str], beside: str, workspace: Workspace) -> dict[str, str]:
    """The files of rules, by name: for each, the one next to the file `beside`, else the first of the workspace."""
    paths: dict[str, str] = {}
    neighbours: dict[str, str] = {}
    for name, path in rule_locations(workspace):
        if name in names:
            paths.setdefault(name, path)
            if Path(path).parent == Path(beside).parent:
                neighbours.setdefault(name, path)
    return paths | neighbours


def unreadable_rules_warning(folder: str) -> str | None:
    """A warning about the rules for a folder that cannot be read, which names the first, or about an ignore file that
    is read only in part; None if all can be read."""
    # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
    from ttsr_ls.store.agent_environment import AgentEnvironment
    from ttsr_ls.store.discovery.discovery import discover
    from ttsr_ls.store.discovery.limits import DISCOVERY_LIMITS
    from ttsr_ls.store.files.bounded_file import open_regular
    from ttsr_ls.store.files.existence import is_unlistable_folder
    from ttsr_ls.store.providers.discovered_rule import Omission
    from ttsr_ls.store.settings.settings_files import read_layers

    environment = AgentEnvironment(Path(folder), Path.home(), os.environ)
    reasons: list[str] = []
    unread_patterns: str | None = None
    advice = "Give your user the right to read them, or correct the links."
    for rule in discover(environment, read_layers(environment)).rules:
        omission = rule.omission_message(DISCOVERY_LIMITS)
        if omission is not None and rule.omission is Omission.IGNORE_PATTERNS:
            unread_patterns = f"An ignore file is read only in part: {omission}. Shorten it, or name folders in it."
            continue
        if omission is not None:
            advice = advice if reasons else "Delete files there, or move them to a folder that is no rule folder."
            reasons.append(omission)
            continue
        try:
            os.close(open_regular(rule.path))
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not is_unlistable_folder(rule.path):
                continue  # The file was deleted meanwhile, and its path is no broken link.
            reasons.append(f"cannot read {rule.path}: {error.strerror}")
    if not reasons:
        return unread_patterns
    more = f", and {len(reasons) - 1:,} more" if len(reasons) > 1 else ""
    return f"Rules are not in force: {reasons[0]}{more}. {advice}"
