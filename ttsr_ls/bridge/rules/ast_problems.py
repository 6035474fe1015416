"""Adds the problems of AST conditions to rules: those that never match."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.session.rules.rule_problems import broken_ast_conditions
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect


def with_ast_problems(rules: RulesByDialect) -> RulesByDialect:
    """Returns the rules, with AST conditions that never match among their problems.

    If a rule has AST conditions, starts a parsing process of its own, so that patterns which crash the parser do not
    count against the failures that the session's process may have.
    """
    if not any(rule.ast_conditions for rule in rules.rules):
        return rules
    with PatternShapeCache() as patterns:
        found = tuple(broken_ast_conditions(rules.rules, patterns))
    return replace(rules, problems=(*rules.problems, *found))
