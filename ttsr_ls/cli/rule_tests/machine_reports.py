"""The report of rule tests for programs: one JSON document, or JUnit."""

from __future__ import annotations

from typing import Any, TextIO

from ttsr_ls.cli.formats.junit import failed_case, passed_case, print_junit_report
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.cli.rule_tests.results import ReportedCase, ReportedRule, RunReport, actual_text, expected_text
from ttsr_ls.rule_tests.case import CaseExpectation
from ttsr_ls.rule_tests.case_run import CaseStatus


def write_run_json(report: RunReport, out: TextIO) -> None:
    """Prints the report as JSON: a summary, and for each rule its cases."""
    counts = {str(status): report.count(status) for status in CaseStatus}
    document = {
        "summary": {
            "rules": len(report.rules),
            "cases": sum(len(rule.cases) for rule in report.rules),
            **counts,
            "errors": report.problems,
            "untestedRules": report.untested,
        },
        "rules": [_rule_json(rule) for rule in report.rules],
    }
    write_json(document, out, indent=2)


def _rule_json(ran: ReportedRule) -> dict[str, Any]:
    return {
        "name": ran.tested.name,
        "path": None if ran.tested.path is None else str(ran.tested.path),
        "cases": [_case_json(each) for each in ran.cases],
        "errors": [{"path": each.path, "line": each.line, "message": each.message} for each in ran.problems],
    }


def _case_json(ran: ReportedCase) -> dict[str, Any]:
    result, case = ran.result, ran.result.case
    shown: dict[str, Any] = {
        "kind": str(case.kind),
        "number": case.number,
        "name": case.name,
        "origin": str(case.origin),
        "path": ran.path,
        "line": ran.line,
        "status": str(result.status),
        "stream": {
            "source": str(result.context.source),
            "tool": result.context.tool,
            "paths": list(result.context.paths),
        },
        "expected": _expectation_json(case.expected),
        "actual": {"fires": result.trigger is not None, **_expectation_json(result.actual)},
    }
    if ran.why_silent:
        shown["actual"]["reason"] = ran.why_silent
    return shown


def _expectation_json(expectation: CaseExpectation) -> dict[str, Any]:
    expected = {"condition": expectation.condition, "offset": expectation.offset, "line": expectation.line}
    return {key: value for key, value in expected.items() if value is not None}


def write_run_junit(report: RunReport, out: TextIO) -> None:
    """Prints the report as JUnit: a test case for each case, in a class for each rule."""
    cases: list[str] = []
    failures = 0
    for rule in report.rules:
        name = rule.tested.name
        for problem in rule.problems:
            where = f"{problem.path}:{problem.line}"
            cases.append(failed_case(name, where, "error", problem.message, f"{where} {problem.message}"))
            failures += 1
        for ran in rule.cases:
            label = ran.result.case.label
            if ran.result.status is CaseStatus.PASSED:
                cases.append(passed_case(name, label))
                continue
            failures += 1
            message = f"expected: {expected_text(ran.result.case)}; actual: {actual_text(ran)}"
            text = f"{ran.path}:{ran.line}\n{ran.result.case.text}"
            cases.append(failed_case(name, label, str(ran.result.status), message, text))
    print_junit_report("ttsr-ls test", cases, failures, out)
