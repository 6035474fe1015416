"""Finds conditions that fail because a tool's arguments are matched as JSON text (spec M7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from msgspec.structs import replace

from ttsr_ls.esregex.analysis.backtracking.witness import find_witness
from ttsr_ls.esregex.analysis.effect.narrowing import (
    END_ANCHORS,
    START_ANCHORS,
    AlternativePath,
    anchors_in_alternatives,
    keep_path_to_anchor,
)
from ttsr_ls.esregex.analysis.graph.graph_lowering import captures_in
from ttsr_ls.esregex.analysis.graph.language import graphs_of, may_occur_in_language
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Chars,
    Group,
    Node,
    Pattern,
    Sequence,
)
from ttsr_ls.esregex.tree.widths import first_units
from ttsr_ls.lint.checks.content.json_boundaries import leading_boundaries
from ttsr_ls.lint.checks.content.json_quotes import quote_in_command
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.limits import LintLimits
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.lint.regex.json_scope import FINISHED_JSON, JSON, is_json_only, json_call
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.rule_file import RuleFile, ScopeToken
from ttsr_ls.syntax.scope.tool_names import is_known_tool

_NEVER_CODE = "never-in-json"
_BOUNDARY = "boundary-in-json"
_ANCHOR = "anchor-in-json"
_MAX_ANCHORS = 5

_UNCHANGED = re.compile(r"[ !#-\[\]-~]*")
_STEPS = 1_000
_MAX_WORK = 400_000
"""How much work the conditions of one file may take; the remaining conditions are not checked."""
_WORK_OF_UNIT = 20


def check_json_form(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports conditions, or parts of them, that match no JSON text, in rules on tools whose arguments are matched as
    JSON.
    """
    rule = registration.rule
    if rule is None or not all(_is_certain(token) for token in file.fields.scope):
        return
    if not is_json_only(rule.scope):
        yield from _missed_lines_of_commands(file, rule.scope, context.limits)
        return
    with suppress(WorkExhausted):
        conditions = conditions_to_analyse(file, context.limits)
        yield from _misfits(file, conditions, rule.scope.tools[0].tool or "tool", WorkBudget(_MAX_WORK))


def _misfits(file: RuleFile, conditions: Iterable[ConditionWithSpan], tool: str, work: WorkBudget) -> Iterator[Finding]:
    for condition in conditions:
        pattern = condition.condition.pattern
        if not _sample_is_found(pattern) and _never_in_json(pattern.root, work):
            yield report(_NEVER_CODE, _message(pattern.root, tool), condition.text.span)
            continue
        yield from _missed_branches(file, condition, tool, work)
        quote = quote_in_command(pattern.root)
        if quote is not None:
            yield _missed_quote(file, condition, quote, tool)
        yield from _missed_starts(file, condition, tool, work)
        yield from _missed_ends(file, condition, tool, work)
        boundaries = leading_boundaries(pattern.root)
        if boundaries:
            yield _missed_line(file, condition, boundaries, "At the start of a later line this is missed")


def _missed_branches(file: RuleFile, condition: ConditionWithSpan, tool: str, work: WorkBudget) -> Iterator[Finding]:
    """Reports alternatives of the whole pattern that match no JSON text. `_missed_starts` reports those that begin with
    `^`.
    """
    root = condition.condition.pattern.root
    while isinstance(root, Group | Capture):
        root = root.body
    for branch in root.branches if isinstance(root, Alternation) else ():
        pattern = replace(condition.condition.pattern, root=branch)
        if _starts_with_anchor(branch) or _sample_is_found(pattern) or not _never_in_json(branch, work):
            continue
        yield condition.report(file, _NEVER_CODE, _message(branch, tool), branch.span)


def _starts_with_anchor(node: Node) -> bool:
    first = node.items[0] if isinstance(node, Sequence) and node.items else node
    return isinstance(first, Assertion) and first.kind in START_ANCHORS


def _missed_lines_of_commands(file: RuleFile, scope: Scope, limits: LintLimits) -> Iterator[Finding]:
    """Reports boundaries that miss commands, in a rule on `bash` and on streams that are not JSON."""
    if not any(tool.tool == "bash" for tool in scope.tools):
        return
    for condition in conditions_to_analyse(file, limits):
        boundaries = leading_boundaries(condition.condition.pattern.root)
        if boundaries:
            yield _missed_line(file, condition, boundaries, "In a command, this is missed at the start of a later line")
            return  # One finding is enough, as such a rule is mainly about the other streams.


def _sample_is_found(pattern: Pattern) -> bool:
    """Returns whether a sample text that JSON leaves unchanged is found in JSON. Much cheaper than the automata."""
    text = find_witness(pattern.root)
    if text is None:
        return False
    # Variants: a class of quotes also has the single quote, and a boundary or blank may be needed at the ends.
    samples = (text, text.replace('"', "'"), f" {text} ")
    return any(
        _UNCHANGED.fullmatch(sample) is not None and _finds(pattern, f'{{"command":"{sample}"}}')
        for sample in dict.fromkeys(samples)
    )


def _is_found_as_command(pattern: Pattern, part: Node) -> bool:
    """Returns whether the pattern finds a text of `part` in a command all the same, by another alternative."""
    text = find_witness(part)
    return text is not None and _finds(pattern, json_call(text))


def _finds(pattern: Pattern, text: str) -> bool:
    try:
        return BacktrackMatcher(pattern, _STEPS).test(text)
    except MatchLimitExceeded:
        return False


