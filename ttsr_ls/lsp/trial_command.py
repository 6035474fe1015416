"""The command `ttsr.test`: its arguments, and the tested rules. `ide.trial.editor_trial` runs the trial."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.escaping import printable
from ttsr_ls.ide.trial.editor_trial import TrialRequest, trial_json, try_rule, try_rules
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.lsp.trial.trial_rules import folder_of, rules_of_folder, single_rule
from ttsr_ls.lsp.uris import is_file, path_of
from ttsr_ls.rules.stream import Source


class TrialArguments(Struct, frozen=True):
    """The arguments of the command. `rules` None: all rules."""

    trial: TrialRequest
    uri: str | None
    rules: tuple[str, ...] | None


def parse_trial_argument(arguments: tuple[object, ...]) -> TrialArguments:
    """Parses the one argument of the command. Raises JsonRpcInvalidParams with the reason."""
    argument = arguments[0] if arguments else None
    if not isinstance(argument, dict) or not isinstance(argument.get("text"), str):
        raise JsonRpcInvalidParams("ttsr.test takes one object with a string 'text'")
    for name in ("uri", "source", "tool", "path"):
        if not isinstance(argument.get(name), str | None):
            raise JsonRpcInvalidParams(f"'{name}' of ttsr.test is a string")
    rules = argument.get("rules")
    if rules is not None and not (isinstance(rules, list) and all(isinstance(rule, str) for rule in rules)):
        raise JsonRpcInvalidParams("'rules' of ttsr.test is a list of rule names")
    source = argument.get("source")
    if source is not None and source not in list(Source):
        raise JsonRpcInvalidParams(f"'source' of ttsr.test is one of {', '.join(Source)}")
    trial = TrialRequest(
        argument["text"], Source(source) if source else None, argument.get("tool"), argument.get("path")
    )
    return TrialArguments(trial, argument.get("uri"), tuple(rules) if rules is not None else None)


def test(request: TrialArguments, workspace: Workspace) -> dict[str, Any]:
    """Tries the open rule at `uri`, or else the rules of its workspace folder. For a thread: reads from the disk."""
    result = _test(request, workspace)
    return {**result, "summary": message_text(result["summary"]), "report": printable(result["report"])}


def _test(request: TrialArguments, workspace: Workspace) -> dict[str, Any]:
    document = workspace.rule_document(request.uri) if request.uri is not None else None
    folder = folder_of(request.uri, workspace)
    if document is not None and request.rules is None:
        rules = single_rule(document).rules
        if not rules.rules:
            return _nothing(f"'{document.rule_name}' has nothing that could be tried; its findings say why")
        with AstProcess() as ast_search:
            return trial_json(try_rule(rules, request.trial, folder, ast_search))
    rules = rules_of_folder(folder, workspace, request.rules).rules
    if not rules.rules:
        return _nothing("there are no rules here that could be tried")
    with AstProcess() as ast_search:
        return trial_json(try_rules(rules, _to_trial_request(request), folder, ast_search))


def _nothing(summary: str) -> dict[str, Any]:
    return {"source": None, "tool": None, "paths": [], "summary": summary, "report": summary, "rules": []}


def _to_trial_request(request: TrialArguments) -> TrialRequest:
    """The request with a default path: the text of a file is tried as a write to that file."""
    trial_request = request.trial
    if trial_request.source is None and trial_request.path is None and request.uri is not None and is_file(request.uri):
        return TrialRequest(trial_request.text, None, trial_request.tool, path_of(request.uri))
    return trial_request
