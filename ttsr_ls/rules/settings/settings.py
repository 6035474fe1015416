"""The settings that affect rules (spec O), with the reference agent's names and defaults.

`store` reads them from files.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.stream import Source


class RepeatMode(StrEnum):
    """The policy for a rule whose injection was delivered: whether it may fire again in the session (spec I5)."""

    ONCE = "once"
    AFTER_GAP = "after-gap"


class RepeatUnit(StrEnum):
    """The unit of `repeat_gap`."""

    ANSWERS = "answers"
    """Answers of the agent, each with the results of its tool calls: what omp counts (it calls them turns)."""
    TURNS = "turns"
    """Turns of the session: everything that one prompt, or another trigger of a turn, causes (seeds 000 and 001)."""


class ContextMode(StrEnum):
    """The treatment of an interrupted answer in the model's context."""

    DISCARD = "discard"
    KEEP = "keep"


class JudgeMode(StrEnum):
    """The use of a judge model for rules with a question (spec J2)."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class Matching(StrEnum):
    """The moment at which a condition counts as matched."""

    STABLE = "stable"
    """At the least prefix of the stream at which the match is final: a function of the text alone (spec Z1 to Z3)."""
    REFERENCE = "reference"
    """Whenever the buffer matches at the end of a delta, as omp does. It depends on the deltas (spec M2, M6)."""


EVERY_RULE = "*"
"""Stands for all rules in `ask_rules`."""


class Settings(Struct, frozen=True):
    """The settings `ttsr.*`.

    `repeat_unit` is the unit of `repeat_gap`; None: that of the rule's dialect. `disabled_extensions` are the names of
    rules in the setting `disabledExtensions`, without `rule:`. `ask_rules` are names of rules, or `*`. `max_interrupts`
    None: the limit is that of the program that runs the agent.
    """

    enabled: bool = True
    judge: JudgeMode = JudgeMode.AUTO
    context_mode: ContextMode = ContextMode.DISCARD
    interrupt_mode: InterruptMode = InterruptMode.ALWAYS
    repeat_mode: RepeatMode = RepeatMode.ONCE
    repeat_gap: float = 10
    repeat_unit: RepeatUnit | None = None
    builtin_rules: bool = True
    ask_rules: tuple[str, ...] = ()
    max_interrupts: int | None = None
    disabled_rules: tuple[str, ...] = ()
    disabled_extensions: tuple[str, ...] = ()

    def asks(self, rule: str) -> bool:
        """Returns whether the user is asked about a tool call that breaks the rule of that name, instead of denying
        it."""
        return rule in self.ask_rules or EVERY_RULE in self.ask_rules

    def interrupts(self, mode: InterruptMode | None, source: Source) -> bool:
        """Returns whether a rule with its own `mode`, or with None, interrupts a stream of `source` (spec I1)."""
        effective = self.interrupt_mode if mode is None else mode
        match effective:
            case InterruptMode.NEVER:
                return False
            case InterruptMode.PROSE_ONLY:
                return source is not Source.TOOL
            case InterruptMode.TOOL_ONLY:
                return source is Source.TOOL
            case InterruptMode.ALWAYS:
                return True
        assert_never(effective)