def _never_in_json(root: Node, work: WorkBudget, json: Pattern | None = None) -> bool:
    """Returns whether no text of `json` is matched. The default of `json` is all arguments and their prefixes."""
    if _cannot_start_json(root):
        return True
    work.spend(_WORK_OF_UNIT * len(root.span))
    graphs = graphs_of([root, (_json() if json is None else json).root])
    return graphs is not None and bool(graphs[0].useful()) and not may_occur_in_language(graphs[0], graphs[1], work)


def _cannot_start_json(root: Node) -> bool:
    """Returns whether a match begins at the start of the text, but not with the brace with which all arguments begin.

    Much cheaper than the automata.
    """
    if not isinstance(root, Sequence) or len(root.items) < 2 or not isinstance(root.items[0], Assertion):
        return False
    units, may_be_empty = fold_tree(root, first_units)
    if root.items[0].kind is not AssertionKind.INPUT_START or may_be_empty or ord("{") in units:
        return False
    # A pattern without any match is reported as `never-matches`.
    text = find_witness(root)
    return text is not None and _finds(Pattern("", root, max(captures_in(root), default=0), ()), text)


@lru_cache(maxsize=1)
def _json() -> Pattern:
    return parse(JSON)


@lru_cache(maxsize=1)
def _finished_json() -> Pattern:
    return parse(FINISHED_JSON)


def _is_certain(token: ScopeToken) -> bool:
    """Returns whether a token certainly is what its author meant. Other findings report doubtful tokens."""
    if token.stream is None or token.tool is None:
        return token.stream is not None
    return is_known_tool(token.tool) or token.text.value.lower().startswith("tool:")


def _missed_quote(file: RuleFile, condition: ConditionWithSpan, quote: Chars, tool: str) -> Finding:
    message = (
        f'The arguments of {tool} are matched as JSON text, in which a quote within the command is `\\"`: this one '
        'only matches the quote after the whole command. Write `\\\\"`: a backslash and the quote.'
    )
    return condition.report(file, _NEVER_CODE, message, quote.span, '\\\\"')


def _message(root: Node, tool: str) -> str:
    """Returns the message about a condition, or an alternative of one, that matches no JSON text."""
    text = find_witness(root) or ""
    key = "command" if tool == "bash" else "text"
    decoded = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    form = json_call(decoded, key)
    return (
        f"The arguments of {tool} are matched as JSON text, and this condition matches nothing in it: "
        f"{code(text.replace(chr(10), '⏎'), 40)} arrives as {code(form, 80)}. {_advice(root)}"
    )


def _missed_starts(file: RuleFile, condition: ConditionWithSpan, tool: str, work: WorkBudget) -> Iterator[Finding]:
    """Reports each `^` through which no match leads, because a quote precedes the command."""
    root = condition.condition.pattern.root
    for choice in islice(anchors_in_alternatives(root, START_ANCHORS), _MAX_ANCHORS):
        anchored = keep_path_to_anchor(root, choice)
        if _is_found_as_command(condition.condition.pattern, anchored) or not _never_in_json(anchored, work):
            continue
        message = (
            f"This `^` is never reached: the arguments of {tool} are matched as JSON text, in which a quote stands "
            'before the command and `\\n` before its later lines. Write `(?:"|\\\\n)`, or `\\b`.'
        )
        yield condition.report(file, _ANCHOR, message, choice.node.span, _quote_or_line_end(choice))


def _missed_ends(file: RuleFile, condition: ConditionWithSpan, tool: str, work: WorkBudget) -> Iterator[Finding]:
    """Reports each `$` through which no match in finished arguments leads."""
    root = condition.condition.pattern.root
    for choice in islice(anchors_in_alternatives(root, END_ANCHORS, with_others=True), _MAX_ANCHORS):
        anchored = keep_path_to_anchor(root, choice)
        if not _never_in_json(anchored, work, _finished_json()) or _never_in_json(anchored, work):
            continue
        message = (
            f"This `$` is never reached in finished arguments: those of {tool} are matched as JSON text, in which a "
            'quote stands after the command and `\\n` after its other lines. Write `(?:"|\\\\n)`, or `\\b`.'
        )
        title = "Write the JSON text after the command"
        yield condition.report(file, _ANCHOR, message, choice.node.span, _quote_or_line_end(choice), title=title)


def _quote_or_line_end(choice: AlternativePath) -> str:
    return '"|\\\\n' if choice.is_whole_branch else '(?:"|\\\\n)'


def _missed_line(
    file: RuleFile, condition: ConditionWithSpan, boundaries: tuple[Assertion, ...], missed: str
) -> Finding:
    message = (
        f"{missed}: in the JSON text that is matched, a line end is a backslash and the letter n, so there is no "
        "boundary before the word. Write `(?:\\b|\\\\n)`."
    )
    edits = [condition.edit(file, boundary.span, "(?:\\b|\\\\n)") for boundary in boundaries]
    span = condition.source_span(boundaries[0].span)
    return report(_BOUNDARY, message, span, *build_fixes(_BOUNDARY, *edits))


def _advice(root: Node) -> str:
    items = root.items if isinstance(root, Sequence) else (root,)
    first = items[0] if items else None
    if isinstance(first, Assertion) and first.kind in (AssertionKind.INPUT_START, AssertionKind.LINE_START):
        return 'Write `"command":\\s*"` or similar instead of `^`, or `\\b`.'
    if any(isinstance(item, Chars) and item.units.single_unit == ord('"') for item in items):
        return 'Write `\\\\"` for each quote: a backslash and the quote.'
    return "Write `\\\\n` for a line end, `\\\\t` for a tab: a backslash and the letter."
