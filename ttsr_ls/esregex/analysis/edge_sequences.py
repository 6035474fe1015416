"""The sequences of a pattern, and which of them are at its start or end."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.tree.nodes import Alternation, Capture, Group, Node, Repeat, Sequence


class EdgeSequence(Struct, frozen=True):
    """The items of a sequence. `is_first` is true if nothing of the pattern precedes it, `is_last` if nothing follows
    it.
    """

    items: tuple[Node, ...]
    is_first: bool
    is_last: bool


def edge_sequences(root: Node) -> Iterator[EdgeSequence]:
    """Yields all sequences outside of lookarounds. A sequence inside a repeat is neither first nor last, because other
    rounds adjoin it.
    """
    pending: list[tuple[Node, bool, bool]] = [(root, True, True)]
    while pending:
        node, first, last = pending.pop()
        match node:
            case Sequence(items=items):
                yield EdgeSequence(items, first, last)
                end = len(items) - 1
                pending.extend((item, first and index == 0, last and index == end) for index, item in enumerate(items))
            case Alternation():
                pending.extend((branch, first, last) for branch in node.branches)
            case Capture() | Group():
                pending.append((node.body, first, last))
            case Repeat():
                pending.append((node.body, False, False))
            case _:
                pass
