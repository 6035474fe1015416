"""Tests whether a text around an occurrence of a required factor fits the nodes next to the factor in its pattern.

A test is a list of steps, away from the factor. It passes wherever these nodes match, and also elsewhere: it ends at
the first node whose text is not described by sets of units. No step is ever undone, so a test takes linear time.
"""

from __future__ import annotations

from collections.abc import Sequence as Items

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.adjacent_units import ANYTHING
from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet, Codes
from ttsr_ls.esregex.automaton.dfa.fixed_texts import fold
from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.esregex.tree.widths import first_units, last_units

_MAX_STEPS = 24
_MAX_DEPTH = 12
_MAX_SKIPPED = 128
"""How many units a repeated step skips. Beyond them, the test passes."""


class ContextStep(Struct, frozen=True):
    """One unit with one of `codes`, or any number of such units if `is_repeated`. `small` are the codes that fit into a
    byte.

    A step with `is_boundary` consumes nothing. It passes next to a unit with one of `codes`, at the end of the text,
    and if the repetition before it skipped such a unit.
    """

    codes: frozenset[int]
    small: bytes
    is_repeated: bool
    is_boundary: bool


ContextSteps = tuple[ContextStep, ...]


def fits_before(steps: ContextSteps, text: Codes, end: int) -> bool:
    """Returns whether the text up to `end` passes a test."""
    skipped_from = end
    for step in steps:
        if step.is_repeated:
            first = max(0, end - _MAX_SKIPPED)
            chunk = text[first:end]
            end = first + (len(chunk.rstrip(step.small)) if isinstance(chunk, bytes) else _end(chunk, step.codes))
            if end == first > 0:
                return True
        elif not end:
            return step.is_boundary
        elif step.is_boundary:
            if step.codes.isdisjoint(text[end - 1 : skipped_from]):
                return False
        elif text[end - 1] not in step.codes:
            return False
        else:
            end = skipped_from = end - 1
    return True


def fits_after(steps: ContextSteps, text: Codes, start: int) -> bool:
    """Returns whether the text from `start` on passes a test."""
    skipped_from = start
    for step in steps:
        if step.is_repeated:
            chunk = text[start : start + _MAX_SKIPPED]
            rest = len(chunk.lstrip(step.small)) if isinstance(chunk, bytes) else _end(chunk[::-1], step.codes)
            if not rest and len(chunk) == _MAX_SKIPPED:
                return True
            start += len(chunk) - rest
        elif start == len(text):
            return step.is_boundary
        elif step.is_boundary:
            if step.codes.isdisjoint(text[skipped_from : start + 1]):
                return False
        elif text[start] not in step.codes:
            return False
        else:
            start = skipped_from = start + 1
    return True


def _end(units: list[int], codes: frozenset[int]) -> int:
    """Returns the length of `units` without those at their end that have one of some codes."""
    end = len(units)
    while end and units[end - 1] in codes:
        end -= 1
    return end


def steps_before(before: Items[Node], alphabet: Alphabet) -> ContextSteps:
    """Returns the test of the text before a factor, backward. `before` are the nodes before it."""
    return _steps([*before], alphabet, AssertionKind.LINE_START)


def steps_after(onward: Items[Node], text: str, alphabet: Alphabet) -> ContextSteps:
    """Returns the test of the text after a factor. `onward` are the nodes that consume the folded `text`, and the nodes
    after them."""
    try:
        rests = _rests(onward, text, 0)
    except _UncertainError:
        return ()
    return _steps(rests[0][::-1], alphabet, AssertionKind.LINE_END) if len(rests) == 1 else ()


def _steps(pending: list[Node], alphabet: Alphabet, line: AssertionKind) -> ContextSteps:
    """Returns the steps of some nodes. The first of them is the last in the list."""
    is_backward = line is AssertionKind.LINE_START
    steps: list[ContextStep] = []
    while pending and len(steps) < _MAX_STEPS:
        node = pending.pop()
        match node:
            case Chars():
                steps.append(_step(node.units, alphabet))
            case Sequence() if node is not ANYTHING:
                pending += node.items if is_backward else reversed(node.items)
            case Group() | Capture():
                pending.append(node.body)
            case Assertion():
                if node.kind is line:
                    steps.append(_step(LINE_TERMINATORS, alphabet, is_boundary=True))
            case Look():
                pass
            case Repeat(body=Chars() as body):
                steps += [_step(body.units, alphabet)] * min(node.minimum, _MAX_STEPS)
                if node.minimum != node.maximum:
                    steps.append(_step(body.units, alphabet, is_repeated=True))
            case Repeat() if node.minimum:
                # Only the round next to the factor is known.
                pending = [node.body]
            case _:
                units, may_be_empty = fold_tree(node, last_units if is_backward else first_units)
                if not may_be_empty:
                    steps.append(_step(units, alphabet))
                is_one_unit = isinstance(node, Alternation) and all(isinstance(each, Chars) for each in node.branches)
                if not is_one_unit:
                    break
    return _unambiguous(steps[:_MAX_STEPS])


def _step(units: UnitSet, alphabet: Alphabet, *, is_repeated: bool = False, is_boundary: bool = False) -> ContextStep:
    codes = alphabet.codes_of(units)
    return ContextStep(codes, bytes([code for code in codes if code <= 0xFF]), is_repeated, is_boundary)


def _unambiguous(steps: list[ContextStep]) -> ContextSteps:
    """Returns the steps before the first repetition that a match may end earlier than the text allows. Repetitions at
    the end are left out, as they always pass."""
    for index, step in enumerate(steps):
        if step.is_repeated:
            for following_at, following in enumerate(steps[index + 1 :], index + 1):
                if step.codes & following.codes:
                    # Only a boundary may be anywhere in the repetition. The position after it is not known.
                    return (
                        _unambiguous(steps[:index]) if not following.is_boundary else tuple(steps[: following_at + 1])
                    )
                if not following.is_repeated:
                    break
    while steps and steps[-1].is_repeated:
        steps.pop()
    return tuple(steps)


class _UncertainError(Exception):
    """The nodes that consume a text are not certain."""


def _rests(nodes: Items[Node], text: str, depth: int) -> list[list[Node]]:
    """Returns the nodes after those that consume `text`, for each way to do that."""
    rest = [*nodes]
    while text:
        if not rest or depth > _MAX_DEPTH:
            raise _UncertainError
        node = rest.pop(0)
        match node:
            case Chars():
                if not any(fold(chr(unit)) == text[0] for unit in _with_case(text[0]) if unit in node.units):
                    return []
                text = text[1:]
            case Sequence() if node is not ANYTHING:
                rest[:0] = node.items
            case Group() | Capture():
                rest.insert(0, node.body)
            case Assertion() | Look():
                pass
            case Repeat() if node.minimum == node.maximum and node.minimum <= len(text):
                rest[:0] = [node.body] * node.minimum
            case Alternation():
                return [found for branch in node.branches for found in _rests([branch, *rest], text, depth + 1)]
            case _:
                raise _UncertainError
    return [rest]


def _with_case(folded: str) -> set[int]:
    return {ord(folded), ord(folded.upper())} if folded.isascii() else {ord(folded)}
