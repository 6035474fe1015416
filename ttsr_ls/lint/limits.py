"""The limits of checking a rule file. Ordinary files are far below them; hostile ones are cut short."""

from __future__ import annotations

from msgspec import Struct


class LintLimits(Struct, frozen=True):
    """The limits of checking one file."""

    findings: int = 1_000
    """How many findings are reported; the last of them says how many there are beside it."""
    findings_of_a_kind: int = 20
    """How many findings of one kind some checks report of a file or of a condition."""
    conditions: int = 1_000
    """How many conditions are looked at."""
    units: int = 16_000
    """How long the conditions that are looked at may be together; those beyond it are reported. Every check walks their
    trees. The longest conditions that people write have a tenth of that."""
    analysed_conditions: int = 100
    """How many conditions are analysed: that may take some hundredths of a second each, and no rule has as many."""
    analysed_units: int = 2_000
    """How long a condition is that is analysed and remembered. What is longer must not stay in memory."""
    body: int = 20_000
    """How many characters of a body are looked at for texts that conditions match."""


LINT_LIMITS = LintLimits()
"""The bounds in use: those of a `LintContext` that names no others."""
