"""What a trigger of pi-ttsr is tried on, in `reference` matching (spec P3, P4).

`stable` matching looks at the text alone: a rule fires at the least prefix of it on which its match is final, a rule
for deltas (`scope: chunk`) as if deltas had no ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.evaluation import Evaluation, Hit
from ttsr_ls.matching.streams.watcher import Match, StreamWatcher
from ttsr_ls.matching.watched_rules import WatchedRule, WatchedRules
from ttsr_ls.rules.js_regexp import JsRegExp
from ttsr_ls.syntax.pi.rule_file import PiScope


class PiEvaluation(Evaluation):
    """The answers of pi-ttsr's `test` calls. Those that depend on nothing but the text are left to the watcher."""

    __slots__ = ("_own", "_too_slow")

    def __init__(self, watched: WatchedRules) -> None:
        super().__init__(watched)
        self._own = {
            each.rule.path: (pi.scope, JsRegExp(pi.condition, pi.flags))
            for each in watched.rules
            if (pi := each.rule.pi) is not None and (pi.flags.keeps_place or pi.scope is PiScope.CHUNK)
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
        scope, regexp = own
        if watched.rule.path in self._too_slow:
            return None
        try:
            return _found(watched, scope, regexp, text, latest)
        except MatchLimitExceeded:
            self._too_slow.add(watched.rule.path)
            self.give_up(watched)
            return None


def _found(watched: WatchedRule, scope: PiScope, regexp: JsRegExp, text: StreamWatcher, latest: str) -> Hit | None:
    for start, part in _parts(scope, text, latest):
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
