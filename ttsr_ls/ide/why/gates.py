"""The gates between a rule file and a trigger, in the order in which a rule goes through them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct


class Gate(StrEnum):
    """A gate; the value is its title for users."""

    FOUND = "found"
    ENABLED = "enabled"
    EXTENSION = "not a disabled extension"
    NAME = "has its name"
    BODY = "has a body"
    SETTING = "not a disabled rule"
    AGENT = "for the agent"
    TRIGGER = "has a trigger"
    ON = "rules are on"
    STREAM = "in scope"
    FILES = "for the file"
    REPEAT = "may fire again"
    CONDITION = "matches"
    FIRST = "comes first"
    JUDGE = "is judged"


class GateVerdict(StrEnum):
    """The verdict of a gate on the rule."""

    PASSES = "passes"
    STOPS = "stops"
    OPEN = "open"
    """The verdict depends on a fact that the query does not give."""


class GateStep(Struct, frozen=True):
    """The verdict of one gate with the reason, in Markdown. `fix` says how to pass a gate that stops; else None."""

    gate: Gate
    verdict: GateVerdict
    text: str
    fix: str | None = None


class GateWalk(Struct, frozen=True):
    """The gates that were checked for the rule `name`, up to the first that stops it. `path` is None without a file."""

    name: str
    path: str | None
    steps: tuple[GateStep, ...]

    @property
    def stopped(self) -> GateStep | None:
        """The gate that stops the rule."""
        return next((step for step in self.steps if step.verdict is GateVerdict.STOPS), None)

    @property
    def open(self) -> tuple[GateStep, ...]:
        """The gates whose verdict depends on a fact that the query does not give."""
        return tuple(step for step in self.steps if step.verdict is GateVerdict.OPEN)


def passing_step(gate: Gate, text: str) -> GateStep:
    """Returns the step of a gate that the rule passes. `text` is the reason."""
    return GateStep(gate, GateVerdict.PASSES, text)


def stopping_step(gate: Gate, text: str, fix: str) -> GateStep:
    """Returns the step of a gate that stops the rule. `text` is the reason, `fix` says how to pass the gate."""
    return GateStep(gate, GateVerdict.STOPS, text, fix)


def open_step(gate: Gate, text: str) -> GateStep:
    """Returns the step of a gate whose verdict depends on a fact that the query does not give. `text` names it."""
    return GateStep(gate, GateVerdict.OPEN, text)


def steps_until_stopped(steps: Iterable[GateStep]) -> tuple[GateStep, ...]:
    """Returns the steps up to and including the first that stops the rule. Later steps are not computed."""
    return tuple(_until_stopped(steps))


def _until_stopped(steps: Iterable[GateStep]) -> Iterator[GateStep]:
    for step in steps:
        yield step
        if step.verdict is GateVerdict.STOPS:
            return
