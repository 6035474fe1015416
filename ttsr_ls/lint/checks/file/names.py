"""Finds rules that are never loaded because another one has their name (spec B5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from ttsr_ls.lint.context import LintContext, NamedRule
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span, first_line_span


def check_names(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports the later of two rules with one name.

    A disabled file has no name in this sense. A file without a body is not loaded and not reported, but still reserves
    its name.
    """
    if not file.fields.enabled or not registration.has_body:
        return
    winner = _first_with_name(file.name, context.load_order)
    if winner is None or winner.path == file.path:
        return
    same_folder = PurePath(winner.path).parent == PurePath(file.path).parent
    code = "duplicate-name" if same_folder else "shadowed-name"
    message = (
        f"This rule is never loaded: {winner.path} is also called '{file.name}' and comes first. "
        "Rename one of the two files."
    )
    related = (RelatedLocation("the rule that is loaded", Span(0, 0), winner.path),)
    yield report(code, message, first_line_span(file.text), related=related)


def _first_with_name(name: str, load_order: tuple[NamedRule, ...]) -> NamedRule | None:
    for rule in load_order:  # A plain loop for speed: this runs over all rules for each rule.
        if rule.name == name:
            return rule
    return None
