"""The sequences of a pattern, and which of them stand at its edges."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.tree.nodes import Alternation, Capture, Group, Node, Repeat, Sequence


class EdgeSequence(Struct, frozen=True):
    """The items of a sequence. `is_first`: nothing of the pattern stands before it; `is_last`: nothing after it."""

    items: tuple[Node, ...]
    is_first: bool
    is_last: bool


def edge_sequences(root: Node) -> Iterator[EdgeSequence]:
    """All sequences outside of looks. Sequences inside repeats are next to other rounds, so they are at no edge."""
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
