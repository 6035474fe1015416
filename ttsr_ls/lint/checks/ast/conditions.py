"""Imports and runs the checks of AST conditions if a rule has any."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile


def check_ast_conditions(file: RuleFile, registration: Registration, context: LintContext) -> Iterable[Finding]:
    """Reports what `check_ast_patterns` does."""
    if not file.fields.ast_conditions:
        return ()
    # Imported lazily: few rules have such conditions, and importing this takes as long as checking one.
    from ttsr_ls.lint.checks.ast.patterns import check_ast_patterns

    return check_ast_patterns(file, registration, context)
