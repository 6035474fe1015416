"""The final form of a pattern: what must be matched for a match that no continuation of the text can undo.

A stream is matched while it comes. Over a prefix, what lies past its end is unknown: text may go on or end. A pattern
is *final* there when some way of matching it is true whatever follows (three-valued logic over the prefix). The final
form is an ordinary tree that matches the prefix exactly then. It is made of two readings of each node, *must* (true
whatever follows) and *may* (true for something that follows), which swap under negation. Final at a prefix means final
at all that extend it. At the end of a block nothing is unknown, and the pattern itself decides.
"""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.bottom_up import evaluate, evaluate_in_context
from ttsr_ls.esregex.escapes import LINE_TERMINATORS
from ttsr_ls.esregex.horizon import is_end_sensitive as is_end_sensitive
from ttsr_ls.esregex.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    CharForm,
    Chars,
    Group,
    Look,
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.unit_set import EVERY_UNIT, NO_UNIT, UnitSet
from ttsr_ls.esregex.widths import greatest_width, least_width
from ttsr_ls.text import Span


class _Reading(Enum):
    MUST = "true whatever follows the known text"
    MAY = "true for something that may follow; the place is known text"
    MAY_PAST_END = "as MAY, but where the known text ends, the place may stand for one somewhere after it"


class _Context(Struct, frozen=True):
    """How a node is read, and in which direction it is matched; `moved` if a unit was certainly consumed before."""

    reading: _Reading
    backward: bool
    moved: bool = False


_MUST = _Context(_Reading.MUST, backward=False)


def final_form(pattern: Pattern) -> Pattern:
    """A pattern that matches a text exactly when `pattern` matches it and all its continuations for good.

    `pattern` itself where no continuation can undo a match. A pattern with a backreference in a lookaround, or to a
    group in one, is final only at the end of its block: its final form never matches.
    """
    if not is_end_sensitive(pattern):
        return pattern
    if _refers_in_or_into_look(pattern.root):
        root: Node = Chars(pattern.root.span, NO_UNIT, CharForm.CLASS)
    else:
        widths = _widths(pattern.root)
        root = evaluate_in_context(
            pattern.root, _MUST, lambda node, context: _contexts_below(node, context, widths), _read
        )
    return replace(pattern, root=root)


def _contexts_below(node: Node, context: _Context, widths: dict[int, tuple[int, int]]) -> tuple[_Context, ...]:
    match node:
        case Look():
            return (_context_of_body(node.kind, context),)
        case Sequence():
            contexts = []
            for item in node.items:
                contexts.append(context)
                least, greatest = widths[id(item)]
                if greatest:
                    context = _moved_on(context)
                if least:
                    context = replace(context, moved=True)
            return tuple(contexts)
        case Repeat():
            return (_moved_on(context) if widths[id(node)][1] else context,)
        case Alternation():
            return (context,) * len(node.branches)
        case Capture() | Group():
            return (context,)
        case Chars() | Assertion() | Backreference():
            return ()
        case _:
            assert_never(node)


def _context_of_body(kind: LookKind, context: _Context) -> _Context:
    if not kind.is_negated:
        reading = context.reading
    elif context.reading is _Reading.MUST:
        reading = _Reading.MAY
    else:
        reading = _Reading.MUST
    if kind.is_behind and reading is _Reading.MAY_PAST_END:
        # The look as a whole is let pass where the text ends (see `_read_look`); before that, all places are known.
        reading = _Reading.MAY
    return _Context(reading, kind.is_behind, context.moved and not kind.is_behind)


def _moved_on(context: _Context) -> _Context:
    """The context after a node that may consume. Matching backward, that is known text."""
    if context.reading is _Reading.MAY and not context.backward:
        return replace(context, reading=_Reading.MAY_PAST_END)
    return context


def _read(node: Node, context: _Context, below: tuple[Node, ...]) -> Node:
    match node:
        case Chars():
            if context.reading is _Reading.MUST or context.backward or not node.units:
                return node
            return _or_input_end(node)
        case Assertion():
            return _read_assertion(node, context)
        case Look():
            return _read_look(node, context, below[0])
        case Capture() | Group() | Repeat():
            return replace(node, body=below[0])
        case Sequence():
            return replace(node, items=below)
        case Alternation():
            return replace(node, branches=below)
        case Backreference():
            return node
        case _:
            assert_never(node)


def _read_assertion(node: Assertion, context: _Context) -> Node:
    must = context.reading is _Reading.MUST
    match node.kind:
        case AssertionKind.INPUT_START:
            # Where the known text is empty, its end must not pass for a place further on that is the start.
            impossible = context.moved and not context.backward
            return Chars(node.span, NO_UNIT, CharForm.CLASS) if impossible else node
        case AssertionKind.LINE_START:
            return _or_input_end(node) if context.reading is _Reading.MAY_PAST_END else node
        case AssertionKind.INPUT_END:
            return Chars(node.span, NO_UNIT, CharForm.CLASS) if must else node
        case AssertionKind.LINE_END:
            return _followed_by(LINE_TERMINATORS, node.span) if must else node
        case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
            if must:
                return Sequence(node.span, (node, _followed_by(EVERY_UNIT, node.span)))
            return _or_input_end(node)
        case _:
            assert_never(node.kind)


def _read_look(node: Look, context: _Context, body: Node) -> Node:
    look = replace(node, body=body)
    if context.reading is _Reading.MAY_PAST_END and node.kind is not LookKind.AHEAD:
        # It would look at the place where the known text ends instead of the one that is meant. A lookahead that is
        # not negated does not need this: all that it can ask for there may come.
        return _or_input_end(look)
    return look


def _or_input_end(node: Node) -> Node:
    return Alternation(node.span, (node, Assertion(node.span, AssertionKind.INPUT_END)))


def _followed_by(units: UnitSet, span: Span) -> Node:
    return Look(span, LookKind.AHEAD, Chars(span, units, CharForm.CLASS))


def _widths(root: Node) -> dict[int, tuple[int, int]]:
    """How many units each node, by identity, consumes at least and at most."""
    found: dict[int, tuple[int, int]] = {}

    def combine(node: Node, below: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        least = least_width(node, tuple(least for least, _ in below))
        greatest = greatest_width(node, tuple(greatest for _, greatest in below))
        found[id(node)] = width = least, greatest
        return width

    evaluate(root, combine)
    return found


def _refers_in_or_into_look(root: Node) -> bool:
    captures_in_looks: set[int] = set()
    read: set[int] = set()
    pending = [(root, False)]
    while pending:
        node, in_look = pending.pop()
        match node:
            case Backreference():
                if in_look:
                    return True
                read.update(node.groups)
            case Capture():
                if in_look:
                    captures_in_looks.add(node.index)
                pending.append((node.body, in_look))
            case Look():
                pending.append((node.body, True))
            case Group() | Repeat():
                pending.append((node.body, in_look))
            case Sequence():
                pending.extend((item, in_look) for item in node.items)
            case Alternation():
                pending.extend((branch, in_look) for branch in node.branches)
            case Chars() | Assertion():
                pass
            case _:
                assert_never(node)
    return bool(captures_in_looks & read)
