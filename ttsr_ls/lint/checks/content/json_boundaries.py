"""Finds word boundaries that fail at the start of the later lines of a command in JSON text (spec M7)."""

from __future__ import annotations

from ttsr_ls.esregex.parse.escapes import WORD_UNITS
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Alternation, Assertion, AssertionKind, Capture, Chars, Group, Node, Sequence
from ttsr_ls.esregex.tree.widths import first_units

_MAX_DEPTH = 4


def leading_boundaries(root: Node) -> tuple[Assertion, ...]:
    r"""Returns each `\b` at the start of a pattern, or of its alternatives, that precedes a word or a choice of words.

    Empty if an alternative begins with a backslash, as the line ends of JSON do.
    """
    assertions: list[Assertion] = []
    for branch in _first_parts(root, _MAX_DEPTH):
        boundary = _leading_boundary(branch)
        if boundary is not None:
            assertions.append(boundary)
        elif ord("\\") in fold_tree(branch, first_units)[0]:
            return ()
    return tuple(assertions)


def _first_parts(node: Node, depth: int) -> tuple[Node, ...]:
    """Returns the nodes with which a match may begin, with nested alternatives resolved to their branches."""
    match node:
        case Group() | Capture() if depth:
            return _first_parts(node.body, depth - 1)
        case Alternation() if depth:
            return tuple(part for branch in node.branches for part in _first_parts(branch, depth - 1))
        case Sequence(items=(Group() | Capture() as first, *_)) if depth and _begins_with_boundaries(first):
            return _first_parts(first, depth - 1)
        case _:
            return (node,)


def _begins_with_boundaries(node: Group | Capture) -> bool:
    """Returns whether an alternative begins with its own boundary, so that the alternatives are examined separately."""
    body = node.body
    return isinstance(body, Alternation) and any(_leading_boundary(branch) is not None for branch in body.branches)


def _leading_boundary(root: Node) -> Assertion | None:
    match root:
        case Sequence(items=(Assertion(kind=AssertionKind.WORD_BOUNDARY) as boundary, Chars() as word, *_)):
            return boundary if ord("w") in word.units or not word.units - WORD_UNITS else None
        case Sequence(
            items=(Assertion(kind=AssertionKind.WORD_BOUNDARY) as boundary, Group() | Capture() as words, *_)
        ):
            units, may_be_empty = fold_tree(words, first_units)
            return boundary if not may_be_empty and not units - WORD_UNITS else None
        case _:
            return None
