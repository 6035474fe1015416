"""The final form of a pattern: a pattern that matches where no continuation of the text can undo a match.

A stream is matched while it arrives. Over a prefix, the text past its end is unknown: it may go on or end. A pattern is
*final* there when some way of matching it is true whatever follows (three-valued logic over the prefix). The final form
is an ordinary tree that matches the prefix exactly then. It combines two readings of each node, *must* (true whatever
follows) and *may* (true for some continuation), which swap under negation. A pattern that is final at a prefix is final
at all continuations. At the end of a block nothing is unknown, and the pattern itself decides.
"""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.finality.constant_assertions import fold_assertions_incrementally
from ttsr_ls.esregex.finality.horizon import is_end_sensitive as is_end_sensitive
from ttsr_ls.esregex.finality.horizon import is_end_sensitive_incrementally
from ttsr_ls.esregex.finality.open_form import FormTooLarge, OpenForm, closed_form, open_form
from ttsr_ls.esregex.finality.past_end import MatchPastEnd, matches_past_end
from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS
from ttsr_ls.esregex.tree.backreferences import backreferences_incrementally
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
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, NO_UNIT, UnitSet
from ttsr_ls.text import Span


class _Reading(Enum):
    MUST = "true whatever follows the known text"
    MAY = "true for something that may follow"


class _Context(Struct, frozen=True):
    """The reading of a node, and the direction in which it is matched."""

    reading: _Reading
    backward: bool


_MUST = _Context(_Reading.MUST, backward=False)


def final_form(pattern: Pattern) -> Pattern:
    """Returns a pattern that matches a text exactly when `pattern` matches the text and all its continuations.

    Returns `pattern` itself if no continuation can undo a match. A pattern with a backreference in a lookaround, or to
    a group in one, is final only at the end of its block: its final form never matches. The same holds for a pattern
    whose form would be too large.
    """
    return run_to_completion(final_form_incrementally(pattern))


def final_form_incrementally(pattern: Pattern) -> Incremental[Pattern]:
    """The same as `final_form`, in portions."""
    if not (yield from is_end_sensitive_incrementally(pattern)):
        return pattern
    folded_pattern = yield from fold_assertions_incrementally(pattern)
    return replace(pattern, root=(yield from _final_root(folded_pattern)))


def _final_root(pattern: Pattern) -> Incremental[Node]:
    root = pattern.root
    never = Chars(root.span, NO_UNIT, CharForm.CLASS)
    # Most patterns have no backreferences, and those that do are small.
    if (yield from backreferences_incrementally(pattern)) and _refers_in_or_into_look(root):
        return never
    match_past_ends = yield from matches_past_end(root)
    try:
        form = yield from fold_tree_in_context(
            root,
            _MUST,
            _contexts_below,
            lambda node, context, child_results: _read(node, context, child_results, match_past_ends[id(node)]),
        )
    except FormTooLarge:
        return never
    return form.stays


def _contexts_below(node: Node, context: _Context) -> tuple[_Context, ...]:
    match node:
        case Look():
            return (_context_of_body(node.kind, context),)
        case Sequence():
            return (context,) * len(node.items)
        case Alternation():
            return (context,) * len(node.branches)
        case Capture() | Group() | Repeat():
            return (context,)
        case Chars() | Assertion() | Backreference():
            return ()
        case _:
            assert_never(node)


def _context_of_body(kind: LookKind, context: _Context) -> _Context:
    if not kind.is_negated:
        return _Context(context.reading, kind.is_behind)
    opposite = _Reading.MAY if context.reading is _Reading.MUST else _Reading.MUST
    return _Context(opposite, kind.is_behind)


def _read(node: Node, context: _Context, child_results: tuple[OpenForm, ...], match_past_end: MatchPastEnd) -> OpenForm:
    if context.reading is _Reading.MAY and not context.backward:
        return open_form(node, child_results, match_past_end)
    return closed_form(_read_closed(node, context, child_results), child_results, match_past_end)


def _read_closed(node: Node, context: _Context, child_results: tuple[OpenForm, ...]) -> Node:
    """A node whose path cannot leave the known text: it must match, or it is matched backward."""
    match node:
        case Chars() | Backreference():
            return node
        case Assertion():
            return _read_assertion(node, context)
        case Look() | Capture() | Group() | Repeat():
            return replace(node, body=child_results[0].either)
        case Sequence():
            return replace(node, items=tuple(form.either for form in child_results))
        case Alternation():
            return replace(node, branches=tuple(form.either for form in child_results))
        case _:
            assert_never(node)


def _read_assertion(node: Assertion, context: _Context) -> Node:
    must = context.reading is _Reading.MUST
    match node.kind:
        case AssertionKind.INPUT_START | AssertionKind.LINE_START:
            return node
        case AssertionKind.INPUT_END:
            return Chars(node.span, NO_UNIT, CharForm.CLASS) if must else node
        case AssertionKind.LINE_END:
            return _followed_by(LINE_TERMINATORS, node.span) if must else node
        case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
            if must:
                return Sequence(node.span, (node, _followed_by(EVERY_UNIT, node.span)))
            return Alternation(node.span, (node, Assertion(node.span, AssertionKind.INPUT_END)))
        case _:
            assert_never(node.kind)


def _followed_by(units: UnitSet, span: Span) -> Node:
    return Look(span, LookKind.AHEAD, Chars(span, units, CharForm.CLASS))


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
