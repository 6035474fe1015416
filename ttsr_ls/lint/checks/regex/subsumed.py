"""Finds conditions and alternatives that are redundant because another one matches everything that they match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from ttsr_ls.esregex.analysis.backtracking.witness import find_witness
from ttsr_ls.esregex.analysis.graph.language import graphs_of, is_search_included
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.escapes import WORD_UNITS
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Backreference,
    Capture,
    CharForm,
    Chars,
    Group,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
    with_children,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.fixes.entry_edits import remove_from_list
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CONDITION = "subsumed-condition"
_ALTERNATIVE = "redundant-alternative"
_NAME = re.compile(r"\w{3,}!?")
_MIN_OF_NAME = 2
_CASES = 2
_IN_WORD = re.compile(r"\w\w")
_BLANK = UnitSet.of([(ord(" "), ord(" "))])
_MAX_COMPARED = 10
_STEPS = 1_000
_MAX_WORK = 400_000
"""How much work the comparisons in one file may take; the remaining conditions are not compared."""
_WORK_OF_UNIT = 20


def check_subsumed(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports conditions that another condition of the rule subsumes, and alternatives that another alternative
    subsumes.
    """
    conditions = list(conditions_to_analyse(file, context.limits))
    work = WorkBudget(_MAX_WORK)
    with suppress(WorkExhausted):
        yield from _redundancies(file, conditions, work)


def _redundancies(file: RuleFile, conditions: list[ConditionWithSpan], work: WorkBudget) -> Iterator[Finding]:
    if 1 < len(conditions) <= _MAX_COMPARED:
        yield from _redundant_conditions(file, conditions, work)
    for condition in conditions:
        if "|" in condition.condition.source:
            yield from _redundant_alternatives(file, condition, work)


def _redundant_conditions(file: RuleFile, conditions: list[ConditionWithSpan], work: WorkBudget) -> Iterator[Finding]:
    superfluous: dict[int, int] = {}
    exhausted: WorkExhausted | None = None
    try:
        _find_superfluous(conditions, superfluous, work)
    except WorkExhausted as error:
        exhausted = error
    for index, broader in superfluous.items():
        # A condition that makes another one superfluous has no fix until the other one is removed.
        is_last = index not in superfluous.values()
        yield _subsumed_finding(file if is_last else None, conditions[index], conditions[broader])
    if exhausted is not None:
        raise exhausted


def _find_superfluous(conditions: list[ConditionWithSpan], superfluous: dict[int, int], work: WorkBudget) -> None:
    """Adds the index of each superfluous condition, with that of the condition that covers it. Raises WorkExhausted."""
    for index, condition in enumerate(conditions):
        text = condition.condition.cached_analysis(_witness)
        if text is None:
            continue
        for other_index, other in enumerate(conditions):
            if other_index == index or other_index in superfluous or other.condition == condition.condition:
                continue
            if not _may_contain(other.condition.pattern.root, text) or not _is_specific(other):
                continue
            roots = condition.condition.pattern.root, other.condition.pattern.root
            if _is_covered(*roots, work) and not _is_within_word(
                find_witness(_with_blanks(roots[0])) or text, roots[1]
            ):
                superfluous[index] = other_index
                break


def _subsumed_finding(file: RuleFile | None, condition: ConditionWithSpan, other: ConditionWithSpan) -> Finding:
    message = (
        f"This condition adds nothing: wherever it matches, {code(other.condition.source, 60)} matches as well, and "
        "one condition is enough to fire. Remove one of the two; if both must match, combine them with "
        "`(?=[\\s\\S]*…)`."
    )
    related = (RelatedLocation("the condition that is enough", other.text.span),)
    fixes = () if file is None else remove_from_list(file, _CONDITION, "condition", condition.text.span)
    return report(_CONDITION, message, condition.text.span, *fixes, related=related)


def _redundant_alternatives(file: RuleFile, condition: ConditionWithSpan, work: WorkBudget) -> Iterator[Finding]:
    """Reports repeated alternatives, and alternatives of the whole pattern that another one covers."""
    for span, first in condition.condition.cached_items(_repeated_branches):
        yield _redundant_alternative_finding(file, condition, span, first)
    yield from _subsumed_branches(file, condition, condition.condition.cached_analysis(_comparable_branches), work)


def _witness(pattern: Pattern) -> str | None:
    return find_witness(pattern.root)


def _repeated_branches(pattern: Pattern) -> Iterator[tuple[Span, Span]]:
    """Yields the alternatives that repeat an earlier one, each with the earlier one."""
    for node in walk(pattern.root):
        if not isinstance(node, Alternation):
            continue
        seen: dict[str, Span] = {}
        for branch in node.branches:
            source = pattern.source[branch.span.start : branch.span.end]
            if source in seen:
                yield branch.span, seen[source]
            seen.setdefault(source, branch.span)


