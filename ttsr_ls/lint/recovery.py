"""Closes what the author of a rule file has not closed yet: quotes, brackets, the frontmatter.

In a file that is being edited, something is often unclosed, and the text after it is not read as intended. The findings
of the completed file are more useful then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.lint.finding import Edit, Finding, Fix
from ttsr_ls.lint.problem_findings import findings_of_problems
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_MAX_OPEN = 8
"""How many quotes and brackets are closed in one file."""


class Insertion(Struct, frozen=True):
    """The insertion of `length` characters at `offset`."""

    offset: int
    length: int


class RecoveredFile(Struct, frozen=True):
    """A file in which everything is closed, the findings about what was open, and the insertions. `causes` are findings
    with spans in the original file.
    """

    file: RuleFile
    causes: tuple[Finding, ...]
    insertions: tuple[Insertion, ...]

    def in_original(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yields findings of the recovered file with their spans in the original one. Fixes of inserted text are left
        out.
        """
        return _before(self.insertions, findings)


def recover_file(file: RuleFile) -> RecoveredFile | None:
    """Returns the file with everything closed; None if nothing is open, or if it is unclear how to close it."""
    causes: list[Finding] = []
    insertions: list[Insertion] = []
    rule_file = file
    while len(insertions) < _MAX_OPEN:
        problem = next((problem for problem in rule_file.problems if _is_open(problem, rule_file.text)), None)
        if problem is None or problem.replacement is None:
            break
        span = problem.fix_span or problem.span
        # The finding is that of the file with the earlier insertions: closing the frontmatter alone fixes no quote.
        causes += _before(insertions, findings_of_problems((problem,), rule_file))
        text = rule_file.text[: span.start] + problem.replacement + rule_file.text[span.end :]
        insertions.append(Insertion(span.end, len(problem.replacement) - len(span)))
        rule_file = read_rule(text, name=file.name, path=file.path)
    if not insertions or any(problem.code == "frontmatter-not-recognised" for problem in rule_file.problems):
        return None
    return RecoveredFile(rule_file, tuple(causes), tuple(insertions))


def _is_open(problem: Problem, text: str) -> bool:
    """Returns whether the fix of a problem appends to the existing text."""
    if problem.replacement is None:
        return False
    if problem.code == "frontmatter-not-recognised":
        return problem.fix_span is not None
    source = text[problem.span.start : problem.span.end]
    # The fix may replace one kind of quotes by the other.
    is_longer = len(problem.replacement) > len(source)
    return problem.code == "yaml-degraded" and is_longer and problem.replacement[1:].startswith(source[1:])


def _before(insertions: Sequence[Insertion], findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yields findings with their spans as they were before the insertions."""
    for finding in findings:
        yield replace(
            finding,
            span=_span_before(insertions, finding.span),
            fixes=tuple(fixed_fix for fix in finding.fixes if (fixed_fix := _fix_before(insertions, fix)) is not None),
            related=tuple(
                replace(location, span=_span_before(insertions, location.span)) if location.path is None else location
                for location in finding.related
            ),
        )


def _fix_before(insertions: Sequence[Insertion], fix: Fix) -> Fix | None:
    edits = tuple(Edit(_span_before(insertions, edit.span), edit.text) for edit in fix.edits)
    if any(len(old.span) != len(new.span) for old, new in zip(fix.edits, edits, strict=True)):
        return None
    return replace(fix, edits=edits)


def _span_before(insertions: Sequence[Insertion], span: Span) -> Span:
    start, end = span.start, span.end
    for insertion in reversed(insertions):
        start, end = (
            max(insertion.offset, offset - insertion.length) if offset > insertion.offset else offset
            for offset in (start, end)
        )
    return Span(start, end)
