"""Turns the problems that the reader and the registration met into findings with severities and fixes."""

from __future__ import annotations

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import RuleFile


def finding_of_problem(problem: Problem, file: RuleFile) -> Finding:
    """The finding that reports a problem."""
    entry = entry_of(problem.code)
    fixes: tuple[Fix, ...] = ()
    if problem.replacement is not None:
        fixes = (Fix(entry.fix_title, (Edit(problem.span, problem.replacement),), Safety.SAFE),)
    return Finding(problem.code, entry.severity, problem.message, problem.span, fixes)
