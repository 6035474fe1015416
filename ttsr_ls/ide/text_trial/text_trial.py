"""Tries rules on a text of an editor: all matches, the firings in both modes of matching, and obstacles.

Pure: the caller supplies the rules and the search in syntax trees. No judge is asked the questions of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from ttsr_ls.errors import UsageError
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.ide.text_trial.condition_matches import MAX_STEPS, ConditionMatches, find_condition_matches
from ttsr_ls.ide.text_trial.delta_firings import (
    DeltaFiring,
    TrialMonitors,
    delta_count,
    reference_firings,
    stable_firings,
)
from ttsr_ls.ide.text_trial.streamed_text import StreamedText
from ttsr_ls.ide.trial.obstacles import Obstacle, Trial, find_obstacles
from ttsr_ls.matching.ast.search import AstMatchesSearch, NoAstSearch
from ttsr_ls.rules.dialects.dialect_profile import TriggerSelection
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect

_NONE: frozenset[int] = frozenset()
DEFAULT_CHUNK = 16
"""The default length of a delta, in characters: about that of agents' tool calls."""


class DeltaStream(Struct, frozen=True):
    """A text that streams in deltas of `chunk` code points. Matches are searched in the first `shown` deltas, in all if
    that is None."""

    chunk: int = DEFAULT_CHUNK
    shown: int | None = None
    settings: Settings = field(default_factory=Settings)


class RuleTextTrial(Struct, frozen=True):
    """The result of trying one rule on a text.

    `matches` are all matches in the shown deltas, in the scope of the rule or not. `stable` and `reference` are the
    firings in the two modes when the whole text streams, None if the rule does not fire; `matching` is the default mode
    of its dialect, and `obstacles` are the reasons why it does not fire in that mode.
    """

    rule: Rule
    matches: ConditionMatches
    stable: DeltaFiring | None
    reference: DeltaFiring | None
    matching: Matching
    slow: tuple[int, ...]
    obstacles: tuple[Obstacle, ...]

    @property
    def firing(self) -> DeltaFiring | None:
        """The firing of the rule in its default mode; None if it does not fire."""
        return self.stable if self.matching is Matching.STABLE else self.reference

    @property
    def is_undecided(self) -> bool:
        """True if only a condition that took too long keeps the rule from firing."""
        return self.obstacles == (Obstacle.UNDECIDED,)


class TextTrial(Struct, frozen=True):
    """The result of trying all rules on a text, which streams in `deltas` deltas; `shown` code points were searched."""

    text: StreamedText
    shown: int
    deltas: int
    rules: tuple[RuleTextTrial, ...]

    @property
    def fired(self) -> tuple[RuleTextTrial, ...]:
        """The rules that fire in their default mode, in the order in which they fire."""
        fired = ((trial.firing, trial) for trial in self.rules)
        sorted_items = [(delta_firing.is_at_end, delta_firing.trigger.offset, index, trial)
                   for index, (delta_firing, trial) in enumerate(fired) if delta_firing is not None]  # fmt: skip
        return tuple(trial for *_, trial in sorted(sorted_items, key=lambda one: one[:3]))


def run_text_trial(
    rules: RulesByDialect,
    text: StreamedText,
    stream: DeltaStream,
    monitors: TrialMonitors,
    search: AstMatchesSearch | None = None,
    clock: Callable[[], float] | None = None,
) -> TextTrial:
    """Tries the rules of each dialect. Raises `UsageError` for a chunk below 1.

    `clock` gives the processor time of this thread, in seconds: it limits the share of searches that backtrack.
    """
    if stream.chunk < 1:
        raise UsageError(f"a delta has at least one character, not {stream.chunk}")
    deltas = delta_count(text.text, stream.chunk)
    shown = len(text.text) if stream.shown is None else min(max(stream.shown, 0) * stream.chunk, len(text.text))
    budget = StepBudget(MAX_STEPS, clock=clock)
    places = NoAstSearch() if search is None else search
    trials = (trial for set_ in rules.sets for trial in _tried(set_, text, shown, stream, monitors, places, budget))
    return TextTrial(text, shown, deltas, tuple(trials))


def _tried(
    rules: RuleSet,
    text: StreamedText,
    shown: int,
    stream: DeltaStream,
    monitors: TrialMonitors,
    search: AstMatchesSearch,
    budget: StepBudget,
) -> Iterator[RuleTextTrial]:
    if not rules.rules:
        return
    stable = stable_firings(rules, text, stream.chunk, stream.settings, monitors, search)
    reference = reference_firings(rules, text, stream.chunk, stream.settings, monitors, search, stable)
    mode = Matching.REFERENCE if rules.profile.depends_on_deltas else Matching.STABLE
    by_default = stable if mode is Matching.STABLE else reference
    is_interrupted = rules.profile.selection is TriggerSelection.FIRST and bool(by_default.firings)
    for rule in rules.rules:
        undecided = stable.disabled.get(rule.path, _NONE) & reference.disabled.get(rule.path, _NONE)
        matches = find_condition_matches(rule, text.text[:shown], text.context, search, budget, undecided)
        slow = tuple(sorted({*matches.slow, *by_default.disabled.get(rule.path, ())}))
        obstacles: tuple[Obstacle, ...] = ()
        if rule.path not in by_default.firings:
            trial = Trial(rule, text.context, mode, matches.matched, slow, matches.unparsed is not None, is_interrupted)
            obstacles = find_obstacles(trial)
        yield RuleTextTrial(
            rule, matches, stable.firings.get(rule.path), reference.firings.get(rule.path), mode, slow, obstacles
        )
