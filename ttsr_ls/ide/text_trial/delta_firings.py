"""Finds the delta at which rules fire when a text streams in deltas of one size, in both ways of matching.

A text is streamed with few events where the answer is known to be the same: in `stable` matching triggers do not depend
on the deltas, and in `reference` matching only rules with an end-sensitive condition have to be tried at each of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ttsr_ls.esregex.tree.required_text import required_text
from ttsr_ls.ide.text_trial.streamed_text import StreamedText
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
"""How many monitors are kept for the next trial, which mostly is of the same rules."""


class DeltaFiring(Struct, frozen=True):
    """The firing of a rule on a streamed text: with the delta of this number, counted from 1.

    `is_at_end` tells that it does so only when the block ends, after the last delta.
    """

    trigger: Trigger
    delta: int
    is_at_end: bool


class DeltaFirings(Struct, frozen=True):
    """The first firing of each rule, and the conditions that were given up, by the path of the rule's file."""

    firings: Mapping[str, DeltaFiring]
    disabled: Mapping[str, frozenset[int]]


class TrialMonitors:
    """Makes monitors, and keeps what is costly about them for the next trial. For one thread at a time."""

    def __init__(self, limits: SearchLimits = OFFLINE, in_pieces: SearchLimits = OFFLINE_IN_DELTAS) -> None:
        """The limits are those of one trial, of a text that comes as a whole, and of one that comes in deltas."""
        self._limits = {False: limits, True: in_pieces}
        self._matchers = MatcherCache()
        self._kept: deque[DialectMonitor] = deque(maxlen=_KEPT)

    def monitor(
        self, rules: RuleSet, settings: Settings, mode: Matching, search: AstSearch, *, in_pieces: bool
    ) -> DialectMonitor:
        """A monitor of these rules that has seen nothing."""
        limits = self._limits[in_pieces]
        dialect_monitor = DialectMonitor(rules, settings, mode, search, self._matchers, limits)
        # The bounds are those of one trial, and the matcher may be that of the trial before.
        self._matchers.of(RuleIndex.of(rules.rules).conditions, limits).renew_total()
        self._kept.append(dialect_monitor)
        return dialect_monitor


def stable_firings(
    rules: RuleSet, text: StreamedText, chunk: int, settings: Settings, monitors: TrialMonitors, search: AstSearch
) -> DeltaFirings:
    """Returns the firings of the rules of one dialect in `stable` matching."""
    monitor = monitors.monitor(rules, settings, Matching.STABLE, search, in_pieces=False)
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
    """The same in `reference` matching. `stable` is how they fire in `stable` matching, with the same deltas.

    A rule that does not depend on the deltas, and was given up there, would take as much work again: it is given up.
    """
    disabled: dict[str, frozenset[int]] = {}
    last = delta_count(text.text, chunk)
    every = range(1, last + 1)
    # A match that nothing can undo is there from the delta on that completes it.
    completing = sorted({delta_firing.delta for delta_firing in stable.firings.values()} | {last})
    if rules.profile.selection is TriggerSelection.FIRST:
        # Which rule is the first depends on all of them.
        groups: tuple[tuple[tuple[Rule, ...], Iterable[int]], ...] = ((rules.rules, every),)
    else:
        sensitive = tuple(rule for rule in rules.rules if _depends_on_deltas(rule))
        others = tuple(rule for rule in rules.rules if not _depends_on_deltas(rule))
        given_up = stable.disabled.keys() - stable.firings.keys()
        disabled |= {rule.path: stable.disabled[rule.path] for rule in others if rule.path in given_up}
        groups = (
            (tuple(rule for rule in others if rule.path not in given_up), completing),
            (sensitive, range(_first_possible(sensitive, text.text, chunk, last), last + 1)),
        )
    firings: dict[str, DeltaFiring] = {}
    for those, deltas in groups:
        if those:
            monitor = monitors.monitor(RuleSet(those), settings, Matching.REFERENCE, search, in_pieces=True)
            firings.update(_first_firings(monitor, len(those), text, deltas, chunk))
            disabled.update(_disabled(monitor))
    return DeltaFirings(firings, disabled)


def delta_count(text: str, chunk: int) -> int:
    """Returns the number of deltas of `chunk` code points in which a text streams: at least one."""
    return max(1, -(-len(text) // chunk))


def _depends_on_deltas(rule: Rule) -> bool:
    return rule.pi is not None or any(condition.is_end_sensitive for condition in rule.conditions)


def _first_possible(rules: tuple[Rule, ...], text: str, chunk: int, last: int) -> int:
    """The first delta with which one of the rules can fire: before, texts are missing that its conditions require."""
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
    """Streams a text up to the end of each of these deltas, and then its end, until all rules have fired."""
    firings: dict[str, DeltaFiring] = {}
    came = delta = 0
    for delta in deltas:
        part = text.text[came : delta * chunk]
        came += len(part)
        if part:
            for trigger in monitor.feed(Delta(text.context, part), 0.0):
                firings.setdefault(trigger.rule.path, DeltaFiring(trigger, delta, False))
        if len(firings) == rule_count:
            return firings
    for trigger in monitor.feed(BlockEnd(text.context), 0.0):
        firings.setdefault(trigger.rule.path, DeltaFiring(trigger, delta, True))
    return firings


def _disabled(monitor: DialectMonitor) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for condition in monitor.monitor.disabled_conditions:
        found.setdefault(condition.rule.path, set()).add(condition.condition)
    return {path: frozenset(conditions) for path, conditions in found.items()}
