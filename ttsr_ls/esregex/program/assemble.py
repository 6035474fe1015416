"""Compiles a tree to a program of the backtracking matcher. Iterative, because a tree may be as deep as its pattern is
long.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.program import program as op
from ttsr_ls.esregex.program.program import ClassRepeat, CountedLoop, Instruction, Program, Reference, UnitClass
from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import PORTION, Incremental, run_to_completion
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    LookKind,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.esregex.tree.widths import least_width

_STEPS_PER_FRAGMENT = 3
"""How many steps it takes to emit a fragment."""
_RESOLVED_PER_STEP = 3
"""How many jump targets are resolved in the time of one step."""


class _Visit(Struct, frozen=True):
    """Stands for the instructions of `node`, to be matched in the given direction."""

    node: Node
    backward: bool


class _Mark(Struct, frozen=True):
    """Marks the position of `label`."""

    label: int


_Fragment = _Visit | _Mark | Instruction

_ASSERTIONS = {
    AssertionKind.INPUT_START: op.AT_INPUT_START,
    AssertionKind.INPUT_END: op.AT_INPUT_END,
    AssertionKind.LINE_START: op.AT_LINE_START,
    AssertionKind.LINE_END: op.AT_LINE_END,
    AssertionKind.WORD_BOUNDARY: op.AT_BOUNDARY,
    AssertionKind.NOT_WORD_BOUNDARY: op.NOT_AT_BOUNDARY,
}
# Instructions in which `a` is a label until the code is complete.
_WITH_TARGET = {op.SPLIT, op.SPLIT_LAZY, op.JUMP, op.LOOP, op.LOOP_END, op.NOT_START}


def assemble(root: Node, capture_count: int) -> Program:
    """Returns the program of a tree whose captures have indexes up to `capture_count`."""
    return run_to_completion(_Assembler(capture_count, backward_runs=False).program(root, backward=False))


def assemble_for_threads(root: Node, capture_count: int, backward: bool) -> Incremental[Program]:
    """The same as `assemble`, in portions, for `search.explore`. The program may match backward, from the end of the
    tree to its start.
    """
    return _Assembler(capture_count, backward_runs=True).program(root, backward)


class _Assembler:
    def __init__(self, capture_count: int, backward_runs: bool) -> None:
        self._backward_runs = backward_runs
        self._registers = 2 * (capture_count + 1)
        self._least_widths: dict[int, int] = {}
        """The least width of every node, keyed by identity, because nodes have no equality."""
        self._code: list[Instruction] = []
        self._targets: dict[int, int] = {}
        self._labels = 0
        self._class_indexes: dict[UnitSet, int] = {}
        self._text_indexes: dict[str, int] = {}
        self._runs: list[ClassRepeat] = []
        self._loops: list[CountedLoop] = []
        self._references: list[Reference] = []

    def program(self, root: Node, backward: bool) -> Incremental[Program]:
        yield from fold_tree_incrementally(root, self._record_least_width)
        pending: list[_Fragment] = [(op.MATCH, 0, 0), _Visit(root, backward)]
        remaining = PORTION
        while pending:
            fragment = pending.pop()
            remaining -= 1
            if not remaining:
                yield _STEPS_PER_FRAGMENT * PORTION
                remaining = PORTION
            if isinstance(fragment, _Visit):
                pending.extend(reversed(self._fragments(fragment.node, fragment.backward)))
            elif isinstance(fragment, _Mark):
                self._targets[fragment.label] = len(self._code)
            else:
                self._code.append(fragment)
        yield _STEPS_PER_FRAGMENT * (PORTION - remaining)
        code: list[Instruction] = []
        while portion := self._code[len(code) : len(code) + _RESOLVED_PER_STEP * PORTION]:
            code += map(self._resolved, portion)
            yield len(portion) // _RESOLVED_PER_STEP
        return Program(
            code=tuple(code),
            classes=tuple(UnitClass(units) for units in self._class_indexes),
            texts=tuple(self._text_indexes),
            runs=tuple(self._runs),
            loops=tuple(self._loops),
            references=tuple(self._references),
            register_count=self._registers,
        )

    def _record_least_width(self, node: Node, child_results: tuple[int, ...]) -> int:
        width = self._least_widths[id(node)] = least_width(node, child_results)
        return width

    def _resolved(self, instruction: Instruction) -> Instruction:
        operation, first, second = instruction
        return (operation, self._targets[first], second) if operation in _WITH_TARGET else instruction

    def _fragments(self, node: Node, backward: bool) -> list[_Fragment]:
        match node:
            case Chars():
                index = self._class_indexes.setdefault(node.units, len(self._class_indexes))
                return [(op.UNIT_BACK if backward else op.UNIT, index, 0)]
            case Assertion():
                return [(_ASSERTIONS[node.kind], 0, 0)]
            case Group():
                return [_Visit(node.body, backward)]
            case Capture():
                register = self._new_registers(1)
                return [(op.OPEN, register, 0), _Visit(node.body, backward), (op.CLOSE, node.index, register)]
            case Backreference():
                self._references.append(Reference(node.groups, node.ignore_case))
                operation = op.REFERENCE_BACK if backward else op.REFERENCE
                return [(operation, len(self._references) - 1, 0)]
            case Look():
                return self._look(node)
            case Sequence():
                return self._sequence(node.items, backward)
            case Alternation():
                return self._alternation(node.branches, backward)
            case Repeat():
                return self._repeat(node, backward)
            case _:
                assert_never(node)

    def _sequence(self, items: tuple[Node, ...], backward: bool) -> list[_Fragment]:
        fragments: list[_Fragment] = []
        index = 0
        while index < len(items):
            end = index
            units = []
            while end < len(items) and (unit := _single_unit(items[end])) is not None:
                units.append(unit)
                end += 1
            if len(units) > 1:
                text = "".join(units)
                number = self._text_indexes.setdefault(text, len(self._text_indexes))
                fragments.append((op.TEXT_BACK if backward else op.TEXT, number, 0))
                index = end
            else:
                fragments.append(_Visit(items[index], backward))
                index += 1
        return fragments[::-1] if backward else fragments

    def _alternation(self, branches: tuple[Node, ...], backward: bool) -> list[_Fragment]:
        end = self._new_label()
        fragments: list[_Fragment] = []
        for branch in branches[:-1]:
            next_branch = self._new_label()
            fragments += [
                (op.SPLIT, next_branch, 0),
                _Visit(branch, backward),
                (op.JUMP, end, 0),
                _Mark(next_branch),
            ]
        return [*fragments, _Visit(branches[-1], backward), _Mark(end)]

    def _look(self, lookaround: Look) -> list[_Fragment]:
        register = self._new_registers(2)
        body = _Visit(lookaround.body, lookaround.kind.is_behind)
        if lookaround.kind in (LookKind.AHEAD, LookKind.BEHIND):
            return [(op.LOOK_START, register, 0), body, (op.LOOK_END, register, 0)]
        after = self._new_label()
        return [(op.NOT_START, after, register), body, (op.NOT_END, register, 0), _Mark(after)]

    def _repeat(self, node: Repeat, backward: bool) -> list[_Fragment]:
        if node.maximum == 0:
            return []
        if isinstance(node.body, Chars) and (self._backward_runs or not backward):
            self._runs.append(ClassRepeat(node.body.units, node.minimum, node.maximum, node.lazy))
            return [(op.RUN_BACK if backward else op.RUN, len(self._runs) - 1, 0)]
        never_empty = self._least_widths[id(node.body)] > 0
        if never_empty and node.minimum <= 1 and node.maximum in (1, None):
            return self._plain_loop(node, _Visit(node.body, backward))
        return self._counting_loop(node, _Visit(node.body, backward))

    def _plain_loop(self, node: Repeat, body: _Visit) -> list[_Fragment]:
        head, end = self._new_label(), self._new_label()
        split: Instruction = (op.SPLIT_LAZY if node.lazy else op.SPLIT, end, 0)
        round_of_body: list[_Fragment] = [body]
        if node.end_capture > node.first_capture:
            round_of_body.insert(0, (op.RESET, node.first_capture, node.end_capture))
        if node.maximum == 1:
            return [*([split] if node.minimum == 0 else []), *round_of_body, _Mark(end)]
        if node.minimum == 0:
            return [_Mark(head), split, *round_of_body, (op.JUMP, head, 0), _Mark(end)]
        return [_Mark(head), *round_of_body, split, (op.JUMP, head, 0), _Mark(end)]

    def _counting_loop(self, node: Repeat, body: _Visit) -> list[_Fragment]:
        head, end = self._new_label(), self._new_label()
        counter = self._new_registers(2)
        self._loops.append(
            CountedLoop(counter, node.minimum, node.maximum, node.lazy, node.first_capture, node.end_capture)
        )
        loop = len(self._loops) - 1
        return [
            (op.LOOP_START, 0, loop),
            _Mark(head),
            (op.LOOP, end, loop),
            (op.LOOP_ENTER, 0, loop),
            body,
            (op.LOOP_END, head, loop),
            _Mark(end),
        ]

    def _new_label(self) -> int:
        self._labels += 1
        return self._labels

    def _new_registers(self, count: int) -> int:
        self._registers += count
        return self._registers - count


def _single_unit(node: Node) -> str | None:
    only = node.units.single_unit if isinstance(node, Chars) else None
    return None if only is None else chr(only)
