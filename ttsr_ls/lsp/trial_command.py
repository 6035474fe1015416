"""The command `ttsr.test`: the tested rules, and its arguments. `ide.trial.editor_trial` runs the trial."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from msgspec import Struct
from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.escaping import printable
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.trial.editor_trial import TrialRequest, trial_json, try_rule, try_rules
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.lsp.configuration import configuration_of
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.lsp.uris import is_file, path_of
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.discovery import EXTRA_PROVIDER
from ttsr_ls.store.discovery.loaded_rule import loaded_from
from ttsr_ls.store.discovery.local_rules import OpenTexts, rules_at
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule
from ttsr_ls.syntax.dialects.file_roles import role_of


class TrialArguments(Struct, frozen=True):
    """The command's arguments. `rules` None means all."""

    asked: TrialRequest
    uri: str | None
    rules: tuple[str, ...] | None


def parse_trial_argument(arguments: tuple[object, ...]) -> TrialArguments:
    """The request in the command's one argument. Raises JsonRpcInvalidParams, which says what is wrong."""
    given = arguments[0] if arguments else None
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise JsonRpcInvalidParams("ttsr.test takes one object with a string 'text'")
    for name in ("uri", "source", "tool", "path"):
        if not isinstance(given.get(name), str | None):
            raise JsonRpcInvalidParams(f"'{name}' of ttsr.test is a string")
    rules = given.get("rules")
    if rules is not None and not (isinstance(rules, list) and all(isinstance(rule, str) for rule in rules)):
        raise JsonRpcInvalidParams("'rules' of ttsr.test is a list of rule names")
    source = given.get("source")
    if source is not None and source not in list(Source):
        raise JsonRpcInvalidParams(f"'source' of ttsr.test is one of {', '.join(Source)}")
    request = TrialRequest(given["text"], Source(source) if source else None, given.get("tool"), given.get("path"))
    return TrialArguments(request, given.get("uri"), tuple(rules) if rules is not None else None)


def test(request: TrialArguments, workspace: Workspace) -> dict[str, Any]:
    """Tries the open rule at `uri`, or else the rules of its workspace folder. For a thread: reads from the disk."""
    result = _test(request, workspace)
    return {**result, "summary": message_text(result["summary"]), "report": printable(result["report"])}


def _test(request: TrialArguments, workspace: Workspace) -> dict[str, Any]:
    document = workspace.rule_document(request.uri) if request.uri is not None else None
    folder = _folder(request, workspace)
    if document is not None and request.rules is None:
        rules = _rule_in(document)
        if rules is None:
            return _nothing(f"'{document.rule_name}' has nothing that could be tried; its findings say why")
        with AstProcess() as ast_search:
            return trial_json(try_rule(rules, request.asked, folder, ast_search))
    rules = _named(_rules_of(folder, workspace), request.rules)
    if not rules.rules:
        return _nothing("there are no rules here that could be tried")
    with AstProcess() as ast_search:
        return trial_json(try_rules(rules, _to_trial_request(request), folder, ast_search))


def _rule_in(document: Document) -> RulesByDialect | None:
    """The one rule of an open document; None where nothing of it can fire."""
    path = Path(document.path)
    rule = DiscoveredRule(path, document.rule_name, EXTRA_PROVIDER, role=role_of(document.path))
    loaded_rule = loaded_from(rule, document.text, configuration_of(path.parent).dialect(path))
    return None if loaded_rule.rule is None else RulesByDialect.of((loaded_rule.rule,))


def _named(rules: RulesByDialect, names: tuple[str, ...] | None) -> RulesByDialect:
    if names is None:
        return rules
    return rules.only(lambda rule: rule.name in names)


def _nothing(summary: str) -> dict[str, Any]:
    return {"source": None, "tool": None, "paths": [], "summary": summary, "report": summary, "rules": []}


def _to_trial_request(request: TrialArguments) -> TrialRequest:
    """A text out of a file is tried as what an agent writes to that file, unless something else is said."""
    trial_request = request.asked
    if trial_request.source is None and trial_request.path is None and request.uri is not None and is_file(request.uri):
        return TrialRequest(trial_request.text, None, trial_request.tool, path_of(request.uri))
    return trial_request


def _folder(request: TrialArguments, workspace: Workspace) -> str:
    """The workspace folder of the request's file, the innermost; else the first."""
    path = path_of(request.uri) if request.uri is not None else ""
    around = [folder for folder in workspace.folders if Path(path).is_relative_to(folder)]
    return max(around, key=len, default=next(iter(workspace.folders), str(Path(path).parent)))


def _rules_of(folder: str, workspace: Workspace) -> RulesByDialect:
    """The rules of a folder, as they are in the editor, else on the disk; what cannot be read cannot fire."""
    open_here = {document.path: document.text for document in workspace.documents.values() if is_file(document.uri)}
    paths = configuration_of(Path(folder)).rule_folders
    return rules_at(
        AgentEnvironment(Path(folder), Path.home(), os.environ), paths, OpenTexts(open_here)
    ).session_rules()
