"""Reloads changed rule files in a running session, before each request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ttsr_ls.bridge.host.events import RuleReloadFailed, RulesReloaded, SessionEvent
from ttsr_ls.bridge.rules.session_rules import SessionRules
from ttsr_ls.errors import TtsrError
from ttsr_ls.features.ttsr.feature import RuleFeature
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.history.turn_events import RuleChanges, RuleInForce, RulesLoaded, SessionResumed, TurnEvent
from ttsr_ls.session.rules.rule_problems import problem_line
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect, reload_changes


class RuleReload:
    """The rules of one session while it runs.

    `seconds` is a monotonic clock. `record` records events, `publish` sends one to listeners.
    """

    def __init__(
        self,
        source: SessionRules,
        feature: RuleFeature,
        matching: Matching,
        seconds: Callable[[], float],
        record: Callable[[tuple[TurnEvent, ...]], None],
        publish: Callable[[SessionEvent], None],
    ) -> None:
        self._source = source
        self._feature = feature
        self._matching = matching
        self._seconds = seconds
        self._record = record
        self._publish = publish

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems of files and of rules, in sentences."""
        return (*self._source.in_force.problems, *map(problem_line, self._feature.rules.problems))

    async def refresh(self) -> None:
        """Reloads changed rules from disk. If they cannot be read, the previous ones stay in force.

        Raises LogWriteError if a failing log stops the agent.
        """
        now = self._seconds()
        if self._source.should_check(now):
            try:
                await asyncio.to_thread(self._source.reload, now)
            except TtsrError as error:
                self._publish(RuleReloadFailed(str(error)))
        # Compared, because the wait for an earlier reload may have been cancelled.
        loaded = self._source.in_force
        if loaded.rules is self._feature.rules and loaded.settings is self._feature.settings:
            return
        changes = reload_changes(self._feature.rules, loaded.rules)
        self._feature.replace_rules(loaded.rules, loaded.settings)
        try:
            self._record((_rules_loaded(loaded.rules, self._matching, changes),))
        finally:
            self._publish(RulesReloaded(tuple(rule.name for rule in loaded.rules.rules), self.problems, changes))


def opening_records(rules: RulesByDialect, mode: Matching, *, is_new: bool) -> tuple[TurnEvent, ...]:
    """Returns the events of opening a session with these rules; `is_new`: its log is empty."""
    rules_loaded = _rules_loaded(rules, mode)
    return (rules_loaded,) if is_new else (SessionResumed(), rules_loaded)


def _rules_loaded(rules: RulesByDialect, mode: Matching, changes: RuleChanges | None = None) -> RulesLoaded:
    loaded = tuple(RuleInForce(rule.name, rule.path, rule.provider) for rule in rules.rules)
    return RulesLoaded(loaded, mode.value, rules.problems, changes)
