"""The tests of rules for an editor: lists and runs them. Runs in a thread, because it reads the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.trial.rule_trial import run_trial
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lint.case_files.case_file_check import failure_message
from ttsr_ls.lsp.analysis.closed_rules import rule_files, test_files_without_rule
from ttsr_ls.lsp.configuration import configuration_of
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.lsp.trial.trial_rules import open_texts
from ttsr_ls.lsp.uris import can_be_a_path, is_file, path_of
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.rule_tests.case import CaseOrigin, RuleTestCase
from ttsr_ls.rule_tests.case_file_names import is_case_file
from ttsr_ls.rule_tests.case_run import CaseResult, CaseStatus, RuleUnderTest
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.case_file_paths import rule_file_of
from ttsr_ls.store.discovery.local_rules import OpenTexts, rules_at
from ttsr_ls.store.rule_test_files import RuleWithTests, rules_with_tests
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES
from ttsr_ls.text import Encoding, LineIndex, Position, Span

if TYPE_CHECKING:
    from ttsr_ls.lsp.trial.text_trials import TextTrials

_UNDECIDED = "Not decided: a condition takes too long, or cannot be evaluated here."


def list_rule_tests(uris: tuple[str, ...] | None, workspace: Workspace, encoding: Encoding) -> dict[str, Any]:
    """The tests of these rules, or of all rules of the workspace folders with tests."""
    return {"rules": [_rule_json(rule, encoding, None) for rule in _tested(uris, workspace)]}


class RunningTests(Protocol):
    """Receives the progress of a run of tests in another thread, and can cancel it."""

    @property
    def is_cancelled(self) -> bool:
        """True if the remaining rules are not to be tested."""

    def ran(self, done_count: int, total: int) -> None:
        """Reports that the tests of `done_count` rules have run."""


def run_rule_tests(
    uris: tuple[str, ...] | None, workspace: Workspace, encoding: Encoding, trials: TextTrials, running: RunningTests
) -> dict[str, Any]:
    """Runs the tests of these rules, and returns them with their results; rules after a cancellation are omitted."""
    rules = []
    rule_with_tests = list(_tested(uris, workspace))
    for number, rule in enumerate(rule_with_tests):
        if running.is_cancelled:
            break
        rules.append(_rule_json(rule, encoding, trials.search))
        running.ran(number + 1, len(rule_with_tests))
    return {"rules": rules}


def _tested(uris: tuple[str, ...] | None, workspace: Workspace) -> Iterator[RuleWithTests]:
    texts = open_texts(workspace)
    if uris is not None:
        paths = [path_of(uri) for uri in uris if is_file(uri)]
        file_paths: Iterable[Path] = [Path(path) for path in paths if can_be_a_path(path) and Path(path).is_file()]
    else:
        file_paths = _rules_of_workspace(workspace, texts)
    for rule in rules_with_tests(file_paths, texts):
        if rule.cases or rule.file is not None:
            yield rule


def _rules_of_workspace(workspace: Workspace, texts: OpenTexts) -> list[Path]:
    found: dict[Path, None] = {}
    for folder in workspace.folders:
        place = AgentEnvironment(Path(folder), Path.home(), os.environ)
        rules = rules_at(place, configuration_of(Path(folder)).rule_folders, texts)
        # Rules of the user are outside of the workspace folder, and tested in their own folder.
        found.update((rule.found.path, None) for rule in rules.loaded if rule.found.path.is_relative_to(folder))
        # Rules of the packages of a repository are below its folder.
        found.update((Path(path), None) for path in rule_files(folder, workspace.rule_folders))
        found.update((Path(path), None) for path in test_files_without_rule(folder, workspace.rule_folders))
        # An open rule may be in a folder from which no agent reads rules, such as one of shared rules.
        opened = (path for path in map(Path, texts.texts) if path.is_relative_to(folder) and _is_rule(path))
        # The editor may still show a file that was deleted.
        found.update((path, None) for path in opened if path.is_file())
    return list(found)


def _is_rule(path: Path) -> bool:
    """Returns whether a file may be a rule, or is a test file that has one."""
    return rule_file_of(path) is not None if is_case_file(path.name) else path.name.endswith(RULE_SUFFIXES)


def _rule_json(rule_with_tests: RuleWithTests, encoding: Encoding, search: AstSearch | None) -> dict[str, Any]:
    file = rule_with_tests.file
    index = None if file is None else LineIndex(file.text)
    rule = None if rule_with_tests.rule is None or search is None else RuleUnderTest(rule_with_tests.rule, search)
    examples = dict(zip(map(id, rule_with_tests.examples), rule_with_tests.example_lines, strict=True))
    cases = []
    for case in rule_with_tests.cases:
        if case.origin is CaseOrigin.FILE and file is not None and index is not None:
            place = {"uri": file_uri(str(file.path)), "range": _range(index, case.span, encoding)}
        else:
            place = {"uri": file_uri(str(rule_with_tests.path)), "range": _line(examples.get(id(case), 0))}
        result = None if rule is None else rule.run(case)
        cases.append({**_case_json(case), **place, **({} if result is None else _result_json(result, rule, search))})
    problems = [] if file is None or index is None else file.read.problems
    return {
        "name": rule_with_tests.name,
        "uri": None if rule_with_tests.path is None else file_uri(str(rule_with_tests.path)),
        "testUri": None if file is None else file_uri(str(file.path)),
        "reason": None if rule_with_tests.reason is None else message_text(rule_with_tests.reason),
        "cases": cases,
        "problems": [
            {"message": message_text(problem.message), "range": _range(index, problem.span, encoding)}
            for problem in problems
            if index is not None
        ],
    }


def _case_json(case: RuleTestCase) -> dict[str, Any]:
    return {
        "id": f"{case.origin} {case.kind} {case.number}",
        "label": message_text(case.label),
        "title": message_text(case.title),
        "kind": str(case.kind),
        "text": case.text,
    }


def _result_json(result: CaseResult, rule: RuleUnderTest | None, search: AstSearch | None) -> dict[str, Any]:
    message = None
    if result.status is CaseStatus.UNDECIDED:
        message = _UNDECIDED
    elif result.status is CaseStatus.FAILED:
        message = failure_message(result)
        if result.trigger is None and rule is not None:
            (outcome,) = run_trial([rule.rule], result.case.text, result.context, ast_search=search).outcomes
            message = f"The rule must fire on this text, but is silent: {', and '.join(outcome.obstacles)}."
    return {
        "status": str(result.status),
        "message": None if message is None else message_text(message),
        "expected": result.case.expected.as_json(),
        "actual": {"fires": result.trigger is not None, **result.actual.as_json()},
    }


def _range(index: LineIndex, span: Span, encoding: Encoding) -> dict[str, Any]:
    start, end = index.position(span.start, encoding), index.position(span.end, encoding)
    return {"start": _position(start), "end": _position(end)}


def _line(line: int) -> dict[str, Any]:
    return {"start": _position(Position(line, 0)), "end": _position(Position(line, 0))}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}