def _comparable_branches(pattern: Pattern) -> tuple[Node, ...]:
    """The alternatives of the whole pattern, if they can be compared."""
    root = pattern.root
    while isinstance(root, Group):
        root = root.body
    if not isinstance(root, Alternation) or any(isinstance(node, Backreference) for node in walk(root)):
        return ()
    if all(map(_is_literal, root.branches)):
        return ()  # An enumeration such as `\.venv/|venv/`: readers miss a name that is left out.
    return root.branches[:_MAX_COMPARED]


def _is_literal(branch: Node) -> bool:
    items = branch.items if isinstance(branch, Sequence) else (branch,)
    return all(isinstance(item, Chars) and item.form in (CharForm.LITERAL, CharForm.ESCAPE) for item in items)


def _subsumed_branches(
    file: RuleFile, condition: ConditionWithSpan, branches: tuple[Node, ...], work: WorkBudget
) -> Iterator[Finding]:
    source = condition.condition.pattern.source
    superfluous: set[int] = set()
    for index, branch in enumerate(branches):
        text = find_witness(branch)
        for other_index, other in enumerate(branches):
            if text is None or other_index == index or other_index in superfluous:
                continue
            texts = [source[node.span.start : node.span.end] for node in (branch, other)]
            # Two names are an enumeration, even if one of them contains the other: `println!|eprintln!`.
            is_list = texts[0] == texts[1] or all(_NAME.fullmatch(text) for text in texts)
            is_redundant = not is_list and _may_contain(other, text) and _is_covered(branch, other, work)
            if is_redundant and not _is_within_word(find_witness(_with_blanks(branch)) or text, other):
                superfluous.add(index)
                yield _redundant_alternative_finding(file, condition, branch.span, other.span)
                break


def _redundant_alternative_finding(file: RuleFile, condition: ConditionWithSpan, span: Span, other: Span) -> Finding:
    written = code(condition.written(other), 60)
    message = f"This alternative adds nothing: {written} matches every text that it matches. Remove it."
    source = condition.condition.pattern.source
    edit = condition.branch_removal(file, span, is_first=source[span.start - 1 : span.start] != "|")
    related = (RelatedLocation("the alternative that is enough", condition.source_span(other)),)
    fixes = build_fixes(_ALTERNATIVE, edit)
    return report(_ALTERNATIVE, message, condition.source_span(span), *fixes, related=related)


def _is_covered(narrow: Node, broad: Node, work: WorkBudget) -> bool:
    """Returns whether `broad` is found in each text in which `narrow` is found."""
    work.spend(_WORK_OF_UNIT * (len(narrow.span) + len(broad.span)))
    if _is_refuted(narrow, broad):
        return False
    graphs = graphs_of([narrow, broad])
    return graphs is not None and bool(graphs[1].useful()) and is_search_included(graphs[0], graphs[1], work)


def _is_refuted(narrow: Node, broad: Node) -> bool:
    """Returns whether a sample text shows that `broad` does not cover `narrow`. Much cheaper than automata."""
    text = find_witness(narrow)
    try:
        return text is not None and _matcher(narrow).test(text) and not _matcher(broad).test(text)
    except MatchLimitExceeded:
        return False


def _is_within_word(text: str, broad: Node) -> bool:
    """Returns whether the match of `broad` begins within a word, as that of `npm install` in `pnpm install`: authors
    list both on purpose.
    """
    if not isinstance(broad, Sequence) or not all(_is_letter(item) for item in broad.items[:_MIN_OF_NAME]):
        return False
    try:
        span = _matcher(broad).search(text)
    except MatchLimitExceeded:
        return False
    return span is not None and 0 < span.start < len(text) and _IN_WORD.match(text, span.start - 1) is not None


def _with_blanks(root: Node) -> Node:
    """Returns the tree with a blank in place of each optional repeat that matches blanks, as in `julia.*Pkg`."""

    def combine(node: Node, children: tuple[Node, ...]) -> Node:
        match node:
            case Repeat(minimum=0, body=Chars() as body) if ord(" ") in body.units:
                return replace(body, units=_BLANK)
            case _:
                return with_children(node, children)

    return fold_tree(root, combine)


def _is_letter(node: Node) -> bool:
    """Returns whether a node matches one letter, in one or both of its cases."""
    return isinstance(node, Chars) and node.units.size <= _CASES and not node.units - WORD_UNITS


def _matcher(root: Node) -> BacktrackMatcher:
    captures = [node.index for node in walk(root) if isinstance(node, Capture)]
    return BacktrackMatcher(Pattern("", root, max(captures, default=0), ()), _STEPS)


def _is_specific(condition: ConditionWithSpan) -> bool:
    return condition.condition.cached_analysis(pattern_breadth) is PatternBreadth.SOME


def _may_contain(root: Node, text: str) -> bool:
    """Returns whether `text` has each character that `root` requires. A cheap filter before the automata."""
    node = root
    while isinstance(node, Group):
        node = node.body
    items = node.items if isinstance(node, Sequence) else (node,)
    return all(any(ord(unit) in item.units for unit in text) for item in items if isinstance(item, Chars))
