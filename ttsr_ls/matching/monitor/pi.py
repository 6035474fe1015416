"""How pi-ttsr runs its rules (spec P): as a configuration of the monitor.

What differs from omp: one firing at most for each piece of text, by the first rule in load order; counts and pauses of
each rule's own; and, in `reference` matching, what a trigger is tried on. `stable` matching looks at the text alone: a
rule fires at the least prefix of it on which its match is final, a rule for pieces as if pieces had no ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.evaluation import Evaluation, Hit
from ttsr_ls.matching.monitor.discipline import Buffers, Discipline, Selection
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.repeat.firing_gate import FiringGate
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.matching.streams.watcher import Match, StreamWatcher
from ttsr_ls.matching.streams.watchers import Watchers
from ttsr_ls.matching.watched_rules import WatchedRule, WatchedRules
from ttsr_ls.rules.dialects.pi_rule import PiRule
from ttsr_ls.rules.js_regexp import JsRegExp
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.syntax.pi.rule_file import PiScope


def pi_monitor(
    rules: Iterable[PiRule],
    matching: Matching = Matching.STABLE,
    watchers: Watchers | None = None,
    limits: SearchLimits = LIVE,
) -> Monitor:
    """A monitor that runs these rules, in load order, from the start of a session.

    The host feeds it the assistant's text with the time of each event, and calls `reset` when a response starts, which
    includes the retry after an abort. What a trigger asks of the host says `retry.retry_of`.
    """
    kept = tuple(rules)
    rule_set = RuleSet(tuple(each.rule for each in kept))
    return Monitor(rule_set, None, matching, pi_discipline(kept), limits=limits, watchers=watchers)


def pi_discipline(rules: Iterable[PiRule]) -> Discipline:
    """The configuration of the monitor for these rules."""
    kept = tuple(rules)

    def evaluation(watched: WatchedRules, matching: Matching) -> Evaluation:
        return Evaluation(watched) if matching is Matching.STABLE else PiEvaluation(watched, kept)

    return Discipline(Selection.FIRST, Buffers.STREAMS, lambda settings: FiringGate(kept), evaluation)


class PiEvaluation(Evaluation):
    """The answers of pi-ttsr's `test` calls. Those that depend on nothing but the text are left to the watcher."""

    __slots__ = ("_own", "_too_slow")

    def __init__(self, watched: WatchedRules, rules: Iterable[PiRule]) -> None:
        super().__init__(watched)
        self._own = {
            each.rule.path: (each, JsRegExp(each.trigger, each.flags))
            for each in rules
            if each.flags.keeps_place or each.scope is PiScope.CHUNK
        }
        self._too_slow: set[str] = set()

    def asked_always(self) -> tuple[WatchedRule, ...]:
        """The rules whose triggers are tried on something else than the text."""
        return tuple(each for each in self._rules.rules if each.rule.path in self._own)

    def first_at_end(self, watched: WatchedRule, text: StreamWatcher, latest: str) -> Hit | None:
        """What the trigger finds now that `latest` has come."""
        own = self._own.get(watched.rule.path)
        if own is None:
            return super().first_at_end(watched, text, latest)
        rule, regexp = own
        if watched.rule.path in self._too_slow:
            return None
        try:
            return _found(watched, rule, regexp, text, latest)
        except MatchLimitExceeded:
            self._too_slow.add(watched.rule.path)
            self.give_up(watched)
            return None


def _found(watched: WatchedRule, rule: PiRule, regexp: JsRegExp, text: StreamWatcher, latest: str) -> Hit | None:
    for start, part in _parts(rule.scope, text, latest):
        span = regexp.find(part)
        if span is not None:
            return Hit(watched, 0, Match(start + span.start, start + span.end, text.length))
    return None


def _parts(scope: PiScope, text: StreamWatcher, latest: str) -> Iterator[tuple[int, str]]:
    """The texts on which a trigger is tried, one after the other, each with its place in the stream's text."""
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
