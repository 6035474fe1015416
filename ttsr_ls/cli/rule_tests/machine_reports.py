"""The report of rule tests for programs: one JSON document, or JUnit."""

from __future__ import annotations

from typing import Any, TextIO

from ttsr_ls.cli.formats.junit import failed_case, passed_case, print_junit_report
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.cli.rule_tests.results import ReportedCase, ReportedRule, RunReport, actual_text, expected_text
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


def _rule_json(rule: ReportedRule) -> dict[str, Any]:
    return {
        "name": rule.tested.name,
        "path": None if rule.tested.path is None else str(rule.tested.path),
        "cases": [_case_json(case) for case in rule.cases],
        "errors": [
            {"path": problem.path, "line": problem.line, "message": problem.message} for problem in rule.problems
        ],
    }


def _case_json(reported_case: ReportedCase) -> dict[str, Any]:
    result, case = reported_case.result, reported_case.result.case
    fields: dict[str, Any] = {
        "kind": str(case.kind),
        "number": case.number,
        "name": case.name,
        "origin": str(case.origin),
        "path": reported_case.path,
        "line": reported_case.line,
        "status": str(result.status),
        "stream": {
            "source": str(result.context.source),
            "tool": result.context.tool,
            "paths": list(result.context.paths),
        },
        "expected": case.expected.as_json(),
        "actual": {"fires": result.trigger is not None, **result.actual.as_json()},
    }
    if reported_case.why_silent:
        fields["actual"]["reason"] = reported_case.why_silent
    return fields


def write_run_junit(report: RunReport, out: TextIO) -> None:
    """Prints the report as JUnit: a test case for each case, in a class for each rule."""
    cases: list[str] = []
    failures = 0
    for rule in report.rules:
        name = rule.tested.name
        for problem in rule.problems:
            place = f"{problem.path}:{problem.line}"
            cases.append(failed_case(name, place, "error", problem.message, f"{place} {problem.message}"))
            failures += 1
        for case in rule.cases:
            label = case.result.case.label
            if case.result.status is CaseStatus.PASSED:
                cases.append(passed_case(name, label))
                continue
            failures += 1
            message = f"expected: {expected_text(case.result.case)}; actual: {actual_text(case)}"
            text = f"{case.path}:{case.line}\n{case.result.case.text}"
            cases.append(failed_case(name, label, str(case.result.status), message, text))
    print_junit_report("ttsr-ls test", cases, failures, out)
