"""Tries rules on a text: which fire, where, and what stops the others.

The one function behind the command `test` and the editor's `ttsr.test`. Pure: which rules there are, what the text is
said to be, and what searches syntax trees, is the caller's business. Questions are not tried; who shows the result must
say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from ttsr_ls.engine.ast_search import AstSearch, NoAstSearch
from ttsr_ls.engine.monitor import Monitor
from ttsr_ls.engine.path_glob import path_globs
from ttsr_ls.engine.rule import Rule
from ttsr_ls.engine.rule_set import RuleSet
from ttsr_ls.engine.settings import Matching, Settings
from ttsr_ls.engine.stream import BlockEnd, Delta, Payload, Source, StreamContext, StreamEvent, Trigger
from ttsr_ls.errors import UsageError
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.units import to_units
from ttsr_ls.ide.try_ast import AstTry, try_ast


class Obstacle(StrEnum):
    """What keeps a rule from firing; the value is shown to people."""

    SOURCE = "its scope does not admit this kind of stream"
    TOOL = "its scope does not admit this tool or path"
    GLOBS = "its globs match no path of this stream"
    CONDITION = "no condition matches the text"
    NO_CONDITION = "it has no condition that can be tried on this stream"


class Outcome(Struct, frozen=True):
    """What became of one rule.

    `triggers` is how it fired, empty where it did not; then `obstacles` says all that is in the way. `matched` are the
    indexes into `Rule.condition_texts` of the conditions that match the text, whatever the scope says; `slow` of those
    that took too long to tell. `skipped_ast` says why AST conditions were not tried, None where they were.
    """

    rule: Rule
    triggers: tuple[Trigger, ...]
    obstacles: tuple[Obstacle, ...]
    matched: tuple[int, ...]
    slow: tuple[int, ...]
    skipped_ast: str | None = None


class TryOut(Struct, frozen=True):
    """What became of all rules, in their order."""

    outcomes: tuple[Outcome, ...]

    @property
    def fired(self) -> tuple[Outcome, ...]:
        """The rules that fired."""
        return tuple(outcome for outcome in self.outcomes if outcome.triggers)

    @property
    def silent(self) -> tuple[Outcome, ...]:
        """The rules that did not."""
        return tuple(outcome for outcome in self.outcomes if not outcome.triggers)


def try_out(
    rules: Iterable[Rule],
    text: str,
    context: StreamContext,
    settings: Settings | None = None,
    matching: Matching = Matching.STABLE,
    chunk: int | None = None,
    ast_search: AstSearch | None = None,
) -> TryOut:
    """Streams `text`, in deltas of `chunk` code points or as a whole, and ends its block.

    Raises `UsageError` for a chunk below 1. A rule's first trigger counts: in `reference` matching it would fire again
    at every further delta until its injection.
    """
    if chunk is not None and chunk < 1:
        raise UsageError(f"a chunk has at least one character, not {chunk}")
    tried = tuple(rules)
    search = NoAstSearch() if ast_search is None else ast_search
    monitor = Monitor(RuleSet(tried), settings, matching, ast_search=search)
    first: dict[str, Trigger] = {}
    for event in _events(text, context, chunk):
        for trigger in monitor.feed(event):
            first.setdefault(trigger.rule, trigger)
    units = to_units(text)
    return TryOut(tuple(_outcome(rule, first.get(rule.name), context, units, text, search) for rule in tried))


def _events(text: str, context: StreamContext, chunk: int | None) -> Iterator[StreamEvent]:
    size = chunk or max(len(text), 1)
    for start in range(0, len(text), size):
        yield Delta(context, text[start : start + size])
    yield BlockEnd(context)


def _outcome(
    rule: Rule, trigger: Trigger | None, context: StreamContext, units: str, text: str, search: AstSearch
) -> Outcome:
    matched, slow = _matching_conditions(rule, units)
    tree = try_ast(rule, text, context, search)
    matched, slow = matched + tree.matched, slow + tree.slow
    if trigger is None:
        return Outcome(rule, (), tuple(_obstacles(rule, context, matched, tree)), matched, slow, tree.skipped)
    if trigger.condition not in matched:
        # It fired on a beginning of the text that the whole text does not match (semantics.md M6).
        matched = tuple(sorted((*matched, trigger.condition)))
    return Outcome(rule, (trigger,), (), matched, slow, tree.skipped)


def _matching_conditions(rule: Rule, units: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    matched, slow = [], []
    for index, condition in enumerate(rule.conditions):
        try:
            if condition.matcher.test(units):
                matched.append(index)
        except MatchLimitExceeded:
            slow.append(index)
    return tuple(matched), tuple(slow)


def _obstacles(rule: Rule, context: StreamContext, matched: tuple[int, ...], tree: AstTry) -> Iterator[Obstacle]:
    if not rule.scope.admits_source(context.source):
        yield Obstacle.SOURCE
    elif not rule.scope.admits(context):
        yield Obstacle.TOOL
    globs = path_globs(rule.globs)
    if globs and not any(glob.matches_any(context.paths) for glob in globs):
        yield Obstacle.GLOBS
    if not rule.conditions and (not rule.ast_conditions or tree.skipped is not None):
        yield Obstacle.NO_CONDITION
    elif not matched:
        yield Obstacle.CONDITION


def stream_context(source: Source, tool: str | None, paths: tuple[str, ...]) -> StreamContext:
    """The context of a text that is tried: only tool calls have a tool and paths (semantics.md G1).

    The text of a tool call is what it writes.
    """
    if source is not Source.TOOL:
        return StreamContext(source)
    return StreamContext(source, tool, paths, "toolcall:try-out", Payload.WRITTEN)
