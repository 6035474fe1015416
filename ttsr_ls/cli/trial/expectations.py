"""The expectations of a user in `test`: that rules fire on the text, or that they do not."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.escaping import one_line

if TYPE_CHECKING:
    from ttsr_ls.ide.trial.rule_trial import RuleOutcome, RuleTrial

_ALL = ""
"""The value of an option without a name."""
_MAX_LISTED = 10


class Expected(StrEnum):
    """The expected behaviour of a rule; the value is shown to users."""

    FIRE = "fire"
    SILENT = "silent"


class Expectation(Struct, frozen=True):
    """The expectation of one rule and its result. A rule that was not decided in time neither met nor missed it."""

    expected: Expected
    outcome: RuleOutcome

    @property
    def is_met(self) -> bool:
        """True if the rule met the expectation."""
        if self.outcome.is_undecided:
            return False
        return bool(self.outcome.firings) is (self.expected is Expected.FIRE)

    @property
    def failure(self) -> str:
        """The failed expectation and the actual result, as one line."""
        name = one_line(self.outcome.rule.name)
        expected = "to fire" if self.expected is Expected.FIRE else "to be silent"
        return f"'{name}' was expected {expected}, but {self._outcome_text()}"

    def _outcome_text(self) -> str:
        if self.outcome.is_undecided:
            return "whether it fires was not decided in time: a condition takes too long on this text"
        if self.outcome.firings:
            return f"it fires at {self.outcome.triggers[0].offset}"
        return f"it is silent: {', and '.join(self.outcome.obstacles)}"


def add_expectation_arguments(parser: argparse._ActionsContainer) -> None:
    """Adds `--expect-fire` and `--expect-silent`."""
    for name, label in (("fire", "must fire"), ("silent", "must be silent")):
        parser.add_argument(
            f"--expect-{name}", nargs="?", const=_ALL, action="append", metavar="RULE",
            help=f"every rule {label}, or with =RULE that one; else the status is 1",
        )  # fmt: skip


def has_expectations(args: argparse.Namespace) -> bool:
    """Returns whether the arguments contain expectations. Raises `UsageError` if two contradict each other."""
    fire, silent = args.expect_fire or [], args.expect_silent or []
    if _ALL in fire and _ALL in silent:
        raise UsageError(
            "--expect-fire and --expect-silent contradict each other for all rules; name the rules: --expect-fire=RULE"
        )
    for name in fire:
        if name and name in silent:
            raise UsageError(f"'{name}' is expected to fire and to be silent")
    return bool(fire or silent)


def mistaken_for_rule_name(args: argparse.Namespace) -> str | None:
    """Returns the value of an option that is probably the text and not a rule's name; else None."""
    if args.snippet is not None or args.file is not None:
        return None
    return next((name for name in (*(args.expect_fire or ()), *(args.expect_silent or ())) if name), None)


def expectations(trial: RuleTrial, args: argparse.Namespace) -> tuple[Expectation, ...]:
    """Returns the expectation of each rule, by name. Raises `UsageError` for a name that no tested rule has."""
    fire, silent = args.expect_fire or [], args.expect_silent or []
    known_names = {outcome.rule.name for outcome in trial.outcomes}
    for name in (*fire, *silent):
        if name and name not in known_names:
            listing = ", ".join(sorted(known_names)[:_MAX_LISTED]) or "none"
            raise UsageError(f"no rule called '{name}' is tried here; those that are: {listing}")
    return tuple(_expectations(trial.outcomes, fire, silent))


def _expectations(outcomes: Sequence[RuleOutcome], fire: list[str], silent: list[str]) -> Iterator[Expectation]:
    for outcome in outcomes:
        name = outcome.rule.name
        if name in fire or (_ALL in fire and name not in silent):
            yield Expectation(Expected.FIRE, outcome)
        elif name in silent or _ALL in silent:
            yield Expectation(Expected.SILENT, outcome)
