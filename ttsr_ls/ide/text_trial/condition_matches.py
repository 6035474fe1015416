"""Finds all matches of a rule's conditions in a text, with their captured groups, within limits."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.esregex.tree.pattern_size import is_too_large
from ttsr_ls.esregex.tree.units import code_point_span, to_units
from ttsr_ls.matching.ast.languages import GRAMMARS, language_of
from ttsr_ls.matching.ast.search import AstFailure, AstMatchesSearch
from ttsr_ls.matching.monitor.match_spans import matches_from
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.text import Span

MAX_SHOWN = 500
"""The most matches of one condition: an editor marks each of them."""
MAX_STEPS = 400_000
"""The steps of all searches of one request: together with the search for firings, they take less than a second."""
_CAPTURE_STEPS = 20_000
_MAX_CAPTURED = 100
"""The most matches of a condition whose groups are looked up."""
_MAX_GROUPS = 1_000
"""The most groups of a condition that are looked up; those of the first match always are."""
_ONLY_TOOLS = "only what a tool writes is parsed"


class CapturedGroup(Struct, frozen=True):
    """A group that took part in a match: its number from 1, and its name if it has one."""

    number: int
    name: str | None
    span: Span


class ConditionMatch(Struct, frozen=True):
    """A match of the condition with this index in `Rule.condition_texts`, in code points of the text."""

    condition: int
    span: Span
    groups: tuple[CapturedGroup, ...] = ()


class ConditionMatches(Struct, frozen=True):
    """The matches of all conditions of a rule, in order of the text.

    `slow` are the conditions whose search took too many steps, `incomplete` those with more matches than were searched.
    `unparsed` is the reason why AST conditions were not evaluated, None if they were.
    """

    found: tuple[ConditionMatch, ...]
    slow: tuple[int, ...] = ()
    incomplete: tuple[int, ...] = ()
    unparsed: str | None = None

    @property
    def matched(self) -> tuple[int, ...]:
        """The conditions that match."""
        return tuple(sorted({match.condition for match in self.found}))


def find_condition_matches(
    rule: Rule,
    text: str,
    context: StreamContext,
    search: AstMatchesSearch,
    budget: StepBudget,
    undecided: Container[int] = (),
) -> ConditionMatches:
    """Finds the matches of a rule in a text, in its scope or not. The searches take their steps from `budget`.

    The conditions with the indexes `undecided` took too long when the text was streamed: they are not searched again.
    """
    units = to_units(text)
    matches: list[ConditionMatch] = []
    slow: list[int] = []
    incomplete: list[int] = []
    for index, condition in enumerate(rule.conditions):
        if index in undecided:
            slow.append(index)
            continue
        matcher = condition.matcher.with_budget(budget)
        try:
            first = matcher.search(units)
        except MatchLimitExceeded:
            slow.append(index)
            continue
        if first is None:
            continue
        places = matches_from(first, matcher, units, MAX_SHOWN)
        if not places.is_complete:
            incomplete.append(index)
        matches += _match_with_groups(index, condition, places.spans, text, units)
    unparsed = _find_nodes(rule, text, context, search, matches, slow, incomplete)
    matches.sort(key=lambda match: (match.span, match.condition))
    return ConditionMatches(tuple(matches), tuple(slow), tuple(incomplete), unparsed)


def _find_nodes(
    rule: Rule,
    text: str,
    context: StreamContext,
    search: AstMatchesSearch,
    matches: list[ConditionMatch],
    slow: list[int],
    incomplete: list[int],
) -> str | None:
    if not rule.ast_conditions:
        return None
    if context.source is not Source.TOOL:
        return _ONLY_TOOLS
    language = language_of(context.paths)
    if language not in GRAMMARS:
        return str(language)
    answers = search.search_all(text, language, rule.ast_conditions, MAX_SHOWN + 1)
    for index, answer in enumerate(answers, len(rule.conditions)):
        if isinstance(answer, AstFailure):
            if answer is AstFailure.PATTERN:
                slow.append(index)
            continue
        if len(answer) > MAX_SHOWN:
            incomplete.append(index)
        matches += [ConditionMatch(index, span) for span in answer[:MAX_SHOWN]]
    return next((str(answer) for answer in answers if isinstance(answer, AstFailure)), None)


def _match_with_groups(
    index: int, condition: Condition, spans: tuple[Span, ...], text: str, units: str
) -> list[ConditionMatch]:
    pattern = condition.pattern
    has_groups = pattern.capture_count > 0 and not is_too_large(pattern)
    matcher = BacktrackMatcher.recording_captures(pattern, _CAPTURE_STEPS) if has_groups else None
    names = {number: name for name, number in pattern.capture_names}
    matches = []
    for number, span in enumerate(spans):
        groups: tuple[CapturedGroup, ...] = ()
        if matcher is not None and number < _MAX_CAPTURED and number * pattern.capture_count < _MAX_GROUPS:
            groups = tuple(
                CapturedGroup(group, names.get(group), code_point_span(text, captured))
                for group, captured in enumerate(_captures(matcher, units, span.start), 1)
                if captured is not None
            )
        matches.append(ConditionMatch(index, code_point_span(text, span), groups))
    return matches


def _captures(matcher: BacktrackMatcher, units: str, start: int) -> tuple[Span | None, ...]:
    try:
        return matcher.captures(units, start)
    except MatchLimitExceeded:
        return ()
