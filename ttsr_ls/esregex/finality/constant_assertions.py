"""Folds assertions and lookarounds that do not depend on the text: `(?!)`, `(?=)`, `b^`, or `\\b` between word units.

The folded tree has the same matches. Folding matters in negated lookarounds, which hold as soon as their body can no
longer match: `a(?!b^)` matches wherever `a` does.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.finality.neighbours import (
    ANYTHING,
    ConsumedEdges,
    Neighbour,
    NeighbourSets,
    child_neighbours,
    edges_of_nodes,
)
from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS, WORD_UNITS
from ttsr_ls.esregex.tree.bottom_up import fold_tree_in_context
from ttsr_ls.esregex.tree.incremental import Incremental, run_to_completion
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    CharForm,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    children,
    walk,
    with_children,
)
from ttsr_ls.esregex.tree.unit_set import NO_UNIT, UnitSet

_NEGATED_LOOK = re.compile(r"\(\?<?!")
_MAYBE_BACKREFERENCE = re.compile(r"\\[1-9k]")


class _Folded(Struct, frozen=True):
    node: Node
    is_always: bool
    """The node matches the empty text at every position."""

    @property
    def is_never(self) -> bool:
        """True if the node matches no text, as a class without units does."""
        return isinstance(self.node, Chars) and not self.node.units


def fold_assertions(pattern: Pattern) -> Pattern:
    """Returns a pattern with the same matches, without the captures that never match.

    Returns `pattern` itself if no negated lookaround contains anything to fold, because then nothing is decided
    earlier, or if it has a backreference.
    """
    return run_to_completion(fold_assertions_incrementally(pattern))


def fold_assertions_incrementally(pattern: Pattern) -> Incremental[Pattern]:
    """The same as `fold_assertions`, in portions."""
    if not _NEGATED_LOOK.search(pattern.source) or not _may_fold(pattern.root) or _has_backreference(pattern):
        return pattern
    edges = yield from edges_of_nodes(pattern.root)
    folded = yield from fold_tree_in_context(
        pattern.root,
        NeighbourSets(ANYTHING, ANYTHING),
        lambda node, neighbours: child_neighbours(node, neighbours, edges),
        lambda node, neighbours, child_results: _fold(node, neighbours, child_results, edges),
    )
    return pattern if folded.node is pattern.root else replace(pattern, root=folded.node)


def _has_backreference(pattern: Pattern) -> bool:
    # `\1` without a group is an octal escape.
    if not _MAYBE_BACKREFERENCE.search(pattern.source):
        return False
    return any(isinstance(node, Backreference) for node in walk(pattern.root))


def _may_fold(root: Node) -> bool:
    """Returns whether a negated lookaround contains an assertion, a lookaround, or an empty class."""
    pending = [(root, False)]
    while pending:
        node, is_inside = pending.pop()
        match node:
            case Chars():
                if is_inside and not node.units:
                    return True
            case Assertion() | Look() if is_inside:
                return True
            case Look():
                pending.append((node.body, node.kind.is_negated))
            case _:
                pending.extend((child, is_inside) for child in children(node))
    return False


def _fold(
    node: Node, neighbours: NeighbourSets, child_results: tuple[_Folded, ...], edges: dict[int, ConsumedEdges]
) -> _Folded:
    match node:
        case Assertion():
            return _constant(node, _assertion(node.kind, neighbours))
        case Look():
            return _look(node, neighbours, child_results[0], edges[id(node.body)])
        case Capture() | Group():
            return (
                child_results[0]
                if child_results[0].is_never
                else _Folded(_rebuilt(node, child_results), child_results[0].is_always)
            )
        case Repeat():
            if not child_results[0].is_never:
                return _Folded(_rebuilt(node, child_results), node.minimum == 0 or child_results[0].is_always)
            return _constant(node, node.minimum == 0)
        case Sequence():
            if any(folded.is_never for folded in child_results):
                return _constant(node, False)
            return _Folded(_rebuilt(node, child_results), all(folded.is_always for folded in child_results))
        case Alternation():
            possible = tuple(folded for folded in child_results if not folded.is_never)
            if len(possible) < 2:
                return possible[0] if possible else _constant(node, False)
            return _Folded(_rebuilt(node, possible), any(folded.is_always for folded in possible))
        case _:
            return _Folded(node, is_always=False)


def _rebuilt(node: Node, child_results: tuple[_Folded, ...]) -> Node:
    return with_children(node, tuple(folded.node for folded in child_results))


def _constant(node: Node, value: bool | None) -> _Folded:
    """Returns a node that always matches the empty text, or never matches; `node` itself if `value` is None."""
    if value is None:
        return _Folded(node, is_always=False)
    if value:
        return _Folded(Sequence(node.span, ()), is_always=True)
    return _Folded(Chars(node.span, NO_UNIT, CharForm.CLASS), is_always=False)


def _look(node: Look, neighbours: NeighbourSets, body: _Folded, body_edges: ConsumedEdges) -> _Folded:
    value: bool | None = None
    neighbour, edge = (
        (neighbours.before, body_edges.last) if node.kind.is_behind else (neighbours.after, body_edges.first)
    )
    if body.is_never or (not body_edges.may_be_empty and not (neighbour.units & edge.units)):
        # The body requires a unit next to the position that cannot occur there.
        value = False
    elif body.is_always or (isinstance(body.node, Chars) and _all_in(neighbour, body.node.units)):
        value = True
    if value is None:
        return _Folded(_rebuilt(node, (body,)), is_always=False)
    return _constant(node, value != node.kind.is_negated)


def _assertion(kind: AssertionKind, neighbours: NeighbourSets) -> bool | None:
    """Returns whether an assertion holds at a position; None if that depends on the text."""
    match kind:
        case AssertionKind.INPUT_START:
            return None if neighbours.before.may_be_end else False
        case AssertionKind.INPUT_END:
            return None if neighbours.after.may_be_end else False
        case AssertionKind.LINE_START:
            return _is_line_end(neighbours.before)
        case AssertionKind.LINE_END:
            return _is_line_end(neighbours.after)
        case _:
            before, after = _word_side(neighbours.before), _word_side(neighbours.after)
            if before is None or after is None:
                return None
            return (before != after) == (kind is AssertionKind.WORD_BOUNDARY)


def _is_line_end(neighbour: Neighbour) -> bool | None:
    if not (neighbour.units & ~LINE_TERMINATORS):
        return True
    return None if neighbour.may_be_end or neighbour.units & LINE_TERMINATORS else False


def _word_side(neighbour: Neighbour) -> bool | None:
    if not (neighbour.units & WORD_UNITS):
        return False
    return None if neighbour.may_be_end or neighbour.units & ~WORD_UNITS else True


def _all_in(neighbour: Neighbour, units: UnitSet) -> bool:
    return not neighbour.may_be_end and not (neighbour.units & ~units)
