"""The results of a run of rule tests, independent of the output format."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ttsr_ls.ide.trial.rule_trial import run_trial
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.rule_tests.case import CaseKind, CaseOrigin, CaseProblem, RuleTestCase
from ttsr_ls.rule_tests.case_run import CaseResult, CaseStatus, RuleUnderTest
from ttsr_ls.store.rule_test_files import RuleWithTests
from ttsr_ls.text import Encoding, LineIndex

_GLOB = re.compile(r"[*?\[]")


class ReportedCase(Struct, frozen=True):
    """The result of a test case at `line` (from 1) of the file `path`. `why_silent` says why no rule fired."""

    result: CaseResult
    path: str
    line: int
    why_silent: str = ""


class PlacedProblem(Struct, frozen=True):
    """A reason why tests cannot be run, with the file and the line, counted from 1, that it is about."""

    path: str
    line: int
    message: str


class ReportedRule(Struct, frozen=True):
    """The tests of one rule, with the problems of its test file."""

    tested: RuleWithTests
    cases: tuple[ReportedCase, ...]
    problems: tuple[PlacedProblem, ...]

    @property
    def path(self) -> str:
        """The file to name in reports: of the rule, else of its tests."""
        file = self.tested.file
        return str(self.tested.path if self.tested.path is not None or file is None else file.path)


class RunReport(Struct, frozen=True):
    """All rules that have tests, and how many rules have none."""

    rules: tuple[ReportedRule, ...]
    untested: int

    def count(self, status: CaseStatus) -> int:
        """Returns the number of cases with this result."""
        return sum(case.result.status is status for rule in self.rules for case in rule.cases)

    @property
    def problems(self) -> int:
        """The number of problems that kept tests from running."""
        return sum(len(rule.problems) for rule in self.rules)

    @property
    def passed(self) -> bool:
        """True if every case passed, and all could be run."""
        return not self.problems and self.count(CaseStatus.PASSED) == sum(len(rule.cases) for rule in self.rules)


def run_rules(rules: Iterable[RuleWithTests], search: AstSearch, choice: str | None) -> Iterator[ReportedRule]:
    """Runs the tests of rules, one rule after the other; those that have none are left out."""
    for rule in rules:
        problems = tuple(_problems(rule))
        cases = () if rule.rule is None else tuple(_ran(rule, RuleUnderTest(rule.rule, search), search, choice))
        if cases or (problems and _can_choose(rule, choice)):
            yield ReportedRule(rule, cases, problems)


def has_tests(rule: RuleWithTests) -> bool:
    """Returns whether a rule has any tests, be they right or not."""
    return rule.file is not None or bool(rule.examples)


def _ran(
    rule_with_tests: RuleWithTests, rule: RuleUnderTest, search: AstSearch, choice: str | None
) -> Iterator[ReportedCase]:
    index = None if rule_with_tests.file is None else LineIndex(rule_with_tests.file.text)
    examples = dict(zip(map(id, rule_with_tests.examples), rule_with_tests.example_lines, strict=True))
    for case in rule_with_tests.cases:
        if choice is not None and not _is_chosen(rule_with_tests.name, case, choice):
            continue
        if case.origin is CaseOrigin.FILE and rule_with_tests.file is not None and index is not None:
            path, line = str(rule_with_tests.file.path), index.position(case.span.start, Encoding.UTF32).line
        else:
            path, line = str(rule_with_tests.path), examples.get(id(case), 0)
        result = rule.run(case)
        reason = _why_silent(result, rule, search) if _needs_reason(result) else ""
        yield ReportedCase(result, path, line + 1, reason)


def _needs_reason(result: CaseResult) -> bool:
    return result.status is CaseStatus.FAILED and result.trigger is None


def _why_silent(result: CaseResult, rule: RuleUnderTest, search: AstSearch) -> str:
    (outcome,) = run_trial([rule.rule], result.case.text, result.context, ast_search=search).outcomes
    return ", and ".join(outcome.obstacles)


def _can_choose(rule: RuleWithTests, choice: str | None) -> bool:
    """Returns whether a filter chooses tests of a rule that may not run, or could if they could be read."""
    if choice is None or _fits([rule.name.lower()], choice):
        return True
    return any(_is_chosen(rule.name, case, choice) for case in rule.cases)


def _is_chosen(name: str, case: RuleTestCase, choice: str) -> bool:
    """Returns whether a filter, a glob or a part of the text, fits the name of the rule or of the case."""
    return _fits([name.lower(), f"{name}: {case.label}".lower()], choice)


def _fits(texts: Sequence[str], choice: str) -> bool:
    wanted = choice.lower()
    if _GLOB.search(wanted):
        return any(fnmatch.fnmatchcase(text, wanted) for text in texts)
    return any(wanted in text for text in texts)


def _problems(rule: RuleWithTests) -> Iterator[PlacedProblem]:
    file = rule.file
    if file is not None:
        index = LineIndex(file.text)
        for problem in file.read.problems:
            yield _placed(str(file.path), index, problem)
    if rule.reason is not None and (file is not None or rule.path is None):
        path = file.path if file is not None else rule.path
        yield PlacedProblem(str(path), 1, f"The tests are not run: {rule.reason}.")


def _placed(path: str, index: LineIndex, problem: CaseProblem) -> PlacedProblem:
    return PlacedProblem(path, index.position(problem.span.start, Encoding.UTF32).line + 1, problem.message)


def expected_text(case: RuleTestCase) -> str:
    """The expectation of a case, on one line."""
    if case.kind is CaseKind.VALID:
        return "silent"
    expectation = case.expected
    parts = [f"by {expectation.condition}"] if expectation.condition is not None else []
    parts += [f"at offset {expectation.offset}"] if expectation.offset is not None else []
    parts += [f"in line {expectation.line}"] if expectation.line is not None else []
    return " ".join(("fires", *parts))


def actual_text(case: ReportedCase) -> str:
    """The actual result of a case, on one line."""
    result = case.result
    if result.trigger is None:
        if result.status is CaseStatus.UNDECIDED:
            return "not decided: a condition takes too long, or cannot be evaluated here"
        return f"silent: {case.why_silent}"
    actual, expectation = result.actual, result.case.expected
    is_open = (expectation.condition, expectation.offset, expectation.line) == (None, None, None)
    parts = [f"by {actual.condition}"] if is_open or expectation.condition is not None else []
    parts += [f"at offset {actual.offset}"] if is_open or expectation.offset is not None else []
    parts += [f"in line {actual.line}"] if is_open or expectation.line is not None else []
    return " ".join(("fires", *parts))
