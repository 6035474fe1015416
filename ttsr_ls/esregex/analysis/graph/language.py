"""Decides questions about the languages of patterns on their automata, such as emptiness and inclusion.

Claims are certain. For a pattern that is too large, or whose automaton is only an approximation, the answer is the one
that claims nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.esregex.analysis.graph.atoms import OUTSIDE, AtomPartition
from ttsr_ls.esregex.analysis.graph.counting import FOR_LANGUAGE
from ttsr_ls.esregex.analysis.graph.graph import AtomGraph
from ttsr_ls.esregex.analysis.graph.graph_lowering import Direction, GraphLowering, GraphTooLarge, atoms_of, captures_in
from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.esregex.automaton.bit_sets import bit_indexes
from ttsr_ls.esregex.tree.nodes import Node, Pattern

MAX_LENGTH = 2_000
"""The greatest length of an analysed pattern."""
_MAX_NODES = 600
_WORK_OF_ATOM = 4

_WAITING, _MATCHED = -1, -2


def graphs_of(roots: Iterable[Node]) -> tuple[AtomGraph, ...] | None:
    """Returns the automata of some trees over common atoms; None if one of them is too large."""
    trees = tuple(roots)
    atoms = atoms_of(trees)
    try:
        return tuple([_graph(root, atoms) for root in trees])
    except GraphTooLarge:
        return None


def _graph(root: Node, atoms: AtomPartition) -> AtomGraph:
    return GraphLowering(atoms, FOR_LANGUAGE, captures_in(root)).graph(root, Direction.FORWARD)


def graph_of_pattern(pattern: Pattern) -> AtomGraph | None:
    """Returns the automaton of a pattern; None if it is too large."""
    if len(pattern.source) > MAX_LENGTH:
        return None
    graphs = graphs_of([pattern.root])
    return None if graphs is None else graphs[0]


def is_search_included(narrow: AtomGraph, broad: AtomGraph, work: WorkBudget) -> bool:
    """Returns whether a search for `broad` succeeds on every text on which a search for `narrow` succeeds.

    Searches for a counterexample over pairs of a state of `narrow` and a set of states of `broad`. Raises
    `WorkExhausted` if that takes more than is left of `work`.
    """
    if not broad.is_exact:
        return False
    atoms = narrow.atoms
    start = (_WAITING, OUTSIDE, 0)
    seen = {start}
    pending = [start]
    while pending:
        if len(seen) > _MAX_NODES:
            return False
        state, before, inside = pending.pop()
        if _ends(narrow, state, before, OUTSIDE) and not _any_ends(broad, inside, before, OUTSIDE):
            return False
        work.spend(atoms.count * (_WORK_OF_ATOM + inside.bit_count()))
        for atom in range(atoms.count):
            kind = atoms.kinds[atom]
            if _any_ends(broad, inside, before, kind):
                continue
            inside_after = _advanced(broad, inside, before, atom)
            for other in _moves(narrow, state, before, atom, kind):
                node = (other, kind, inside_after)
                if node not in seen:
                    seen.add(node)
                    pending.append(node)
    return True


def may_occur_in_language(searched: AtomGraph, texts: AtomGraph, work: WorkBudget) -> bool:
    """Returns whether a search for `searched` may succeed in some text that `texts`, which must be anchored, matches as
    a whole.

    Raises `WorkExhausted` if the answer takes more than is left of `work`.
    """
    atoms = searched.atoms
    start = [(_WAITING, OUTSIDE, other) for other in texts.entries[OUTSIDE]]
    if _ends(searched, _WAITING, OUTSIDE, OUTSIDE):
        return True
    # A node is a state of the search before the unit of a state of the texts is read.
    seen = set(start)
    pending = list(start)
    while pending:
        state, before, ahead = pending.pop()
        work.spend(texts.masks[ahead].bit_count() * _WORK_OF_ATOM)
        for atom in bit_indexes(texts.masks[ahead]):
            kind = atoms.kinds[atom]
            for after in _moves(searched, state, before, atom, kind):
                if texts.accepts[ahead] >> OUTSIDE & 1 and _ends(searched, after, kind, OUTSIDE):
                    return True
                for next_ahead in texts.follow[ahead]:
                    node = (after, kind, next_ahead)
                    if node not in seen:
                        seen.add(node)
                        pending.append(node)
    return False


def _moves(graph: AtomGraph, state: int, before: int, atom: int, kind: int) -> list[int]:
    """Returns the states of a search after an atom: still waiting, inside of a match, or after one."""
    if state == _MATCHED:
        return [_MATCHED]
    if _ends(graph, state, before, kind):
        return [_MATCHED]
    moves = [_WAITING] if state == _WAITING else []
    follow = graph.entries[before] if state == _WAITING else graph.follow[state]
    return moves + [other for other in follow if graph.masks[other] >> atom & 1]


def _ends(graph: AtomGraph, state: int, before: int, after: int) -> bool:
    """Returns whether a search in `state` has a match at a position between two kinds."""
    if state == _MATCHED:
        return True
    if state == _WAITING:
        return bool(graph.empty >> before * graph.atoms.kind_count + after & 1)
    return bool(graph.accepts[state] >> after & 1)


def _any_ends(graph: AtomGraph, inside: int, before: int, after: int) -> bool:
    if _ends(graph, _WAITING, before, after):
        return True
    return any(graph.accepts[state] >> after & 1 for state in bit_indexes(inside))


def _advanced(graph: AtomGraph, inside: int, before: int, atom: int) -> int:
    following_states = 0
    for other in graph.entries[before]:
        if graph.masks[other] >> atom & 1:
            following_states |= 1 << other
    for state in bit_indexes(inside):
        for other in graph.follow[state]:
            if graph.masks[other] >> atom & 1:
                following_states |= 1 << other
    return following_states
