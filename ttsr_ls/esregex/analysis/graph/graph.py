"""The automaton of a pattern for analyses: a position automaton (Glushkov) with one state for each consuming node.

Owns the shape and its reachability; `graph_lowering` builds it. A state is a *position* (a node of the tree that
consumes a unit, or a copy of it in a counted repeat) together with the kind of the unit that it consumes, so that the
condition of `\\b` and similar assertions is known on every edge. There are no epsilon edges: an edge says in how many
ways (one, or more) a matcher can get from one state to the other.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.analysis.graph.atoms import AtomPartition
from ttsr_ls.text import Span


class GraphLoop(Struct, frozen=True):
    """A repeat of the pattern that is a cycle of the automaton. `is_loose` is true if the cycle allows more or fewer
    rounds than the repeat.
    """

    span: Span
    is_loose: bool


class AtomGraph(Struct, frozen=True, eq=False):
    """An automaton over atoms. States and positions are numbered from 0; ways are 1 or 2 (more than one)."""

    atoms: AtomPartition
    spans: tuple[Span, ...]
    """The span of each position in the pattern."""
    loops: tuple[GraphLoop, ...]
    closed_by: dict[tuple[int, int], tuple[int, ...]]
    """For each pair of positions, the loops whose next round leads from the first to the second."""
    positions: tuple[int, ...]
    """The position of each state."""
    masks: tuple[int, ...]
    """The atoms that each state consumes."""
    follow: tuple[dict[int, int], ...]
    """For each state, its successors with the number of ways to them."""
    entries: tuple[dict[int, int], ...]
    """For each kind before the match, the states in which it can begin, with the number of ways."""
    accepts: tuple[int, ...]
    """For each state, the kinds, as a bit mask, before which the match can end after it."""
    empty: int
    """The relation (see `boundary_relations`) of the positions where the pattern matches the empty string."""
    is_exact: bool
    """Whether the automaton matches exactly the language of the pattern, and not more."""
    is_cut: bool
    """Whether some repeat requires more rounds than the automaton, so that its shortest texts are too short."""

    def reachable(self) -> int:
        """Returns the states that some text reaches from the start, as a bit mask."""
        seen = 0
        pending: list[int] = []
        for entry in self.entries:
            pending.extend(entry)
        while pending:
            state = pending.pop()
            if not seen >> state & 1:
                seen |= 1 << state
                pending.extend(self.follow[state])
        return seen

    def useful(self) -> int:
        """Returns the states, as a bit mask, that are part of some match."""
        before: list[list[int]] = [[] for _ in self.masks]
        for state, follow in enumerate(self.follow):
            for other in follow:
                before[other].append(state)
        seen = 0
        pending = [state for state, kinds in enumerate(self.accepts) if kinds]
        while pending:
            state = pending.pop()
            if not seen >> state & 1:
                seen |= 1 << state
                pending.extend(before[state])
        return seen & self.reachable()

    def atoms_after(self, component: frozenset[int]) -> int:
        """Returns the atoms, as a bit mask, that states after a component and outside of it consume."""
        beyond = 0
        seen = set(component)
        pending = list(component)
        while pending:
            for other in self.follow[pending.pop()]:
                if other not in seen:
                    seen.add(other)
                    pending.append(other)
                    beyond |= self.masks[other]
        return beyond
