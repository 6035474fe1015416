"""Tries rules on a text: which fire, where, and what stops the others.

The command `test` and the editor's `ttsr.test` use it. Pure: the caller supplies the rules, the stream, and the search
in syntax trees. No judge is asked the questions of rules; callers must say so when they show the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from msgspec import Struct, field

from ttsr_ls.errors import UsageError
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.ide.trial.ast_trial import run_ast_trial
from ttsr_ls.ide.trial.condition_trial import matched_conditions
from ttsr_ls.ide.trial.obstacles import Obstacle, Trial, find_obstacles
from ttsr_ls.matching.ast.search import AstSearch, NoAstSearch
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.matching.streams.search_limits import OFFLINE, OFFLINE_IN_DELTAS, SearchLimits
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.dialects.dialect_profile import DialectProfile, TriggerSelection
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, Payload, Source, StreamContext, StreamEvent, Trigger
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.session.rules.session_monitor import DialectMonitor
from ttsr_ls.syntax.scope.tool_names import PATHLESS_TOOLS


class Streaming(Struct, frozen=True):
    """The way in which a text is streamed: in deltas of `chunk` code points, or as a whole if that is None.

    `matching` None: the default mode for the dialect of the rules. The agent gives the text as its answer `answers`
    times, `pause` seconds apart, and in between the rules that fired are injected.
    """

    settings: Settings = field(default_factory=Settings)
    matching: Matching | None = None
    chunk: int | None = None
    answers: int = 1
    pause: float = 0.0

    def matching_for(self, profile: DialectProfile) -> Matching:
        """The matching mode for rules of a dialect."""
        if self.matching is not None:
            return self.matching
        return Matching.REFERENCE if profile.depends_on_deltas else Matching.STABLE

    @property
    def limits(self) -> SearchLimits:
        """The limits of the exact searches of a trial."""
        return OFFLINE if self.chunk is None else OFFLINE_IN_DELTAS


WHOLE_TEXT = Streaming()


class TrialTrigger(Struct, frozen=True):
    """A trigger of a rule on an answer, counted from 0; in `reference` matching the first of many times."""

    answer: int
    trigger: Trigger


class RuleOutcome(Struct, frozen=True):
    """The result of one rule.

    `firings` are its triggers; if there are none, `obstacles` has all reasons. `matched` and `slow` are indexes into
    `Rule.condition_texts`: the conditions that match the text, in the scope or not, and those whose search took too
    long. `skipped_ast` is the reason why AST conditions were not tried, None if they were. `matching` is the mode.
    """

    rule: Rule
    firings: tuple[TrialTrigger, ...]
    obstacles: tuple[Obstacle, ...]
    matched: tuple[int, ...]
    slow: tuple[int, ...]
    matching: Matching
    skipped_ast: str | None = None

    @property
    def is_undecided(self) -> bool:
        """True if only a condition that took too long keeps the rule from firing."""
        return self.obstacles == (Obstacle.UNDECIDED,)

    @property
    def triggers(self) -> tuple[Trigger, ...]:
        """The triggers of the rule, one for each answer on which it fired."""
        return tuple(trigger.trigger for trigger in self.firings)


class RuleTrial(Struct, frozen=True):
    """The results of all rules, in their order."""

    outcomes: tuple[RuleOutcome, ...]

    @property
    def fired(self) -> tuple[RuleOutcome, ...]:
        """The rules that fired."""
        return tuple(outcome for outcome in self.outcomes if outcome.firings)

    @property
    def undecided(self) -> tuple[RuleOutcome, ...]:
        """The rules that are undecided because a condition took too long."""
        return tuple(outcome for outcome in self.outcomes if outcome.is_undecided)

    @property
    def silent(self) -> tuple[RuleOutcome, ...]:
        """The rules that did not fire."""
        return tuple(outcome for outcome in self.outcomes if not outcome.firings)


def run_trial_by_dialect(
    rules: RulesByDialect,
    text: str,
    context: StreamContext,
    streaming: Streaming = WHOLE_TEXT,
    ast_search: AstSearch | None = None,
) -> RuleTrial:
    """Tests rules on one text, those of each dialect in a trial of their own, and returns all outcomes together.

    Raises `UsageError` for a chunk below 1.
    """
    outcomes = (run_trial(rule_set.rules, text, context, streaming, ast_search).outcomes for rule_set in rules.sets)
    return RuleTrial(tuple(chain.from_iterable(outcomes)))


def run_trial(
    rules: Iterable[Rule],
    text: str,
    context: StreamContext,
    streaming: Streaming = WHOLE_TEXT,
    ast_search: AstSearch | None = None,
) -> RuleTrial:
    """Tests rules of one dialect on one text, in load order. Raises `UsageError` for a chunk below 1."""
    rule_set = RuleSet(tuple(rules))
    search = NoAstSearch() if ast_search is None else ast_search
    matchers = MatcherCache()
    mode = streaming.matching_for(rule_set.profile)
    monitor = DialectMonitor(rule_set, streaming.settings, mode, search, matchers, streaming.limits)
    firings = _firings_on(monitor, text, context, streaming)
    disabled = disabled_conditions(monitor)
    answers = {trigger.answer for triggers in firings.values() for trigger in triggers}
    is_interrupted = rule_set.profile.selection is TriggerSelection.FIRST and len(answers) == streaming.answers
    outcomes = []
    known_slow = _slow_conditions(rule_set.rules, disabled)
    conditions = matched_conditions(rule_set.rules, to_units(text), matchers, streaming.limits, known_slow)
    for rule, decided in zip(rule_set.rules, conditions, strict=True):
        tree = run_ast_trial(rule, text, context, search)
        slow = tuple(sorted({*decided.slow, *tree.slow, *disabled.get(rule.path, ())}))
        matched = decided.matched + tree.matched
        fired = firings.get(rule.path, ())
        obstacles: tuple[Obstacle, ...] = ()
        if fired:
            # The condition may have matched a beginning of the text, and not the whole text (spec M6).
            matched = tuple(sorted({*matched, *(trigger.trigger.condition for trigger in fired)}))
        else:
            obstacles = find_obstacles(
                Trial(rule, context, mode, matched, slow, tree.skipped is not None, is_interrupted)
            )
        outcomes.append(RuleOutcome(rule, fired, obstacles, matched, slow, mode, tree.skipped))
    return RuleTrial(tuple(outcomes))


def disabled_conditions(monitor: DialectMonitor) -> dict[str, set[int]]:
    """The conditions that the monitor disabled, as indexes into `Rule.condition_texts`, by the path of their rule."""
    found: dict[str, set[int]] = {}
    for condition in monitor.monitor.disabled_conditions:
        found.setdefault(condition.rule.path, set()).add(condition.condition)
    return found


def _slow_conditions(rules: Iterable[Rule], disabled: Mapping[str, set[int]]) -> set[Condition]:
    return {
        condition
        for rule in rules
        for index, condition in enumerate(rule.conditions)
        if index in disabled.get(rule.path, ())
    }


def _firings_on(
    monitor: DialectMonitor, text: str, context: StreamContext, streaming: Streaming
) -> dict[str, tuple[TrialTrigger, ...]]:
    """Returns the triggers of rules, by the paths of their files."""
    if streaming.chunk is not None and streaming.chunk < 1:
        raise UsageError(f"a chunk has at least one character, not {streaming.chunk}")
    triggers: dict[str, list[TrialTrigger]] = {}
    for answer in range(streaming.answers):
        monitor.reset()
        first: dict[str, Trigger] = {}
        for event in _events(text, context, streaming.chunk):
            for trigger in monitor.feed(event, answer * streaming.pause):
                first.setdefault(trigger.rule.path, trigger)
        for path, trigger in first.items():
            triggers.setdefault(path, []).append(TrialTrigger(answer, trigger))
        monitor.monitor.mark_injected(trigger.rule.name for trigger in first.values())
    return {path: tuple(rule_triggers) for path, rule_triggers in triggers.items()}


def _events(text: str, context: StreamContext, chunk: int | None) -> Iterator[StreamEvent]:
    size = chunk or max(len(text), 1)
    for start in range(0, len(text), size):
        yield Delta(context, text[start : start + size])
    yield BlockEnd(context)


def stream_context(source: Source, tool: str | None, paths: tuple[str, ...]) -> StreamContext:
    """The context of a text that is tried: only tool calls have a tool and paths (spec G1).

    The text of a tool call is what it writes. Calls of some tools, such as `bash`, never have a path.
    """
    if source is not Source.TOOL:
        return StreamContext(source)
    if never_has_path(tool):
        paths = ()
    return StreamContext(source, tool, paths, "toolcall:try-out", Payload.WRITTEN)


def never_has_path(tool: str | None) -> bool:
    """Returns whether no call of a tool names a file, whatever its case."""
    return tool is not None and tool.strip().lower() in PATHLESS_TOOLS
