"""Selects the rules to try for an editor: an open rule, or those of a workspace folder. Runs in a thread."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.configuration import configuration_of
from ttsr_ls.lsp.uris import can_be_a_path, is_file, path_of
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.discovery import EXTRA_PROVIDER
from ttsr_ls.store.discovery.loaded_rule import LoadedRule, loaded_from
from ttsr_ls.store.discovery.local_rules import OpenTexts, rules_at
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule
from ttsr_ls.syntax.dialects.file_roles import role_of
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import RuleFile

Read = RuleFile | PiRuleFile
AbsentRule = tuple[str, str, str]
"""The name and the path of a rule that is matched on no stream, and the reason."""


class TrialRules(Struct, frozen=True):
    """The rules to try, with their parsed files by path. `only` is the rule if the request names one."""

    rules: RulesByDialect
    files: Mapping[str, Read] = field(default_factory=dict)
    absent: tuple[AbsentRule, ...] = ()
    only: LoadedRule | None = None


def folder_of(uri: str | None, workspace: Workspace) -> str:
    """The innermost workspace folder around a file, else the first workspace folder."""
    path = path_of(uri) if uri is not None else ""
    return workspace.folder_around(path) or next(iter(workspace.folders), str(Path(path).parent))


def open_texts(workspace: Workspace) -> OpenTexts:
    """The texts of the open files, by path."""
    documents = (document for document in workspace.documents.values() if is_file(document.uri))
    return OpenTexts({document.path: document.text for document in documents if document.version is not None})


def single_rule(document: Document) -> TrialRules:
    """The rule of a document by itself, without the effects of other files and settings."""
    path = Path(document.path)
    rule = DiscoveredRule(path, document.rule_name, EXTRA_PROVIDER, role=role_of(document.path))
    loaded_rule = loaded_from(rule, document.text, configuration_of(path.parent).dialect(path))
    rules = RulesByDialect(RuleSet(())) if loaded_rule.rule is None else RulesByDialect.from_rules((loaded_rule.rule,))
    return TrialRules(rules, {document.path: loaded_rule.read}, (), loaded_rule)


def document_at(uri: str, text: str | None, workspace: Workspace) -> Document | None:
    """A rule file with this text, else with that of the editor, else of the disk; None if it cannot be read."""
    document = workspace.documents.get(uri)
    path = path_of(uri)
    if text is not None:
        return Document.of(uri, path, 0, text)
    if document is not None and document.version is not None:
        return document
    if not is_file(uri) or not can_be_a_path(path):
        return None
    try:
        return Document.of(uri, path, None, read_file(Path(path)).decode("utf-8", "replace"))
    except RuleUnreadableError:
        return None


def rules_of_folder(folder: str, workspace: Workspace, names: tuple[str, ...] | None) -> TrialRules:
    """The rules of a folder with these names, or all, with the texts of the editor, else of the disk."""
    paths = configuration_of(Path(folder)).rule_folders
    local_rules = rules_at(AgentEnvironment(Path(folder), Path.home(), os.environ), paths, open_texts(workspace))
    rules = local_rules.session_rules()
    refused = [(refusal.name, refusal.path, str(refusal.reason)) for refusal in rules.omp.refusals]
    absent = (*refused, *((file.found.name, str(file.found.path), file.reason) for file in local_rules.unreadable))
    if names is not None:
        rules = rules.only(lambda rule: rule.name in names)
        absent = tuple(item for item in absent if item[0] in names)
    return TrialRules(rules, {rule_path(rule): rule.read for rule in local_rules.loaded}, absent)


def rule_path(rule: LoadedRule) -> str:
    """The path by which the engine knows the rule of a file."""
    return str(rule.found.path)
