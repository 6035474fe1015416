"""Finds the rules that fire on a file, treated as written by a tool (spec Q2).

Owns the evaluation order for each file; the caller supplies the files. Optimised for many files: most rules do not
apply to most files, and most conditions require a text that is absent.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.tree.required_text import required_text
from ttsr_ls.esregex.tree.units import code_point_span, to_units
from ttsr_ls.matching.ast.languages import GRAMMARS, language_of
from ttsr_ls.matching.ast.search import AstBatch, AstFailure, AstMatches
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.monitor.match_spans import MAX_MATCHES, NO_MATCHES, MatchSpans, matches_from
from ttsr_ls.matching.monitor.scan_budget import MIN_STEPS, ScanBudget
from ttsr_ls.matching.required_texts import RequiredTexts
from ttsr_ls.matching.rule_file_filter import RuleFileFilter
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.search_limits import OFFLINE, SearchLimits
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.text import Span, from_first_visible_line

_MAX_PLANS = 500
_STEPS_A_RULE = 200_000
"""The steps that all searches for one rule may take in a file, beside one for each unit of its text. Halved after each
file for which they did not suffice."""
_MIN_STEPS_A_RULE = 4_000
_MAX_SLOW_FILES = 3
"""A condition that took too long on this many files is not searched for in later ones."""
_FIRST_FILES = SearchLimits(
    delta=300_000, share=150_000, search=150_000, end=300_000, end_share=150_000, preparation=OFFLINE.preparation
)
"""The limits for matching a condition with an automaton, until they do not suffice for a file: a sixth of a second."""
_AFTER_SLOW_FILE = SearchLimits(
    delta=100_000, share=50_000, search=50_000, end=100_000, end_share=50_000, preparation=OFFLINE.preparation
)
"""The limits after such a file."""


class MatchLocation(Struct, frozen=True):
    """A match of a rule, in code points of the text, from its first visible line on.

    `condition` is an index into `Rule.condition_texts`.
    """

    span: Span
    condition: int


class FileRuleMatch(Struct, frozen=True):
    """A rule that fires on a file: the matching conditions, as indexes into `Rule.condition_texts`, and their matches.

    `locations`, at least one, are in text order. Of several conditions that match from the same position on, only the
    first has an entry. There may be more matches if `is_complete` is False.
    """

    rule: Rule
    conditions: tuple[int, ...]
    locations: tuple[MatchLocation, ...]
    is_complete: bool


class FileResult(Struct, frozen=True):
    """The result of scanning a file. `unparsed` says why AST conditions were not evaluated; None if they were."""

    matches: tuple[FileRuleMatch, ...]
    unparsed: AstFailure | None


_ExpressionMatches = dict[int, MatchSpans]
"""The matches of a rule's regular expressions, by the index of the expression, in units."""


class StartedFile(Struct, frozen=True):
    """A file whose regular expressions were evaluated, while AST searches may be pending.

    `tried` are the rules that may fire, as indexes into `FileScan.rules`.
    """

    text: str
    tried: tuple[tuple[int, _ExpressionMatches], ...]
    patterns: tuple[str, ...]
    answers: Callable[[], list[AstMatches]]


class _Plan(Struct, frozen=True):
    """Data shared by all files to which the same rules apply: the required texts of the conditions, and the rules of
    each condition.

    `with_patterns` are the rules that have AST conditions.
    """

    required: RequiredTexts
    users: dict[int, tuple[int, ...]]
    with_patterns: tuple[int, ...]


