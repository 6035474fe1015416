"""The limits of checking a rule file. Ordinary files are far below them; larger ones are checked only in part."""

from __future__ import annotations

from msgspec import Struct


class LintLimits(Struct, frozen=True):
    """The limits of checking one file."""

    findings: int = 1_000
    """How many findings are reported; the last one states the number of the others."""
    findings_of_a_kind: int = 20
    """How many findings of one code some checks report for a file or a condition."""
    conditions: int = 1_000
    """How many conditions are checked."""
    units: int = 16_000
    """The maximum total length of the checked conditions; a finding reports those beyond it. Every check walks their
    trees. The longest conditions in practice have a tenth of that."""
    analysed_conditions: int = 100
    """How many conditions are analysed on automata. That may take some hundredths of a second each, and no rule has so
    many."""
    analysed_units: int = 2_000
    """The maximum length of a condition that is analysed and cached. Longer ones must not stay in memory."""
    body: int = 20_000
    """How many characters of a body are searched for texts that conditions match."""


LINT_LIMITS = LintLimits()
"""The default limits of a `LintContext`."""
