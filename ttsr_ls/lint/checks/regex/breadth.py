"""Finds conditions that match everything (spec R6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, RelatedLocation, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import Fields, RuleFile

_CODE = "matches-everything"
_SUPERFLUOUS = "subsumed-condition"


def check_breadth(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each condition that matches every text.

    In a rule with a question, a condition alone fires nothing: it only selects what the judge is asked about (spec J1).
    """
    if file.fields.question is not None:
        return
    found = [
        (condition, condition.condition.cached_analysis(pattern_breadth))
        for condition in conditions_with_spans(file, context.limits)
    ]
    broad = [(condition, breadth) for condition, breadth in found if breadth is not PatternBreadth.SOME]
    intended = [condition for condition, _ in broad if _is_narrowed(file.fields) and _is_meant(condition)]
    for condition, breadth in broad:
        if condition not in intended:
            # Beside a condition that matches everything on purpose, the fixed condition would be superfluous.
            fixes = () if intended else _fixes(file, condition)
            yield report(_CODE, _message(condition, breadth), condition.text.span, *fixes)
    if intended:
        yield from (_superfluous(other, intended[0]) for other, breadth in found if breadth is PatternBreadth.SOME)


def _fixes(file: RuleFile, condition: ConditionWithSpan) -> tuple[Fix, ...]:
    """Returns the fix that removes the empty alternatives, if the rest of the pattern does not match every text."""
    pattern = condition.condition.pattern
    root = pattern.root
    while isinstance(root, Capture | Group):
        root = root.body
    if condition.is_shorthand or not isinstance(root, Alternation):
        return ()
    kept = tuple(branch for branch in root.branches if len(branch.span))
    removed = [branch.span for branch in root.branches if not len(branch.span)]
    if not kept or not removed:
        return ()
    rest = kept[0] if len(kept) == 1 else replace(root, branches=kept)
    if pattern_breadth(replace(pattern, root=rest)) is not PatternBreadth.SOME:
        return ()
    first = kept[0].span.start
    edits = [condition.branch_removal(file, span, is_first=span.start < first) for span in removed]
    title = "Remove the empty alternative" if len(removed) == 1 else "Remove the empty alternatives"
    return build_fixes(_CODE, *edits, title=title)


def _is_meant(condition: ConditionWithSpan) -> bool:
    """Returns whether a condition that matches everything is of a form that nobody writes by accident.

    With a scope on files, it means "whenever such a file is written", with a scope on a tool, "whenever it is called".
    """
    return condition.is_shorthand or fold_tree(condition.condition.pattern.root, _is_anything)


def _is_anything(node: Node, child_results: tuple[bool, ...]) -> bool:
    """Returns whether a node consists only of `.`, its repeats, and anchors."""
    match node:
        case Chars():
            return not EVERY_UNIT - LINE_TERMINATORS - node.units
        case Assertion():
            return node.kind not in (AssertionKind.WORD_BOUNDARY, AssertionKind.NOT_WORD_BOUNDARY)
        case Capture() | Group() | Repeat():
            return child_results[0]
        case Sequence():
            return bool(child_results) and all(child_results)
        case Alternation():
            return any(child_results) and all(isinstance(branch, Chars) for branch in node.branches)
        case Look() | Backreference():
            return False
    assert_never(node)


def _superfluous(condition: ConditionWithSpan, broad: ConditionWithSpan) -> Finding:
    message = (
        f"This condition adds nothing: {code(broad.condition.source, 60)} matches every text, and one condition is "
        "enough to fire. Remove one of the two."
    )
    related = (RelatedLocation("the condition that is enough", broad.text.span),)
    return report(_SUPERFLUOUS, message, condition.text.span, severity=Severity.WARNING, related=related)


def _message(condition: ConditionWithSpan, breadth: PatternBreadth) -> str:
    if condition.is_shorthand:
        return (
            "The file glob leaves no condition of its own, so the rule gets `.*`, and its scope also admits streams "
            "that have no file: the rule fires on all of them, with their first word. Remove the other scope tokens, "
            "or give the rule a regular expression."
        )
    return (
        f"{_consequence(breadth)} Require a specific text, and remove the part that makes the whole pattern optional."
    )


def _consequence(breadth: PatternBreadth) -> str:
    match breadth:
        case PatternBreadth.EVERY_TEXT:
            return "This condition matches every text, even the empty one, so the rule fires on every output."
        case PatternBreadth.EVERY_CHARACTER:
            return "This condition matches any character, so the rule fires on every output."
        case PatternBreadth.SOME:
            return ""
    assert_never(breadth)


def _is_narrowed(fields: Fields) -> bool:
    """Returns whether `globs`, or every token of the scope, limits the rule to certain files or tools."""
    tokens = fields.scope
    return bool(fields.globs) or (
        bool(tokens) and all(token.stream is None or token.glob or token.tool is not None for token in tokens)
    )
