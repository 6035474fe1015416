"""What `explore` needs of a pattern: its program, forward or backward, and what can be told of it beforehand."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.esregex.program import program as op
from ttsr_ls.esregex.program.assemble import assemble_for_threads
from ttsr_ls.esregex.program.class_source import class_source
from ttsr_ls.esregex.program.program import Program, UnitClass
from ttsr_ls.esregex.tree.bottom_up import evaluate
from ttsr_ls.esregex.tree.nodes import Capture, Look, Node, Pattern
from ttsr_ls.esregex.tree.widths import first_units

Registers = tuple[int, ...]
"""Those of the program, and a last one that is 1 once the thread took the end of the text for the end for good."""


class Plan(Struct, frozen=True, eq=False):
    """A program ready to be explored.

    `needles` has the text that an instruction looks for, if it looks for one. `first` finds what a match begins with,
    None where it may be empty. `captures_in_looks` tells that what a lookaround captured may be read.
    """

    program: Program
    needles: tuple[str | None, ...]
    first: re.Pattern[str] | None
    captures_in_looks: bool
    registers: Registers

    @staticmethod
    def of(simple: Pattern, backward: bool) -> Plan:
        """The plan of a pattern that `simplify` made, to be matched forward or backward."""
        program = assemble_for_threads(simple.root, simple.capture_count, backward)
        first = None
        if not backward:
            units, may_be_empty = evaluate(simple.root, first_units)
            first = None if may_be_empty else re.compile(class_source(units), re.DOTALL)
        _, captures_in_looks = evaluate(simple.root, _captures)
        needles = tuple([_needle(program, at) for at in range(len(program.code))])
        return Plan(program, needles, first, captures_in_looks, (-1,) * program.register_count + (0,))


def _captures(node: Node, below: tuple[tuple[bool, bool], ...]) -> tuple[bool, bool]:
    """Whether a node captures something, and whether a lookaround in it does."""
    captures = isinstance(node, Capture) or any(inside for inside, _ in below)
    in_looks = any(each for _, each in below) or (isinstance(node, Look) and captures)
    return captures, in_looks


def _needle(program: Program, at: int) -> str | None:
    operation, first, _ = program.code[at]
    if operation in (op.TEXT, op.TEXT_BACK):
        return program.texts[first]
    if operation in (op.UNIT, op.UNIT_BACK):
        return _only(program.classes[first])
    return None


def _only(units: UnitClass) -> str | None:
    only = units.units.only
    return None if only is None else chr(only)
