"""Answers `ttsr/testText`. Keeps the automaton and the parsing process between requests."""

from __future__ import annotations

from threading import Lock
from time import thread_time
from typing import Any

from msgspec.structs import replace

from ttsr_ls.ide.text_trial.delta_firings import TrialMonitors
from ttsr_ls.ide.text_trial.rule_gates import rule_gates
from ttsr_ls.ide.text_trial.streamed_text import (
    StreamedText,
    TextKind,
    default_kind,
    stream_context_of_kind,
    stream_text_of,
)
from ttsr_ls.ide.text_trial.text_trial import DeltaStream, TextTrial, run_text_trial
from ttsr_ls.ide.trial.editor_trial import first_stream_in_scope, path_in_scope
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.lsp.trial.trial_answer import TrialAnswer, refused_answer
from ttsr_ls.lsp.trial.trial_params import TrialQuery
from ttsr_ls.lsp.trial.trial_rules import TrialRules, document_at, folder_of, rules_of_folder, single_rule
from ttsr_ls.lsp.uris import is_file, path_of
from ttsr_ls.rule_tests.sample_path import has_no_sample_path
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.text import Encoding

_NO_RULES = "There are no rules here that could be tried."
_NOT_IN_FORCE = "None of the rules here is in force."
_UNREADABLE = "The rule file cannot be read."


class TextTrials:
    """Tries rules on texts, one text after the other. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._monitors = TrialMonitors()
        self.search = AstProcess()
        """Evaluates AST conditions; its process starts with the first search."""

    def close(self) -> None:
        """Ends the parsing process."""
        self.search.close()

    def test_text(self, query: TrialQuery, workspace: Workspace, encoding: Encoding) -> dict[str, Any]:
        """The answer to a request, with positions in `encoding`."""
        folder = folder_of(query.uri if query.rule is None else query.rule.uri, workspace)
        rules = _rules(query, workspace, folder)
        if rules is None:
            return refused_answer(query, _UNREADABLE)
        text = stream_text_of(query.text, _context(query, rules, folder))
        rule = rules.only
        if not rules.rules.rules:
            if rule is None:
                return refused_answer(query, _NOT_IN_FORCE if rules.absent else _NO_RULES, absent=rules.absent)
            name = rule.found.name
            gates = rule_gates(rule.read, rule.registration, text.context, None, folder)
            return refused_answer(query, f"'{name}' has nothing that could be tried; its gates say why.", gates)
        return self._tried(query, rules, text, folder, encoding)

    def _tried(
        self, query: TrialQuery, rules: TrialRules, text: StreamedText, folder: str, encoding: Encoding
    ) -> dict[str, Any]:
        stream = DeltaStream(query.chunk, query.shown)
        with self._lock:
            trial = run_text_trial(rules.rules, text, stream, self._monitors, self.search, thread_time)
            if rules.only is None and (query.kind, query.tool) == (None, None) and text.context.tool == TextKind.EDIT:
                trial = self._add_writes(trial, rules, stream)
        return TrialAnswer(query, trial, rules, folder, encoding).json()

    def _add_writes(self, trial: TextTrial, rules: TrialRules, stream: DeltaStream) -> TextTrial:
        """Adds trials on a write for rules whose scope has no edits: the request named neither tool."""
        edited = trial.text.context
        context = replace(edited, tool=str(TextKind.WRITE))
        writes = rules.rules.only(lambda rule: rule.scope.admits(context) and not rule.scope.admits(edited))
        if not writes.rules:
            return trial
        text = replace(trial.text, context=context)
        text_trial = run_text_trial(writes, text, stream, self._monitors, self.search, thread_time)
        by_path = {trial.rule.path: trial for trial in text_trial.rules}
        return replace(trial, rules=tuple(by_path.get(rule_trial.rule.path, rule_trial) for rule_trial in trial.rules))


def _rules(query: TrialQuery, workspace: Workspace, folder: str) -> TrialRules | None:
    """The rules of a request; None if its rule cannot be read."""
    if query.rule is not None:
        document = document_at(query.rule.uri, query.rule.text, workspace)
        return None if document is None else single_rule(document)
    opened_document = None if query.uri is None or query.names is not None else workspace.rule_document(query.uri)
    return (
        single_rule(opened_document) if opened_document is not None else rules_of_folder(folder, workspace, query.names)
    )


def _context(query: TrialQuery, rules: TrialRules, folder: str) -> StreamContext:
    path = query.path
    if path is None and query.uri is not None and is_file(query.uri):
        path = path_of(query.uri)
    if query.kind is not None and rules.only is not None and rules.only.rule is not None and query.path is None:
        # A sample is tried on a path in the scope of the rule, and not on the rule's own file.
        tool = query.tool if query.kind is TextKind.TOOL else str(query.kind)
        tool = tool or str(TextKind.EDIT)
        path = None if has_no_sample_path(rules.only.rule, tool) else path_in_scope(rules.only.rule, tool) or path
    if query.kind is not None:
        return stream_context_of_kind(query.kind, query.tool, path, folder)
    if rules.only is not None:
        rule = rules.only.rule
        return StreamContext(Source.TEXT) if rule is None else first_stream_in_scope(rule)
    kind = TextKind.TOOL if query.tool is not None else default_kind(path)
    return stream_context_of_kind(kind, query.tool, path, folder)