class FileScan:
    """Evaluates rules on any number of files, and records the conditions that take too long.

    `clock` returns the processor time used so far, in seconds; searches are charged for it.
    """

    def __init__(self, rules: Iterable[Rule], ast_search: AstBatch, clock: Callable[[], float]) -> None:
        self.rules = tuple(rule for rule in rules if (rule.conditions or rule.ast_conditions) and rule.question is None)
        """The rules that are tried: those that have conditions, and no question."""
        self._file_filter = RuleFileFilter(self.rules)
        self._search = ast_search
        numbers: dict[Condition, int] = {}
        self._numbers = tuple(
            tuple(numbers.setdefault(condition, len(numbers)) for condition in rule.conditions) for rule in self.rules
        )
        self._conditions = tuple(numbers)
        self._required = tuple(required_text(condition.pattern) for condition in numbers)
        self._plans: dict[tuple[int, ...], _Plan] = {}
        self._matchers: dict[int, AutomatonMatcher] = {}
        """The automata of conditions for which an ordinary search took too long once."""
        self._slow_files = [0] * len(numbers)
        self._slow_patterns: set[str] = set()
        self._steps_of_rules = [_STEPS_A_RULE] * len(self.rules)
        self._budget = ScanBudget(clock)

    @property
    def disabled_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that took too long on some file. They may match there."""
        slow = []
        for rule, numbers in zip(self.rules, self._numbers, strict=True):
            is_slow = [self._slow_files[number] > 0 for number in numbers]
            is_slow += [pattern in self._slow_patterns for pattern in rule.ast_conditions]
            slow += [DisabledCondition(rule, index) for index, yes in enumerate(is_slow) if yes]
        return tuple(slow)

    def _plan(self, rules: tuple[int, ...]) -> _Plan:
        plan = self._plans.get(rules)
        if plan is None:
            if len(self._plans) >= _MAX_PLANS:
                self._plans.clear()
            conditions = dict.fromkeys(number for rule in rules for number in self._numbers[rule])
            users: dict[int, list[int]] = {}
            for rule in rules:
                for number in self._numbers[rule]:
                    users.setdefault(number, []).append(rule)
            plan = self._plans[rules] = _Plan(
                RequiredTexts((number, self._required[number]) for number in conditions),
                {number: tuple(of_one) for number, of_one in users.items()},
                tuple(rule for rule in rules if self.rules[rule].ast_conditions),
            )
        return plan

    def set_total_length(self, length: int) -> None:
        """Sets the total length of all files, in units. To be called before the first one."""
        self._budget.set_total_length(length)

    def rules_for(self, paths: Sequence[str]) -> tuple[int, ...]:
        """Returns the rules that apply to what is written to a file, as indexes into `rules`. `paths` is its path in
        all forms.
        """
        return self._file_filter.rules_for(paths)

    def scan(self, rules: Iterable[int], text: str, paths: Sequence[str]) -> FileResult:
        """Evaluates rules, given as indexes into `rules`, on the text of a file."""
        return self.finish(self.start(rules, text, paths))

    def start(self, rules: Iterable[int], text: str, paths: Sequence[str]) -> StartedFile:
        """Evaluates the regular expressions of rules on the text of a file, and starts its AST searches."""
        units = to_units(text)
        self._budget.begin_file(len(units))
        plan = self._plan(tuple(rules))
        candidates = plan.required.candidates(text.lower())
        # The few rules that can still match, in their order.
        left = sorted({rule for number in candidates for rule in plan.users[number]}.union(plan.with_patterns))
        spans: dict[int, MatchSpans] = {}
        tried = tuple((rule, self._expression_matches(rule, units, candidates, spans)) for rule in left)
        patterns = dict.fromkeys(condition for rule in left for condition in self.rules[rule].ast_conditions)
        asked = tuple(pattern for pattern in patterns if pattern not in self._slow_patterns)
        language = language_of(paths) if asked else None
        if language not in GRAMMARS:
            return StartedFile(text, tried, (), list)
        return StartedFile(text, tried, asked, self._search.ask_all(text, language, asked, MAX_MATCHES + 1))

    def finish(self, file: StartedFile) -> FileResult:
        """Returns the result of scanning a file. Files must be finished in the order in which they were started."""
        answers = dict(zip(file.patterns, file.answers(), strict=True))
        for pattern in self._slow_patterns.intersection(answers):
            # The pattern took too long on an earlier file. This search had started before that was known.
            del answers[pattern]
        self._slow_patterns |= {item for item, answer in answers.items() if answer is AstFailure.PATTERN}
        matches = []
        for number, expressions in file.tried:
            rule = self.rules[number]
            spans = {index: _reported(file.text, locations) for index, locations in expressions.items()}
            for index, pattern in enumerate(rule.ast_conditions, len(rule.conditions)):
                answer = answers.get(pattern)
                if isinstance(answer, tuple) and answer:
                    limit = self._budget.most_matches(len(file.text))
                    spans[index] = MatchSpans(answer[:limit], len(answer) <= limit)
                    self._budget.charge_matches(len(spans[index].spans), len(file.text))
            if spans:
                matches.append(_rule_match(rule, spans))
        failures = (answer for answer in answers.values() if isinstance(answer, AstFailure))
        return FileResult(tuple(matches), next(failures, None))

    def _expression_matches(
        self, rule: int, units: str, possible: Container[int], spans: dict[int, MatchSpans]
    ) -> _ExpressionMatches:
        """Returns the matches of a rule's regular expressions. `spans` caches the matches of all conditions."""
        match_spans: _ExpressionMatches = {}
        remaining = self._steps_of_rules[rule] + len(units)
        for index, number in enumerate(self._numbers[rule]):
            if number not in possible:
                continue
            if number not in spans:
                if remaining <= 0:
                    self._slow_files[number] += 1
                    continue
                is_strict = self._budget.is_used_up
                first, steps = self._find(number, units)
                spans[number], further = (
                    (NO_MATCHES, 0) if first is None else self._matches_from(first, number, units, remaining - steps)
                )
                # While the scan has a reserve, one condition that takes long leaves most of the steps to the others.
                remaining -= steps + further if is_strict else min(steps + further, MIN_STEPS)
            if spans[number].spans:
                match_spans[index] = spans[number]
        if remaining <= 0:
            self._steps_of_rules[rule] = max(self._steps_of_rules[rule] // 2, _MIN_STEPS_A_RULE)
        return match_spans

    def _matches_from(self, first: Span, number: int, units: str, remaining: int) -> tuple[MatchSpans, int]:
        """Returns all matches of a condition, given the first one, and the steps that the search for the others took.

        `remaining` are the steps that its rule has left in this file.
        """
        budget = self._budget.for_further_matches(len(units), remaining)
        left = budget.left
        matcher = self._conditions[number].matcher.with_budget(budget)
        locations = matches_from(first, matcher, units, self._budget.most_matches(len(units)))
        steps = left - budget.left
        self._budget.charge_further_matches(steps, len(locations.spans), len(units))
        return locations, steps

    def _find(self, number: int, units: str) -> tuple[Span | None, int]:
        """Returns the first match of a condition, and the number of steps that the search took."""
        if self._slow_files[number] >= _MAX_SLOW_FILES:
            return None, MIN_STEPS
        matcher = self._matchers.get(number)
        if matcher is not None and not (self._budget.is_large and self._slow_files[number]):
            return self._find_by_automaton(number, matcher, units), MIN_STEPS
        budget = self._budget.for_first_match(len(units))
        left = budget.left
        try:
            span = self._conditions[number].matcher.with_budget(budget).search(units)
        except MatchLimitExceeded:
            # An automaton is slower on most texts, but exceeds its limits on hardly any. After a text on which it does,
            # the next file of a large scan is searched the ordinary way first.
            matcher = matcher or AutomatonMatcher([self._conditions[number]], _FIRST_FILES)
            self._matchers[number] = matcher
            return self._find_by_automaton(number, matcher, units), MIN_STEPS
        finally:
            self._budget.charge_first_match(left - budget.left, len(units))
        return span, left - budget.left

    def _find_by_automaton(self, number: int, matcher: AutomatonMatcher, units: str) -> Span | None:
        stream = matcher.open()
        try:
            self._budget.append(stream, units)
            stream.end()
            match = stream.match_at_end(0)
        except MatchLimitExceeded:
            self._slow_files[number] += 1
            matcher.set_limits(_AFTER_SLOW_FILE)
            return None
        return None if match is None else Span(match.start, match.end)


def _rule_match(rule: Rule, spans: _ExpressionMatches) -> FileRuleMatch:
    by_start: dict[int, MatchLocation] = {}
    for index, matches in spans.items():
        for span in matches.spans:
            by_start.setdefault(span.start, MatchLocation(span, index))
    locations = tuple(by_start[start] for start in sorted(by_start))
    return FileRuleMatch(rule, tuple(spans), locations, all(matches.is_complete for matches in spans.values()))


def _reported(text: str, units: MatchSpans) -> MatchSpans:
    """Returns matches in code points, each from its first visible line on."""
    spans = units.spans if text.isascii() else [code_point_span(text, span) for span in units.spans]
    return MatchSpans(tuple(from_first_visible_line(text, span) for span in spans), units.is_complete)
