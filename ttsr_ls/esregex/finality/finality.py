"""The final form of a pattern: a pattern that matches where no continuation of the text can undo a match.

A stream is matched while it arrives. The text after a prefix is unknown: the stream may continue or end. A pattern is
*final* at a prefix if it has a match that holds for every continuation (three-valued logic over the prefix). The final
form is an ordinary tree that matches exactly these prefixes. It combines two readings of each node, *must* (true for
every continuation) and *may* (true for some continuation), which swap under negation. A pattern that is final at a
prefix is final at all continuations. At the end of a block nothing is unknown, and the pattern itself decides.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.finality.constant_assertions import fold_assertions_incrementally
from ttsr_ls.esregex.finality.horizon import is_end_sensitive_incrementally
from ttsr_ls.esregex.finality.open_form import FormTooLarge, OpenForm, closed_form, open_form
from ttsr_ls.esregex.finality.past_end import MatchPastEnd, matches_past_end
from ttsr_ls.esregex.finality.polarity import Polarity
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
    with_children,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, NO_UNIT, UnitSet
from ttsr_ls.text import Span


class _Context(Struct, frozen=True):
    """The polarity of a node, and the direction in which it is matched."""

    polarity: Polarity
    backward: bool


_MUST = _Context(Polarity.MUST, backward=False)


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
    if (yield from backreferences_incrementally(pattern)) and _has_reference_in_or_to_lookaround(root):
        return never
    past_end_of_nodes = yield from matches_past_end(root)
    try:
        form = yield from fold_tree_in_context(
            root,
            _MUST,
            _contexts_below,
            lambda node, context, child_results: _forms(node, context, child_results, past_end_of_nodes[id(node)]),
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
    return _Context(context.polarity.opposite if kind.is_negated else context.polarity, kind.is_behind)


def _forms(
    node: Node, context: _Context, child_results: tuple[OpenForm, ...], match_past_end: MatchPastEnd
) -> OpenForm:
    if context.polarity is Polarity.MAY and not context.backward:
        return open_form(node, child_results, match_past_end)
    return closed_form(_closed_tree(node, context, child_results), child_results, match_past_end)


def _closed_tree(node: Node, context: _Context, child_results: tuple[OpenForm, ...]) -> Node:
    """Returns the form of a node whose path cannot leave the known text: it must match, or it is matched backward."""
    match node:
        case Chars() | Backreference():
            return node
        case Assertion():
            return _closed_assertion(node, context)
        case Look() | Capture() | Group() | Repeat() | Sequence() | Alternation():
            return with_children(node, tuple(form.either for form in child_results))
        case _:
            assert_never(node)


def _closed_assertion(node: Assertion, context: _Context) -> Node:
    must = context.polarity is Polarity.MUST
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


def _has_reference_in_or_to_lookaround(root: Node) -> bool:
    captures_in_looks: set[int] = set()
    referenced: set[int] = set()
    pending = [(root, False)]
    while pending:
        node, in_look = pending.pop()
        match node:
            case Backreference():
                if in_look:
                    return True
                referenced.update(node.groups)
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
    return bool(captures_in_looks & referenced)
