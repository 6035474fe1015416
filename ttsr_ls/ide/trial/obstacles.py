"""The obstacles that keep a rule from firing on a text on which it was tried."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source, StreamContext


class Obstacle(StrEnum):
    """A reason why a rule does not fire; the value is shown to users."""

    SOURCE = "its scope does not admit this kind of stream"
    TOOL = "its scope does not admit this tool or path"
    GLOBS = "its globs match no path of this stream"
    CONDITION = "no condition matches the text"
    UNDECIDED = "whether a condition matches the text was not decided in time"
    NO_CONDITION = "it has no condition that can be tried on this stream"
    ONLY_TEXT = "pi-ttsr matches only the agent's text"
    NO_FIRINGS = "its `maxFirings` allows no firing"
    INTERRUPTED = "another rule fires first and interrupts the answer"
    CHUNK = "its trigger matches no single chunk of the text (`scope: chunk`)"
    LAST_INDEX = "its flag `g` or `y` makes the search continue where the last match ended"


class Trial(Struct, frozen=True):
    """The trial of a rule that did not fire.

    `matched` and `slow` are indexes into `Rule.condition_texts`. `is_interrupted`: other rules interrupt each answer.
    """

    rule: Rule
    context: StreamContext
    matching: Matching
    matched: tuple[int, ...]
    slow: tuple[int, ...]
    skips_ast: bool
    is_interrupted: bool


def find_obstacles(trial: Trial) -> tuple[Obstacle, ...]:
    """Returns all obstacles of the rule, in the order in which they are reported."""
    return tuple(_obstacles(trial) if trial.rule.pi is None else _pi_obstacles(trial))


def _obstacles(trial: Trial) -> Iterator[Obstacle]:
    rule, context = trial.rule, trial.context
    if not rule.scope.admits_source(context.source):
        yield Obstacle.SOURCE
    elif not rule.scope.admits(context):
        yield Obstacle.TOOL
    globs = path_globs(rule.globs)
    if globs and not any(glob.matches_any(context.paths) for glob in globs):
        yield Obstacle.GLOBS
    if not rule.conditions and (not rule.ast_conditions or trial.skips_ast):
        yield Obstacle.NO_CONDITION
    elif trial.slow and set(trial.matched) <= set(trial.slow):
        yield Obstacle.UNDECIDED
    elif not trial.matched:
        yield Obstacle.CONDITION


def _pi_obstacles(trial: Trial) -> Iterator[Obstacle]:
    # Imported lazily: few users have rules of pi-ttsr, and the first trial would wait for the import.
    from ttsr_ls.syntax.pi.keys import PiScope

    assert trial.rule.pi is not None, "only rules of pi-ttsr are asked"
    can_fire = True
    if trial.context.source is not Source.TEXT:
        can_fire = False
        yield Obstacle.ONLY_TEXT
    if trial.rule.pi.limits.max_firings <= 0:
        can_fire = False
        yield Obstacle.NO_FIRINGS
    if trial.slow and not trial.is_interrupted:
        yield Obstacle.UNDECIDED
    elif not trial.matched:
        yield Obstacle.CONDITION
    elif can_fire and trial.is_interrupted:
        yield Obstacle.INTERRUPTED
    elif can_fire and trial.matching is Matching.REFERENCE:
        yield Obstacle.CHUNK if trial.rule.pi.scope is PiScope.CHUNK else Obstacle.LAST_INDEX
