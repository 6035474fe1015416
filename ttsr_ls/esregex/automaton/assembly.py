"""Puts an automaton together: patterns to leaves, which are then joined."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ttsr_ls.esregex.automaton.alphabet import Alphabet
from ttsr_ls.esregex.automaton.approximation import Exactness, lower
from ttsr_ls.esregex.automaton.composites import Composite, Composites, Conjoined, Succeeding, parts_of
from ttsr_ls.esregex.automaton.conjunction import conjunction
from ttsr_ls.esregex.automaton.layout import Layout, Surroundings
from ttsr_ls.esregex.automaton.leaf import AnyLeaf, Leaf
from ttsr_ls.esregex.automaton.leaf_graph import LeafGraph, Place, Temper, UnitSets
from ttsr_ls.esregex.automaton.limits import Limits, SpareWork
from ttsr_ls.esregex.automaton.obliged_dynamics import ObligedDynamics
from ttsr_ls.esregex.automaton.plain_dynamics import PlainDynamics
from ttsr_ls.esregex.automaton.program import Program
from ttsr_ls.esregex.automaton.reading import Misplaced
from ttsr_ls.esregex.automaton.succession import succession
from ttsr_ls.esregex.automaton.table_pool import TablePool
from ttsr_ls.esregex.automaton.upkeep import Upkeep
from ttsr_ls.esregex.constant_assertions import fold_assertions
from ttsr_ls.esregex.escapes import WORD_UNITS
from ttsr_ls.esregex.nodes import Pattern
from ttsr_ls.esregex.pattern_size import is_too_large
from ttsr_ls.esregex.unit_set import EVERY_UNIT

_OPENING = re.compile(r"(?:\\b|\^|\\s[*+]?|\(\?:|\(\?i:|\(|\|)+")
_ROOTS_OF_A_PATTERN = 50
"""More than these are hardly ever needed for one pattern."""
_CALM = Place(Temper.CALM, looks_allowed=False)


class Assembly(Struct, frozen=True):
    """The parts of an automaton."""

    alphabet: Alphabet
    layout: Layout
    exactness: tuple[Exactness, ...]
    composites: Composites
    limits: Limits


def assemble(patterns: Sequence[Pattern | None], limits: Limits, filters: Sequence[Pattern] = ()) -> Assembly:
    """Lower the patterns, in groups, and join the groups.

    All `filters` have one number, that after the patterns: wherever one of them ends, that is told, as a candidate.
    """
    sets = UnitSets()
    word_set = sets.number(WORD_UNITS)
    sets.number(EVERY_UNIT)
    leaves = _Leaves(sets, limits)
    whole = {number: fold_assertions(each) for number, each in enumerate(patterns) if each is not None}
    of_filters = len(patterns)
    first_part = of_filters + bool(filters)
    parts, composites = _parts(whole, first_part, limits)
    exactness: dict[int, Exactness] = {of_filters: Exactness.SAME_ENDS} if filters else {}
    for number, part in sorted([*parts.items(), *[(of_filters, each) for each in filters]], key=_likeness):
        exactness[number] = max(leaves.add(part, number), exactness.get(number, Exactness.EXACT))
    kept = [each for each in composites if all(exactness[part] is Exactness.EXACT for part in parts_of(each))]
    exactness |= {each.pattern: Exactness.EXACT for each in kept}
    for each in composites:
        if each.pattern not in exactness:
            exactness[each.pattern] = leaves.add(whole[each.pattern], each.pattern)
    alphabet = Alphabet(sets.sets)
    of_leaves = Upkeep(limits.leaf_states)
    approximate = frozenset([index for index, how in exactness.items() if how is not Exactness.EXACT])
    clock_limits: list[int] = []
    joined: list[AnyLeaf] = []
    for graph in leaves.graphs:
        if graph.starts:
            program = Program(graph, alphabet, word_set, approximate, len(clock_limits))
            clock_limits += [clock.limit for clock in graph.clocks]
            joined.append(_leaf(len(joined), graph.place, program, of_leaves, limits))
    pool = TablePool(min(2 * limits.roots, _ROOTS_OF_A_PATTERN * (len(whole) + len(filters))))
    surroundings = Surroundings(Upkeep(limits.roots), pool, of_leaves, alphabet.numbers, clock_limits)
    layout = Layout.of(surroundings, joined, ())
    told = tuple([exactness.get(number, Exactness.EXACT) for number in range(first_part)])
    return Assembly(alphabet, layout, told, Composites(kept, first_part), limits)


def _parts(patterns: Mapping[int, Pattern], number: int, limits: Limits) -> tuple[dict[int, Pattern], list[Composite]]:
    """What is to be lowered, by number, and what is made of it. The parts have numbers from `number` on."""
    parts = dict(patterns)
    composites: list[Composite] = []
    stop = number + limits.parts
    for index, pattern in patterns.items():
        composite: Composite
        if is_too_large(pattern):
            continue
        if (both := conjunction(pattern)) is not None:
            middle = number + len(both.present)
            end = middle + len(both.absent)
            if end > min(stop, number + limits.parts_per_pattern):
                continue
            composite = Conjoined(index, frozenset(range(number, middle)), frozenset(range(middle, end)))
            parts.update(zip(range(number, end), both.present + both.absent, strict=True))
        elif (steps := succession(pattern)) is not None:
            end = number + len(steps)
            if end > min(stop, number + limits.parts_per_pattern):
                continue
            composite = Succeeding(index, tuple(range(number, end)), steps)
            parts.update(zip(range(number, end), [step.pattern for step in steps], strict=True))
        else:
            continue
        del parts[index]
        composites.append(composite)
        number = end
    return parts, composites


def _leaf(number: int, place: Place, program: Program, upkeep: Upkeep, limits: Limits) -> AnyLeaf:
    if place.looks_allowed:
        return Leaf(number, program, ObligedDynamics(program), upkeep, limits.states_per_leaf)
    return Leaf(number, program, PlainDynamics(program), upkeep, limits.states_per_leaf)


def _likeness(numbered: tuple[int, Pattern]) -> str:
    """Sorts patterns that start alike together: their threads come and go together, so that they share states."""
    source = numbered[1].source
    opening = _OPENING.match(source)
    return source[opening.end() if opening else 0 :].lower()


class _Leaves:
    """Leaves under construction; each pattern goes to the last one of its kind."""

    def __init__(self, sets: UnitSets, limits: Limits) -> None:
        self.graphs: list[LeafGraph] = []
        self._sets = sets
        self._limits = limits
        self._spare = SpareWork(limits.spare_work)
        self._last: dict[Place, LeafGraph] = {}

    def add(self, pattern: Pattern, index: int) -> Exactness:
        place = _CALM
        while True:
            try:
                return lower(self._open(place), pattern, index, self._limits.items_per_pattern, self._spare)
            except Misplaced as misplaced:
                place = misplaced.place

    def _open(self, place: Place) -> LeafGraph:
        graph = self._last.get(place)
        if graph is None or len(graph.labels) >= self._limits.items_per_leaf:
            graph = self._last[place] = LeafGraph(self._sets, place)
            self.graphs.append(graph)
        return graph
