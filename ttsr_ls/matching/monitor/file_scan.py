"""Which rules fire on a file, taken for what a tool writes (spec Q2).

Owns what has to be looked at for each file and in which order; where files come from is the caller's business. Made for
many files: most rules do not watch most files, and most conditions need a text that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from enum import Enum

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import STEP_LIMIT
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.esregex.tree.required_text import required_text
from ttsr_ls.esregex.tree.units import code_point_offset, to_units
from ttsr_ls.matching.ast.languages import GRAMMARS, language_of
from ttsr_ls.matching.ast.search import AstAnswer, AstBatch, AstFailure
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.file_relevance import FileRelevance
from ttsr_ls.matching.required_texts import RequiredTexts
from ttsr_ls.matching.streams.automaton_watcher import AutomatonWatcher
from ttsr_ls.matching.streams.search_limits import OFFLINE
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.text import Span

_MOST_PLANS = 500
_PATIENCE = STEP_LIMIT // 2
"""How many steps searches of a scan may take that come to no answer."""
_LEAST_PATIENCE = STEP_LIMIT // 50
"""How many one search may take after that."""
_FOR_RULE = 200_000
"""How many steps the searches for the conditions of one rule in a file may take, beside one for each unit of the text.
After a file for which that was not enough it is half as much."""
_LEAST_FOR_RULE = 4_000
_MOST_SLOW_FILES = 3
"""After so many files on which a condition takes too long, it is given up."""


class Thoroughness(Enum):
    """What is found out about a rule on a file."""

    FIRST = "the first of its conditions that matches"
    ALL = "all of its conditions that match"


class RuleMatch(Struct, frozen=True):
    """A rule that fires on a file: the conditions that match, as indexes into `Rule.condition_texts`.

    `place` is where the first of them does, in code points of the text.
    """

    rule: Rule
    conditions: tuple[int, ...]
    place: Span


class FileResult(Struct, frozen=True):
    """What came of a file. `unparsed` says why AST conditions were not evaluated, None where they were."""

    matches: tuple[RuleMatch, ...]
    unparsed: AstFailure | None


class StartedFile(Struct, frozen=True):
    """A file whose regular expressions were tried, while its syntax tree may still be asked for.

    `tried` are the rules that may fire, as indexes into `FileScan.rules`, each with its expressions that match and
    where the first does, in units.
    """

    text: str
    tried: tuple[tuple[int, tuple[int, ...], Span | None], ...]
    patterns: tuple[str, ...]
    answers: Callable[[], tuple[AstAnswer, ...]]


class _Plan(Struct, frozen=True):
    """What files have in common that the same rules watch: what their conditions require, and which rules use each.

    `with_patterns` are the rules that have AST conditions.
    """

    required: RequiredTexts
    users: dict[int, tuple[int, ...]]
    with_patterns: tuple[int, ...]


class FileScan:
    """Rules made ready to be tried on any number of files. Remembers which conditions take too long."""

    def __init__(self, rules: Iterable[Rule], ast_search: AstBatch, thoroughness: Thoroughness) -> None:
        self.rules = tuple(rule for rule in rules if _has_conditions(rule))
        """The rules that are tried: those that have conditions, and no question."""
        self._relevance = FileRelevance(self.rules)
        self._search = ast_search
        self._thoroughness = thoroughness
        numbers: dict[Condition, int] = {}
        self._numbers = tuple(
            tuple(numbers.setdefault(condition, len(numbers)) for condition in rule.conditions) for rule in self.rules
        )
        self._conditions = tuple(numbers)
        self._required = tuple(required_text(condition.pattern) for condition in numbers)
        self._plans: dict[tuple[int, ...], _Plan] = {}
        self._watchers: dict[int, AutomatonWatcher] = {}
        """Those for the conditions for which an ordinary search took too long once."""
        self._slow_files = [0] * len(numbers)
        self._slow_patterns: set[str] = set()
        self._for_rule = [_FOR_RULE] * len(self.rules)
        self._patience = _PATIENCE
        """What of the steps for searches without an answer is left."""

    @property
    def slow_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that took too long on some file; they may match there."""
        slow = []
        for rule, numbers in zip(self.rules, self._numbers, strict=True):
            is_slow = [self._slow_files[number] > 0 for number in numbers]
            is_slow += [pattern in self._slow_patterns for pattern in rule.ast_conditions]
            slow += [DisabledCondition(rule, index) for index, yes in enumerate(is_slow) if yes]
        return tuple(slow)

    def _plan(self, rules: tuple[int, ...]) -> _Plan:
        plan = self._plans.get(rules)
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            conditions = dict.fromkeys(number for rule in rules for number in self._numbers[rule])
            users: dict[int, list[int]] = {}
            for rule in rules:
                for number in self._numbers[rule]:
                    users.setdefault(number, []).append(rule)
            plan = self._plans[rules] = _Plan(
                RequiredTexts((number, self._required[number]) for number in conditions),
                {number: tuple(those) for number, those in users.items()},
                tuple(rule for rule in rules if self.rules[rule].ast_conditions),
            )
        return plan

    def relevant(self, paths: Sequence[str]) -> tuple[int, ...]:
        """The rules that watch what is written to a file, as indexes into `rules`; `paths` is its path in all forms."""
        return self._relevance.rules_for(paths)

    def scan(self, rules: Iterable[int], text: str, paths: Sequence[str]) -> FileResult:
        """Tries rules, given as indexes into `rules`, on the text of a file."""
        return self.finish(self.start(rules, text, paths))

    def start(self, rules: Iterable[int], text: str, paths: Sequence[str]) -> StartedFile:
        """Tries the regular expressions of rules on the text of a file, and asks for its syntax tree."""
        units = to_units(text)
        plan = self._plan(tuple(rules))
        possible = plan.required.possible(text.lower())
        # Of many rules, few are left to be tried; they stay in their order.
        left = sorted({rule for number in possible for rule in plan.users[number]}.union(plan.with_patterns))
        spans: dict[int, Span | None] = {}
        tried = [(rule, *self._expressions(rule, units, possible, spans)) for rule in left]
        everything = self._thoroughness is Thoroughness.ALL
        asking = [self.rules[rule] for rule, indexes, _ in tried if everything or not indexes]
        patterns = dict.fromkeys(each for rule in asking for each in rule.ast_conditions)
        asked = tuple(each for each in patterns if each not in self._slow_patterns)
        language = language_of(paths) if asked else None
        if language not in GRAMMARS:
            return StartedFile(text, tuple(tried), (), tuple)
        return StartedFile(text, tuple(tried), asked, self._search.ask(text, language, asked))

    def finish(self, started: StartedFile) -> FileResult:
        """What came of a file. Files that were started have to be finished in the same order."""
        answers = dict(zip(started.patterns, started.answers(), strict=True))
        for pattern in self._slow_patterns.intersection(answers):
            # Files before this one have shown that it is not worth asking for; it was asked before that was known.
            del answers[pattern]
        self._slow_patterns |= {each for each, answer in answers.items() if answer is AstFailure.PATTERN}
        everything = self._thoroughness is Thoroughness.ALL
        matches = []
        for number, found, span in started.tried:
            rule = self.rules[number]
            indexes = found
            place = None if span is None else _in_code_points(started.text, span)
            for index, pattern in enumerate(rule.ast_conditions, len(rule.conditions)):
                answer = answers.get(pattern)
                if isinstance(answer, Span) and (everything or place is None):
                    indexes = (*indexes, index)
                    place = answer if place is None else place
            if place is not None:
                matches.append(RuleMatch(rule, indexes, place))
        failures = (answer for answer in answers.values() if isinstance(answer, AstFailure))
        return FileResult(tuple(matches), next(failures, None))

    def _expressions(
        self, rule: int, units: str, possible: Container[int], spans: dict[int, Span | None]
    ) -> tuple[tuple[int, ...], Span | None]:
        """The regular expressions of a rule that match, and where the first does, in units."""
        indexes: list[int] = []
        first: Span | None = None
        left = self._for_rule[rule] + len(units)
        for index, number in enumerate(self._numbers[rule]):
            if number not in possible:
                continue
            if number not in spans:
                if left <= 0:
                    self._slow_files[number] += 1
                    continue
                spans[number], steps = self._find(number, units)
                # One condition that takes long leaves most of the steps to the others.
                left -= min(steps, _LEAST_PATIENCE)
            span = spans[number]
            if span is not None:
                indexes.append(index)
                first = span if first is None else first
                if self._thoroughness is Thoroughness.FIRST:
                    break
        if left <= 0:
            self._for_rule[rule] = max(self._for_rule[rule] // 2, _LEAST_FOR_RULE)
        return tuple(indexes), first

    def _find(self, number: int, units: str) -> tuple[Span | None, int]:
        """Where a condition matches, and how many steps that took."""
        watcher = self._watchers.get(number)
        if watcher is not None:
            return self._find_by_automaton(number, watcher, units), _LEAST_PATIENCE
        granted = max(_LEAST_PATIENCE, self._patience)
        budget = StepBudget(granted)
        try:
            span = self._conditions[number].matcher.sharing(budget).search(units)
        except MatchLimitExceeded:
            self._patience -= granted - budget.left
            # Slower on most texts, but no text can make it slow.
            watcher = self._watchers[number] = AutomatonWatcher([self._conditions[number]], OFFLINE)
            return self._find_by_automaton(number, watcher, units), _LEAST_PATIENCE
        return span, granted - budget.left

    def _find_by_automaton(self, number: int, watcher: AutomatonWatcher, units: str) -> Span | None:
        if self._slow_files[number] >= _MOST_SLOW_FILES:
            return None
        stream = watcher.open()
        stream.append(units)
        stream.end()
        try:
            match = stream.match_at_end(0)
        except MatchLimitExceeded:
            self._slow_files[number] += 1
            return None
        return None if match is None else Span(match.start, match.end)


def _has_conditions(rule: Rule) -> bool:
    return bool(rule.conditions or rule.ast_conditions) and rule.question is None


def _in_code_points(text: str, units: Span) -> Span:
    return Span(code_point_offset(text, units.start), code_point_offset(text, units.end))
