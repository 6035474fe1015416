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


class Verdict(StrEnum):
    """What a gate does with the rule."""

    PASSES = "passes"
    STOPS = "stops"
    OPEN = "open"
    """It depends on something that was not asked."""


class Step(Struct, frozen=True):
    """What one gate does with the rule and why, in Markdown. `fix` says what to do where it stops, else it is None."""

    gate: Gate
    verdict: Verdict
    text: str
    fix: str | None = None


class Walk(Struct, frozen=True):
    """The gates that the rule `name` came to, up to the first that stops it. `path` is None where there is no file."""

    name: str
    path: str | None
    steps: tuple[Step, ...]

    @property
    def stopped(self) -> Step | None:
        """The gate that stops the rule."""
        return next((step for step in self.steps if step.verdict is Verdict.STOPS), None)

    @property
    def open(self) -> tuple[Step, ...]:
        """The gates that depend on something that was not asked."""
        return tuple(step for step in self.steps if step.verdict is Verdict.OPEN)


def passes(gate: Gate, text: str) -> Step:
    """The rule goes through."""
    return Step(gate, Verdict.PASSES, text)


def stops(gate: Gate, text: str, fix: str) -> Step:
    """The rule goes no further."""
    return Step(gate, Verdict.STOPS, text, fix)


def leaves_open(gate: Gate, text: str) -> Step:
    """It depends."""
    return Step(gate, Verdict.OPEN, text)


def until_stopped(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps up to the first that stops, which is the last to be made."""
    return tuple(_until_stopped(steps))


def _until_stopped(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        if step.verdict is Verdict.STOPS:
            return
