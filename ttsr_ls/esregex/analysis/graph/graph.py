"""The automaton of a pattern as analyses want it: one state for each place in the pattern that consumes a unit.

Owns the shape and what can be reached in it; `lowering` makes it. A state is a *position* (a node of the tree that
consumes a unit, or a copy of it in a counted repeat) together with the kind of the unit that it consumes, so that what
`\\b` and its like ask is known on every edge. There are no empty moves: an edge says in how many ways (one, or more)
a matcher can get from the one to the other.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.analysis.graph.atoms import Atoms
from ttsr_ls.text import Span


class GraphLoop(Struct, frozen=True):
    """A repeat of the pattern that the automaton has as a cycle.

    `is_loose` tells that the automaton allows more rounds, or fewer, than the pattern does.
    """

    span: Span
    is_loose: bool


class Graph(Struct, frozen=True, eq=False):
    """An automaton over atoms; states and positions are numbered from 0, ways are 1 or 2 (more than one)."""

    atoms: Atoms
    spans: tuple[Span, ...]
    """Of each position, where in the pattern it is."""
    loops: tuple[GraphLoop, ...]
    closed_by: dict[tuple[int, int], tuple[int, ...]]
    """The loops that lead from a position to a position as the next round."""
    positions: tuple[int, ...]
    """Of each state, its position."""
    masks: tuple[int, ...]
    """Of each state, the atoms that it consumes."""
    follow: tuple[dict[int, int], ...]
    """Of each state, the states that can come next, and in how many ways."""
    entries: tuple[dict[int, int], ...]
    """Of each kind before the match, the states that it can begin with."""
    accepts: tuple[int, ...]
    """Of each state, the kinds, as a bit mask, before which the match can end after it."""
    empty: int
    """The relation (see `places`) of the places where the pattern matches the empty string."""
    is_exact: bool
    """Whether the automaton matches what the pattern matches, rather than that and more."""
    is_cut: bool
    """Whether some repeat asks for more rounds than the automaton does, so that its shortest texts are too short."""

    def reachable(self) -> int:
        """The states, as a bit mask, that some text leads to."""
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
        """The states, as a bit mask, that are part of some match."""
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

    def beyond(self, component: frozenset[int]) -> int:
        """The atoms that are consumed by states after a component, and not in it."""
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
