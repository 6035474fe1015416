"""Puts an automaton together: patterns to leaves, leaves to a tree of products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ttsr_ls.esregex.automaton.alphabet import Alphabet
from ttsr_ls.esregex.automaton.approximation import Exactness, lower
from ttsr_ls.esregex.automaton.budget import Budget
from ttsr_ls.esregex.automaton.general_leaf import GeneralLeaf
from ttsr_ls.esregex.automaton.leaf_graph import LeafGraph, UnitSets
from ttsr_ls.esregex.automaton.limits import Limits
from ttsr_ls.esregex.automaton.plain_leaf import PlainLeaf
from ttsr_ls.esregex.automaton.product import InnerProduct, Machine, RootProduct
from ttsr_ls.esregex.automaton.program import Program
from ttsr_ls.esregex.automaton.reading import NotPlain
from ttsr_ls.esregex.escapes import WORD_UNITS
from ttsr_ls.esregex.nodes import Pattern
from ttsr_ls.esregex.unit_set import EVERY_UNIT


@dataclass(frozen=True, slots=True)
class Assembly:
    """The parts of an automaton."""

    alphabet: Alphabet
    root: RootProduct
    budget: Budget
    exactness: tuple[Exactness, ...]


def assemble(patterns: Sequence[Pattern], limits: Limits) -> Assembly:
    """Lower the patterns, in groups, and join the groups."""
    sets = UnitSets()
    word_set = sets.number(WORD_UNITS)
    sets.number(EVERY_UNIT)
    plain = [LeafGraph(sets)]
    general = [LeafGraph(sets)]
    exactness = []
    for index, pattern in enumerate(patterns):
        if len(plain[-1].labels) >= limits.items_per_leaf:
            plain.append(LeafGraph(sets))
        try:
            exactness.append(lower(plain[-1], pattern, index, limits.items_per_pattern, looks_allowed=False))
        except NotPlain:
            if len(general[-1].labels) >= limits.items_per_leaf:
                general.append(LeafGraph(sets))
            exactness.append(lower(general[-1], pattern, index, limits.items_per_pattern, looks_allowed=True))
    alphabet = Alphabet(sets.sets)
    budget = Budget(limits.cache_bytes)
    approximate = frozenset([index for index, how in enumerate(exactness) if how is not Exactness.EXACT])
    machines: list[Machine] = [PlainLeaf(Program(graph, alphabet, word_set, approximate), budget) for graph in plain]
    machines += [
        GeneralLeaf(Program(graph, alphabet, word_set, approximate), budget) for graph in general if graph.labels
    ]
    size = limits.parts_per_state
    while len(machines) > size:
        machines = [InnerProduct(machines[first : first + size], budget) for first in range(0, len(machines), size)]
    return Assembly(alphabet, RootProduct(machines, budget, alphabet.class_of), budget, tuple(exactness))
