"""The prefilter of a pattern: the texts that a match requires, and how far before them a match may start."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.factors import Factor, required_factors
from ttsr_ls.esregex.automaton.dfa.lookback import lookback_steps
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.unit_set import UnitSet

_RARE_BITS = 12.0
"""A pattern whose factors occur less often than once in 2 to this power units is matched on its own."""


class Prefilter(Struct, frozen=True, eq=False):
    """Factors of a pattern, one of which every match contains, and the lookbacks from them to the start of a match."""

    factors: tuple[Factor, ...]
    lookbacks: frozenset[tuple[int | UnitSet, ...]]
    """For each factor, how far before it a search begins: numbers of units, and sets whose units are skipped."""
    is_rare: bool

    @property
    def texts(self) -> frozenset[str]:
        """The texts of all factors."""
        return frozenset[str]().union(*[factor.texts for factor in self.factors])


def prefilter(pattern: Pattern, least_bits: float) -> Prefilter | None:
    """Returns the prefilter of a pattern; None if no factor is as rare as once in 2 to the power `least_bits` units."""
    found = required_factors(pattern, least_bits)
    if found is None:
        return None
    lookbacks = lookback_steps(pattern, found.factors)
    if lookbacks is None:
        return None
    return Prefilter(found.factors, lookbacks, found.bits > _RARE_BITS)
