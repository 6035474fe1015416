"""The gates between a rule file and a trigger, in the order in which a rule goes through them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct


class Gate(StrEnum):
    """A gate; the value is its title for people."""

    FOUND = "found"
    ENABLED = "enabled"
    EXTENSION = "not a disabled extension"
    NAME = "has its name"
    BODY = "has a body"
    SETTING = "not a disabled rule"
    AGENT = "for the agent"
    TRIGGER = "has a trigger"
    ON = "rules are on"
    STREAM = "watches the stream"
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
    """It depends on something that was not asked."""


class GateStep(Struct, frozen=True):
    """The verdict of one gate with the reason, in Markdown. `fix` says how to pass a gate that stops; else None."""

    gate: Gate
    verdict: GateVerdict
    text: str
    fix: str | None = None


class GateWalk(Struct, frozen=True):
    """The gates that the rule `name` came to, up to the first that stops it. `path` is None where there is no file."""

    name: str
    path: str | None
    steps: tuple[GateStep, ...]

    @property
    def stopped(self) -> GateStep | None:
        """The gate that stops the rule."""
        return next((step for step in self.steps if step.verdict is GateVerdict.STOPS), None)

    @property
    def open(self) -> tuple[GateStep, ...]:
        """The gates that depend on something that was not asked."""
        return tuple(step for step in self.steps if step.verdict is GateVerdict.OPEN)


def passes(gate: Gate, text: str) -> GateStep:
    """The rule goes through."""
    return GateStep(gate, GateVerdict.PASSES, text)


def stops(gate: Gate, text: str, fix: str) -> GateStep:
    """The rule goes no further."""
    return GateStep(gate, GateVerdict.STOPS, text, fix)


def leaves_open(gate: Gate, text: str) -> GateStep:
    """A step that depends on more than is known."""
    return GateStep(gate, GateVerdict.OPEN, text)


def until_stopped(steps: Iterable[GateStep]) -> tuple[GateStep, ...]:
    """The steps up to the first that stops, which is the last to be made."""
    return tuple(_until_stopped(steps))


def _until_stopped(steps: Iterable[GateStep]) -> Iterator[GateStep]:
    for step in steps:
        yield step
        if step.verdict is GateVerdict.STOPS:
            return
