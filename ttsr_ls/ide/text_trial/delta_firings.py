"""Finds the delta at which rules fire when a text streams in deltas of one size, in both modes of matching.

A text is streamed in few deltas where the result is the same: in `stable` matching triggers do not depend on the
deltas, and in `reference` matching only rules with an end-sensitive condition have to be tried at each delta.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ttsr_ls.esregex.tree.required_text import required_text
from ttsr_ls.ide.text_trial.streamed_text import StreamedText
from ttsr_ls.ide.trial.rule_trial import disabled_conditions
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.rule_index import RuleIndex
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.matching.streams.search_limits import OFFLINE, OFFLINE_IN_DELTAS, SearchLimits
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.dialects.dialect_profile import TriggerSelection
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, Trigger
from ttsr_ls.session.rules.session_monitor import DialectMonitor

_KEPT = 6
"""The number of monitors that are kept for the next trial, which mostly has the same rules."""


class DeltaFiring(Struct, frozen=True):
    """The firing of a rule on a streamed text, with delta number `delta`, counted from 1.

    `is_at_end`: the rule fires only when the block ends, after the last delta.
    """

    trigger: Trigger
    delta: int
    is_at_end: bool


class DeltaFirings(Struct, frozen=True):
    """The first firing of each rule, and its disabled conditions, by the path of the rule's file."""

    firings: Mapping[str, DeltaFiring]
    disabled: Mapping[str, frozenset[int]]


class TrialMonitors:
    """Creates monitors, and keeps their matchers for the next trial. For one thread at a time."""

    def __init__(self, limits: SearchLimits = OFFLINE, in_deltas: SearchLimits = OFFLINE_IN_DELTAS) -> None:
        """`limits` are those of one trial of a whole text, `in_deltas` those of a text in deltas."""
        self._limits = {False: limits, True: in_deltas}
        self._matchers = MatcherCache()
        self._kept: deque[DialectMonitor] = deque(maxlen=_KEPT)

    def monitor(
        self, rules: RuleSet, settings: Settings, mode: Matching, search: AstSearch, *, in_deltas: bool
    ) -> DialectMonitor:
        """A new monitor of these rules."""
        limits = self._limits[in_deltas]
        dialect_monitor = DialectMonitor(rules, settings, mode, search, self._matchers, limits)
        # The limits hold for one trial, and the matcher may be that of the previous trial.
        self._matchers.of(RuleIndex.build(rules.rules).conditions, limits).renew_total()
        self._kept.append(dialect_monitor)
        return dialect_monitor


def stable_firings(
    rules: RuleSet, text: StreamedText, chunk: int, settings: Settings, monitors: TrialMonitors, search: AstSearch
) -> DeltaFirings:
    """Returns the firings of the rules of one dialect in `stable` matching."""
    monitor = monitors.monitor(rules, settings, Matching.STABLE, search, in_deltas=False)
    streamed = monitor.feed(Delta(text.context, text.text), 0.0) if text.text else ()
    last = delta_count(text.text, chunk)
    firings = {
        trigger.rule.path: DeltaFiring(trigger, max(1, -(-trigger.offset // chunk)), False) for trigger in streamed
    }
    for trigger in monitor.feed(BlockEnd(text.context), 0.0):
        firings.setdefault(trigger.rule.path, DeltaFiring(trigger, last, True))
    return DeltaFirings(firings, _disabled(monitor))


def reference_firings(
    rules: RuleSet,
    text: StreamedText,
    chunk: int,
    settings: Settings,
    monitors: TrialMonitors,
    search: AstSearch,
    stable: DeltaFirings,
) -> DeltaFirings:
    """Returns the firings in `reference` matching. `stable` are those in `stable` matching with the same deltas.

    A rule that does not depend on the deltas, and took too long in `stable` matching, would take as long again: it is
    not tried.
    """
    disabled: dict[str, frozenset[int]] = {}
    last = delta_count(text.text, chunk)
    every = range(1, last + 1)
    # A final match is found at the delta that completes it, and at all later ones.
    completing = sorted({delta_firing.delta for delta_firing in stable.firings.values()} | {last})
    if rules.profile.selection is TriggerSelection.FIRST:
        # The first rule to fire depends on all rules.
        groups: tuple[tuple[tuple[Rule, ...], Iterable[int]], ...] = ((rules.rules, every),)
    else:
        sensitive = tuple(rule for rule in rules.rules if _depends_on_deltas(rule))
        others = tuple(rule for rule in rules.rules if not _depends_on_deltas(rule))
        disabled_paths = stable.disabled.keys() - stable.firings.keys()
        disabled |= {rule.path: stable.disabled[rule.path] for rule in others if rule.path in disabled_paths}
        groups = (
            (tuple(rule for rule in others if rule.path not in disabled_paths), completing),
            (sensitive, range(_first_possible(sensitive, text.text, chunk, last), last + 1)),
        )
    firings: dict[str, DeltaFiring] = {}
    for group, deltas in groups:
        if group:
            monitor = monitors.monitor(RuleSet(group), settings, Matching.REFERENCE, search, in_deltas=True)
            firings.update(_first_firings(monitor, len(group), text, deltas, chunk))
            disabled.update(_disabled(monitor))
    return DeltaFirings(firings, disabled)


def delta_count(text: str, chunk: int) -> int:
    """Returns the number of deltas of `chunk` code points in which a text streams: at least one."""
    return max(1, -(-len(text) // chunk))


def _depends_on_deltas(rule: Rule) -> bool:
    return rule.pi is not None or any(condition.is_end_sensitive for condition in rule.conditions)


def _first_possible(rules: tuple[Rule, ...], text: str, chunk: int, last: int) -> int:
    """The first delta with which one of the rules can fire: before it, texts that all conditions need are missing."""
    lower = text.lower()
    if len(lower) != len(text) or any(rule.pi is not None for rule in rules):
        return 1
    needed = [_needed(condition, lower) for rule in rules for condition in rule.conditions]
    minimum = min((length for length in needed if length is not None), default=len(text))
    return min(max(1, -(-minimum // chunk)), last)


def _needed(condition: Condition, lower: str) -> int | None:
    """Returns the number of characters that a condition needs at least to match; None where the text lacks a required
    word."""
    ends = []
    for part in required_text(condition.pattern):
        found = [position + len(item) for item in part if (position := lower.find(item)) >= 0]
        if not found:
            return None
        ends.append(min(found))
    return max(ends, default=0)


def _first_firings(
    monitor: DialectMonitor, rule_count: int, text: StreamedText, deltas: Iterable[int], chunk: int
) -> dict[str, DeltaFiring]:
    """Streams a text up to the end of each of `deltas`, then ends the block; stops once all rules have fired."""
    firings: dict[str, DeltaFiring] = {}
    streamed = delta = 0
    for delta in deltas:
        part = text.text[streamed : delta * chunk]
        streamed += len(part)
        if part:
            for trigger in monitor.feed(Delta(text.context, part), 0.0):
                firings.setdefault(trigger.rule.path, DeltaFiring(trigger, delta, False))
        if len(firings) == rule_count:
            return firings
    for trigger in monitor.feed(BlockEnd(text.context), 0.0):
        firings.setdefault(trigger.rule.path, DeltaFiring(trigger, delta, True))
    return firings


def _disabled(monitor: DialectMonitor) -> dict[str, frozenset[int]]:
    return {path: frozenset(conditions) for path, conditions in disabled_conditions(monitor).items()}
