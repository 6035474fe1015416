"""The report of rule tests as text: a mark for each case as it ends, the failures, and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import is_quiet, write_line
from ttsr_ls.cli.printing.snippet import code_excerpt
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, palette_for
from ttsr_ls.cli.rule_tests.results import ReportedCase, ReportedRule, RunReport, actual_text, expected_text
from ttsr_ls.ide.trial.editor_trial import stream_text
from ttsr_ls.rule_tests.case_run import CaseStatus
from ttsr_ls.text import LineIndex, Span, truncate

_MARKS = {CaseStatus.PASSED: ".", CaseStatus.FAILED: "F", CaseStatus.UNDECIDED: "?"}
_STYLES = {
    CaseStatus.PASSED: TextStyle.GOOD,
    CaseStatus.FAILED: TextStyle.ERROR,
    CaseStatus.UNDECIDED: TextStyle.WARNING,
}
_MAX_LINES = 6
_MAX_LINE_LENGTH = 100


class RunTextReport:
    """Prints a run as it goes."""

    __slots__ = ("_out", "_palette")

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._palette = palette_for(out)

    def rule(self, reported_rule: ReportedRule) -> None:
        """Prints the line of a rule."""
        if is_quiet():
            return
        marks = "".join(
            self._palette.paint(_MARKS[case.result.status], _STYLES[case.result.status]) for case in reported_rule.cases
        )
        broken = self._palette.paint("E" * len(reported_rule.problems), TextStyle.ERROR)
        write_line(f"{one_line(reported_rule.path)} {marks}{broken}", self._out, flush=True)

    def end(self, report: RunReport) -> None:
        """Prints the failures and the summary."""
        for rule in report.rules:
            for problem in rule.problems:
                place = f"{one_line(problem.path)}:{problem.line}"
                write_line(
                    f"\n{self._palette.paint('ERROR', TextStyle.ERROR)} {place}\n  {one_line(problem.message)}",
                    self._out,
                )
            for case in rule.cases:
                if case.result.status is not CaseStatus.PASSED:
                    write_line("\n" + "\n".join(self._failure(case)), self._out)
        if not is_quiet():
            write_line(f"\n{summary(report)}", self._out)

    def _failure(self, case: ReportedCase) -> Iterator[str]:
        result = case.result
        head = self._palette.paint("FAIL" if result.status is CaseStatus.FAILED else "OPEN", _STYLES[result.status])
        yield f"{head} {one_line(case.path)}:{case.line}  {one_line(result.case.label)}"
        yield self._palette.paint(f"  {one_line(stream_text(result.context))}", TextStyle.FAINT)
        text = "".join(result.case.deltas)
        if result.trigger is not None:
            # The rule may have matched the text in the form of a call's arguments, which is longer.
            span = Span(min(result.trigger.start, len(text)), min(result.trigger.end, len(text)))
            line, carets = code_excerpt(LineIndex(text), span)
            yield from (line, self._palette.paint(carets, TextStyle.ERROR))
        else:
            yield from _beginning(text)
        yield self._palette.paint(f"  - {one_line(expected_text(result.case))}", TextStyle.GOOD)
        yield self._palette.paint(f"  + {one_line(actual_text(case))}", TextStyle.ERROR)


def summary(report: RunReport) -> str:
    """The counts in one line."""
    total = sum(len(rule.cases) for rule in report.rules)
    counts = [(CaseStatus.PASSED, "passed"), (CaseStatus.FAILED, "failed"), (CaseStatus.UNDECIDED, "not decided")]
    parts = [f"{number} {word}" for status, word in counts if (number := report.count(status)) or word == "passed"]
    parts += [count(report.problems, "error")] if report.problems else []
    untested = f" {count(report.untested, 'rule')} without tests." if report.untested else ""
    return f"{count(total, 'case')} of {count(len(report.rules), 'rule')}: {', '.join(parts)}.{untested}"


def _beginning(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines[:_MAX_LINES], 1):
        if line.strip() or number < len(lines):
            yield f"{number:>5} | {one_line(truncate(line, _MAX_LINE_LENGTH))}".rstrip()
    if len(lines) > _MAX_LINES:
        yield "      | …"
