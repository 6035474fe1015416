"""Decides how counted repeats become copies and loops of an automaton."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Chars, Look, Node, Repeat
from ttsr_ls.esregex.tree.widths import least_width


class CopyLimits(Struct, frozen=True):
    """The greatest numbers of positions for which a counted repeat becomes copies: of required rounds and of optional
    rounds.

    A repeat of `loop_from` rounds or more always becomes a loop after its required copies.
    """

    required: int
    optional: int
    loop_from: int


FOR_LANGUAGE = CopyLimits(required=64, optional=64, loop_from=1 << 32)
"""Limits for questions about which texts match: as exact as possible."""

FOR_EFFORT = CopyLimits(required=64, optional=8, loop_from=10)
"""Limits for questions about matching time, for which ten rounds are as good as any number."""


class RepeatCopies(Struct, frozen=True):
    """A repeat as copies: `required` copies, then `optional` copies, or None for a loop of at least one round.

    `is_loose` is true if the loop allows more rounds than the repeat, `is_cut` if it allows fewer.
    """

    required: int
    optional: int | None
    is_loose: bool
    is_cut: bool = False


class RepeatUnroller:
    """Decides how each repeat of a tree is copied. Caches the sizes of the repeated nodes."""

    def __init__(self, counting: CopyLimits) -> None:
        self._counting = counting
        self._sizes: dict[int, int] = {}

    def copies(self, node: Repeat) -> RepeatCopies:
        """Returns the copies of a repeat that may match more than once."""
        minimum, maximum = node.minimum, node.maximum
        if minimum >= self._counting.loop_from and fold_tree(node.body, least_width) == 0:
            minimum = 0  # All required rounds may be empty, so requiring none is equivalent.
        size = self._size(node.body)
        if minimum * size > self._counting.required:
            return RepeatCopies(0, None, is_loose=True, is_cut=True)
        if maximum is not None and maximum < self._counting.loop_from:
            optional = maximum - minimum
            if optional * size <= self._counting.optional:
                return RepeatCopies(minimum, optional, is_loose=False)
        return RepeatCopies(max(0, minimum - 1), None, is_loose=maximum is not None)

    def _size(self, node: Node) -> int:
        """Returns about how many positions one copy of a node takes, at least 1."""
        size = self._sizes.get(id(node))
        if size is None:
            size = self._sizes[id(node)] = max(1, fold_tree(node, self._size_of))
        return size

    def _size_of(self, node: Node, child_results: tuple[int, ...]) -> int:
        match node:
            case Chars():
                return 1
            case Repeat():
                rounds = node.minimum if node.maximum is None else node.maximum
                size = child_results[0] * max(1, rounds)
                return size if size <= self._counting.required else child_results[0]
            case Look():
                return 0
            case _:
                return sum(child_results)
