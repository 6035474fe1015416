"""The compiled form of a pattern for `explore`: its program, forward or backward, and facts about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ttsr_ls.esregex.program import program as op
from ttsr_ls.esregex.program.assemble import assemble_for_threads
from ttsr_ls.esregex.program.class_source import compile_around, steps_to_compile
from ttsr_ls.esregex.program.program import Program
from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import PORTION, Incremental
from ttsr_ls.esregex.tree.nodes import Capture, Look, Node, Pattern
from ttsr_ls.esregex.tree.widths import first_units

if TYPE_CHECKING:
    import regex

Registers = tuple[int, ...]
"""The registers of the program, and a last one: 1 once the thread assumed that the known text is the whole text."""


_NEEDLES_PER_STEP = 3
"""How many needles are determined in the time of one step."""


class SearchPlan(Struct, frozen=True, eq=False, gc=False):
    """A program for `explore`.

    `needles` has the text that each instruction looks for, None if it looks for none. `first` finds the first unit of a
    match, None if a match may be empty. `captures_in_looks` is true if a lookaround contains a capture.
    """

    program: Program
    needles: tuple[str | None, ...]
    first: re.Pattern[str] | regex.Pattern[str] | None
    captures_in_looks: bool
    registers: Registers

    @staticmethod
    def of(pattern: Pattern, backward: bool) -> Incremental[SearchPlan]:
        """Returns, in portions, the plan of a pattern that `simplify` returned, for matching forward or backward."""
        program = yield from assemble_for_threads(pattern.root, pattern.capture_count, backward)
        first: re.Pattern[str] | regex.Pattern[str] | None = None
        if not backward:
            units, may_be_empty = yield from fold_tree_incrementally(pattern.root, first_units)
            if not may_be_empty:
                first = compile_around(units, "", "")
                yield steps_to_compile(units)
        _, captures_in_looks = yield from fold_tree_incrementally(pattern.root, _captures)
        needles: list[str | None] = []
        while (start := len(needles)) < len(program.code):
            stop = min(start + _NEEDLES_PER_STEP * PORTION, len(program.code))
            needles += [_needle(program, position) for position in range(start, stop)]
            yield (stop - start) // _NEEDLES_PER_STEP
        return SearchPlan(program, tuple(needles), first, captures_in_looks, (-1,) * program.register_count + (0,))


def _captures(node: Node, child_results: tuple[tuple[bool, bool], ...]) -> tuple[bool, bool]:
    """Returns whether a node captures something, and whether a lookaround in it does."""
    captures = isinstance(node, Capture) or any(inside for inside, _ in child_results)
    in_looks = any(item for _, item in child_results) or (isinstance(node, Look) and captures)
    return captures, in_looks


def _needle(program: Program, position: int) -> str | None:
    operation, first, _ = program.code[position]
    if operation in (op.TEXT, op.TEXT_BACK):
        return program.texts[first]
    if operation in (op.UNIT, op.UNIT_BACK):
        single_unit = program.classes[first].units.single_unit
        return None if single_unit is None else chr(single_unit)
    return None
