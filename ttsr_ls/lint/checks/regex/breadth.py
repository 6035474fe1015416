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
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, RelatedLocation, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import Fields, RuleFile, ScopeToken

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
    broad = [(condition, languages) for condition, languages in found if languages is not PatternBreadth.SOME]
    suggestion = [condition for condition, _ in broad if _is_narrowed(file.fields) and _is_meant(condition)]
    for condition, languages in broad:
        if condition not in suggestion:
            # Beside one that matches everything on purpose, it would be superfluous without its empty alternative.
            message, fixes = _message(condition, languages), () if suggestion else _fixes(file, condition)
            yield Finding(_CODE, entry_of(_CODE).severity, message, condition.text.span, fixes)
    if suggestion:
        yield from (_superfluous(other, suggestion[0]) for other, reach_of in found if reach_of is PatternBreadth.SOME)


def _fixes(file: RuleFile, condition: ConditionWithSpan) -> tuple[Fix, ...]:
    """Without the empty ones of the alternatives that a pattern is made of, where that leaves a pattern that is not
    as broad."""
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
    made = tuple(edit for edit in edits if edit is not None)
    title = "Remove the empty alternative" if len(removed) == 1 else "Remove the empty alternatives"
    return (Fix(title, made, entry_of(_CODE).fix_safety),) if len(made) == len(removed) else ()


def _is_meant(condition: ConditionWithSpan) -> bool:
    """Returns whether a condition that matches everything is of a form that nobody writes by accident.

    With a scope on files it says "whenever such a file is written", and with one on a tool "whenever it is called".
    """
    return condition.is_shorthand or fold_tree(condition.condition.pattern.root, _is_anything)


def _is_anything(node: Node, child_results: tuple[bool, ...]) -> bool:
    """Returns whether a node is made of nothing but any characters and the ends of a text."""
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
    return Finding(_SUPERFLUOUS, Severity.WARNING, message, condition.text.span, (), related)


def _message(condition: ConditionWithSpan, languages: PatternBreadth) -> str:
    if condition.is_shorthand:
        return (
            "The file glob leaves no condition of its own, so the rule gets `.*`, and its scope also admits streams "
            "that have no file: the rule fires on all of them, with their first word. Remove the other scope tokens, "
            "or give the rule a regular expression."
        )
    return (
        f"{_consequence(languages)} Require a specific text, and remove the part that makes the whole pattern optional."
    )


def _consequence(languages: PatternBreadth) -> str:
    match languages:
        case PatternBreadth.EVERY_TEXT:
            return "This condition matches every text, even the empty one, so the rule fires on every output."
        case PatternBreadth.EVERY_CHARACTER:
            return "This condition matches any character, so the rule fires on every output."
        case PatternBreadth.SOME:
            return ""
    assert_never(languages)


def _is_narrowed(fields: Fields) -> bool:
    """Returns whether the scope alone says which calls are meant: those with certain files, or of certain tools."""
    return bool(fields.globs) or (bool(fields.scope) and all(_names_tool_or_path(token) for token in fields.scope))


def _names_tool_or_path(token: ScopeToken) -> bool:
    return token.stream is None or token.glob is not None or token.tool is not None
