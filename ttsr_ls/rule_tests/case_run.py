"""Runs cases on the engine of sessions, and returns their results."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from ttsr_ls.matching.ast.languages import GRAMMARS, language_of
from ttsr_ls.matching.ast.search import AstSearch, NoAstSearch
from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching
from ttsr_ls.matching.streams.search_limits import OFFLINE, OFFLINE_IN_DELTAS
from ttsr_ls.rule_tests.case import CaseExpectation, CaseKind, RuleTestCase
from ttsr_ls.rule_tests.stream_choice import deltas_of, stream_of
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, Source, StreamContext, StreamEvent, Trigger
from ttsr_ls.session.rules.session_monitor import DialectMonitor

_MAX_SLOW_CASES = 3
"""After so many cases on which a condition takes too long, the rule's remaining cases are not run."""


class CaseStatus(StrEnum):
    """The result of a case; the values are those of reports."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    """A condition took too long, or no AST conditions can be evaluated here."""


class CaseResult(Struct, frozen=True):
    """The result of a case: the first trigger, None if the rule stayed silent, and the stream that was used.

    `actual` has the actual values of everything that a case can expect.
    """

    case: RuleTestCase
    status: CaseStatus
    context: StreamContext
    trigger: Trigger | None
    actual: CaseExpectation


class RuleUnderTest:
    """One rule, prepared to run its cases. `search` is None if AST conditions cannot be evaluated."""

    def __init__(self, rule: Rule, search: AstSearch | None = None) -> None:
        self.rule = rule
        self._search = search
        # Cases share the automaton, but no searches, so that no case affects the next one.
        self._shared = SharedMatching(shares_searches=False)
        self._slow_cases = 0

    def run(self, case: RuleTestCase) -> CaseResult:
        """Streams the text of a case to the rule."""
        context = stream_of(case, self.rule)
        deltas = deltas_of(case, context)
        if self._slow_cases >= _MAX_SLOW_CASES:
            return CaseResult(case, CaseStatus.UNDECIDED, context, None, _actual(self.rule, None, ""))
        in_parts = len(deltas) > 1
        monitor = self._monitor(case.stream.matching, in_parts=in_parts)
        trigger: Trigger | None = None
        events: list[StreamEvent] = [Delta(context, delta) for delta in deltas if delta]
        for event in (*events, BlockEnd(context)):
            trigger = next(iter(monitor.feed(event, 0.0)), None)
            if trigger is not None:
                break
        actual = _actual(self.rule, trigger, "".join(deltas))
        is_slow = trigger is None and bool(monitor.monitor.disabled_conditions)
        self._slow_cases += is_slow
        is_open = is_slow or (trigger is None and self._cannot_parse(context))
        status = CaseStatus.UNDECIDED if is_open else _status(case, trigger, actual)
        return CaseResult(case, status, context, trigger, actual)

    def _cannot_parse(self, context: StreamContext) -> bool:
        """Returns whether the rule has an AST condition for the stream that cannot be evaluated without a search."""
        is_needed = self.rule.ast_conditions and context.source is Source.TOOL and self.rule.scope.admits(context)
        return bool(is_needed) and self._search is None and language_of(context.paths) in GRAMMARS

    def _monitor(self, matching: Matching | None, *, in_parts: bool) -> DialectMonitor:
        rules = RuleSet((self.rule,))
        limits = OFFLINE_IN_DELTAS if in_parts else OFFLINE
        search = NoAstSearch() if self._search is None else self._search
        by_deltas = Matching.REFERENCE if rules.profile.depends_on_deltas else Matching.STABLE
        return DialectMonitor(rules, Settings(), matching or by_deltas, search, MatcherCache(self._shared), limits)


def _status(case: RuleTestCase, trigger: Trigger | None, actual: CaseExpectation) -> CaseStatus:
    match case.kind:
        case CaseKind.VALID:
            is_met = trigger is None
        case CaseKind.INVALID:
            is_met = trigger is not None and is_expected(case.expected, actual)
        case _:
            assert_never(case.kind)
    return CaseStatus.PASSED if is_met else CaseStatus.FAILED


def is_expected(expected: CaseExpectation, actual: CaseExpectation) -> bool:
    """Returns whether a trigger meets all expectations of a case."""
    return expected.as_json().items() <= actual.as_json().items()


def _actual(rule: Rule, trigger: Trigger | None, text: str) -> CaseExpectation:
    if trigger is None:
        return CaseExpectation()
    condition = rule.condition_text(trigger.condition)
    return CaseExpectation(condition, trigger.offset, text.count("\n", 0, trigger.start) + 1)
