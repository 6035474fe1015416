"""The texts on which a trigger of pi-ttsr is tested, in `reference` matching (spec P3, P4).

`stable` matching considers the text only: a rule fires at the shortest prefix on which its match is final, and a rule
for deltas (`scope: chunk`) as if there were no delta boundaries.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.condition_evaluator import ConditionEvaluator, RuleMatch
from ttsr_ls.matching.rule_index import CompiledRule, RuleIndex
from ttsr_ls.matching.streams.condition_matcher import Match, StreamMatcher
from ttsr_ls.rules.js_regexp import JsRegExp
from ttsr_ls.syntax.pi.keys import PiScope


class PiConditionEvaluator(ConditionEvaluator):
    """Evaluates triggers as pi-ttsr's `test` calls do. The matcher evaluates those that depend only on the text."""

    __slots__ = ("_regexps", "_too_slow")

    def __init__(self, compiled: RuleIndex) -> None:
        super().__init__(compiled)
        self._regexps = {
            rule.rule.path: (pi.scope, JsRegExp(pi.condition, pi.flags))
            for rule in compiled.rules
            if (pi := rule.rule.pi) is not None and (pi.flags.is_stateful or pi.scope is PiScope.CHUNK)
        }
        self._too_slow: set[str] = set()

    def rules_always_evaluated(self) -> tuple[CompiledRule, ...]:
        """Returns the rules whose triggers are tested on other texts than that of the stream."""
        return tuple(rule for rule in self._rules.rules if rule.rule.path in self._regexps)

    def first_current_match(self, compiled: CompiledRule, text: StreamMatcher, latest: str) -> RuleMatch | None:
        """Returns the match of the trigger after the delta `latest`."""
        own_regexp = self._regexps.get(compiled.rule.path)
        if own_regexp is None:
            return super().first_current_match(compiled, text, latest)
        scope, regexp = own_regexp
        if compiled.rule.path in self._too_slow:
            return None
        try:
            return _first_match(compiled, scope, regexp, text, latest)
        except MatchLimitExceeded:
            self._too_slow.add(compiled.rule.path)
            self.disable_all(compiled)
            return None


def _first_match(
    compiled: CompiledRule, scope: PiScope, regexp: JsRegExp, text: StreamMatcher, latest: str
) -> RuleMatch | None:
    for start, part in _parts(scope, text, latest):
        span = regexp.find(part)
        if span is not None:
            return RuleMatch(compiled, 0, Match(start + span.start, start + span.end, text.length))
    return None


def _parts(scope: PiScope, text: StreamMatcher, latest: str) -> Iterator[tuple[int, str]]:
    """Yields the texts on which a trigger is tested, in order, each with its offset in the stream's text."""
    match scope:
        case PiScope.CHUNK:
            yield text.length - len(latest), latest
        case PiScope.ACCUMULATED:
            yield 0, text.prefix(text.length)
        case PiScope.LINE:
            start = 0
            for line in text.prefix(text.length).split("\n"):
                yield start, line
                start += len(line) + 1
