"""Builds texts on which an ambiguity shows: a prefix that leads to it, a repeated part, and a suffix on which all paths
fail.

Owns their construction from the automaton. `growth` measures whether a text is slow.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.analysis.backtracking.ambiguity import Ambiguity
from ttsr_ls.esregex.analysis.graph.atoms import OUTSIDE
from ttsr_ls.esregex.analysis.graph.graph import AtomGraph
from ttsr_ls.esregex.analysis.graph.graph_lowering import Direction
from ttsr_ls.esregex.analysis.graph.work import WorkBudget

_ROUNDS = 3
"""Further rounds do not change the set of reached states."""
_MAX_SUBSETS = 60
_MOVES_PER_WORK = 8
"""How many moves of states are a unit of work."""


class Attack(Struct, frozen=True):
    """A family of texts, one for each number of rounds, in units.

    The slow match attempt begins at `start`, which is counted from the end of the text if the slow part is matched
    backward.
    """

    prefix: str
    pump: str
    suffix: str
    start: int
    direction: Direction = Direction.FORWARD

    def text(self, rounds: int) -> str:
        """Returns the text with `rounds` copies of the pump."""
        return self.prefix + self.pump * rounds + self.suffix

    def match_start(self, rounds: int) -> int:
        """Returns the offset at which the slow match attempt begins, in the text with `rounds` rounds."""
        if self.direction is Direction.FORWARD:
            return self.start
        return len(self.text(rounds)) - self.start


def find_attacks(
    graph: AtomGraph, ambiguity: Ambiguity, component: frozenset[int], work: WorkBudget
) -> Iterator[Attack]:
    """Yields texts that may show an ambiguity, the most promising first. `component` has the states among which the
    ambiguity ends. Raises `WorkExhausted`.
    """
    work.spend(2 * len(graph.masks))
    found = _shortest_path_to(graph, ambiguity.start)
    if found is None:
        return
    before, path = found
    # Atoms that leave the component could let the match succeed, so the pump avoids them where possible.
    beyond = graph.atoms_after(component)
    pump = [_readable_atom(graph, mask & ~beyond or mask) for mask in ambiguity.pump]
    text = [_readable_atom(graph, graph.masks[state]) for state in path]
    prefix = "" if before == OUTSIDE else graph.atoms.example_unit(graph.atoms.kind_masks[before])
    start = len(prefix)
    prefix += "".join([graph.atoms.example_unit(atom) for atom in text])
    pumped = "".join([graph.atoms.example_unit(atom) for atom in pump])
    failing = _failing_suffix(graph, before, [*text, *pump * _ROUNDS], work)
    if failing is not None:
        yield Attack(prefix, pumped, "".join([graph.atoms.example_unit(atom) for atom in failing]), start)
    else:
        # Every suffix matches on some path, but an engine may try that path last.
        inside = 0
        for state in component:
            inside |= graph.masks[state]
        outside = (1 << graph.atoms.count) - 1 & ~inside
        if outside:
            yield Attack(prefix, pumped, graph.atoms.example_unit(outside), start)
        yield Attack(prefix, pumped, "", start)


def _readable_atom(graph: AtomGraph, mask: int) -> int:
    """Returns one atom of `mask`, as a mask: the atom of its most readable unit."""
    return 1 << graph.atoms.atom_of(ord(graph.atoms.example_unit(mask)))


def _failing_suffix(graph: AtomGraph, before: int, text: list[int], work: WorkBudget) -> list[int] | None:
    """Returns atoms after which no match that begins with `text`, after the kind `before`, can succeed. None if a short
    search finds none.

    Searches the subset automaton breadth first. A match that ends within `text` does not matter: only the states after
    all of `text` decide whether a suffix fails.
    """
    states = _entry_states(graph, before, text[0])
    for atom in text[1:]:
        states = _step(graph, states, atom, work)
    queue: list[tuple[frozenset[int], list[int]]] = [(states, [])]
    seen = {states}
    for _ in range(_MAX_SUBSETS):
        if not queue:
            return None
        states, taken = queue.pop(0)
        if not any(graph.accepts[state] >> OUTSIDE & 1 for state in states):
            return taken
        for atom in _next_atoms(graph, states, work):
            kind = graph.atoms.kinds[atom.bit_length() - 1]
            if any(graph.accepts[state] >> kind & 1 for state in states):
                continue
            following = _step(graph, states, atom, work)
            if following not in seen:
                seen.add(following)
                queue.append((following, [*taken, atom]))
    return None


def _next_atoms(graph: AtomGraph, states: frozenset[int], work: WorkBudget) -> list[int]:
    """Returns the atoms to try next: first one that no state consumes, then those that some state consumes."""
    work.spend(_moves(graph, states) // _MOVES_PER_WORK)
    ahead = 0
    for state in states:
        for other in graph.follow[state]:
            ahead |= graph.masks[other]
    every = (1 << graph.atoms.count) - 1
    free = [_readable_atom(graph, every & ~ahead)] if every & ~ahead else []
    return free + [1 << atom for atom in range(graph.atoms.count) if ahead >> atom & 1]


def _entry_states(graph: AtomGraph, before: int, atom: int) -> frozenset[int]:
    return frozenset([state for state in graph.entries[before] if graph.masks[state] & atom])


def _moves(graph: AtomGraph, states: frozenset[int]) -> int:
    return sum([len(graph.follow[state]) for state in states])


def _step(graph: AtomGraph, states: frozenset[int], atom: int, work: WorkBudget) -> frozenset[int]:
    work.spend(1 + _moves(graph, states) // _MOVES_PER_WORK)
    return frozenset([other for state in states for other in graph.follow[state] if graph.masks[other] & atom])


def can_match_end_anywhere(graph: AtomGraph, component: frozenset[int]) -> bool:
    """Returns whether a match can end after each state of a component, whatever follows. Such a match never fails
    there."""
    anywhere = (1 << graph.atoms.kind_count) - 1
    return all(graph.accepts[state] == anywhere for state in component)


def _shortest_path_to(graph: AtomGraph, target: int) -> tuple[int, list[int]] | None:
    """Returns the kind before a shortest path to a state, and the states of the path. None if there is no path."""
    for kind, entries in enumerate(graph.entries):
        came_from: dict[int, int | None] = dict.fromkeys(entries)
        layer = list(came_from)
        while layer and target not in came_from:
            following = []
            for state in layer:
                for other in graph.follow[state]:
                    if other not in came_from:
                        came_from[other] = state
                        following.append(other)
            layer = following
        if target in came_from:
            path = []
            last: int | None = target
            while last is not None:
                path.append(last)
                last = came_from[last]
            return kind, path[::-1]
    return None
