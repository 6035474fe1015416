"""The summary of a trial in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source

_MAX_NAMES = 5


class TriedRule(Protocol):
    """The result of one rule in a trial."""

    @property
    def rule(self) -> Rule:
        """The rule that was tried."""

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """The obstacles that keep the rule from firing; empty if it fired."""

    @property
    def is_undecided(self) -> bool:
        """True if only a condition that took too long keeps the rule from firing."""


def summary_line(rules: Sequence[TriedRule], fired: Sequence[TriedRule], stream: str) -> str:
    """The summary of a trial of `rules` on a `stream` in words; the rules `fired` are named in this order."""
    if len(rules) == 1:
        return _summary_of_one(rules[0], stream, fires=bool(fired))
    undecided_count = sum(rule.is_undecided for rule in rules)
    undecided = f" {undecided_count} {'was' if undecided_count == 1 else 'were'} not decided in time."
    details = undecided if undecided_count else ""
    if not fired:
        return f"None of {len(rules)} rules fires on this {stream}.{details}"
    names = ", ".join(tried.rule.name for tried in fired[:_MAX_NAMES])
    verb = "fires" if len(fired) == 1 else "fire"
    end = "…" if len(fired) > _MAX_NAMES else "."
    return f"{len(fired)} of {len(rules)} rules {verb} on this {stream}: {names}{end}{details}"


def _summary_of_one(tried: TriedRule, stream: str, *, fires: bool) -> str:
    name = tried.rule.name
    if fires:
        return f"'{name}' fires on this {stream}."
    if tried.is_undecided:
        return f"Not decided in time: whether '{name}' fires on this {stream}."
    # A stream outside of the scope is reported before the conditions: they need not match such a text.
    if Obstacle.SOURCE in tried.obstacles:
        return f"The scope of '{name}' does not admit {stream}, only {_sources(tried.rule)}."
    return f"'{name}' does not fire on this {stream}."


def _sources(rule: Rule) -> str:
    names = {Source.TEXT: "text", Source.THINKING: "thinking", Source.TOOL: "tool calls"}
    return " and ".join(name for source, name in names.items() if rule.scope.admits_source(source))
