"""Forms of a node that match where the node *may* match: its path stays within the known text, or leaves it.

A tree cannot express a position past the end of the known text: the end represents all of them. Most nodes may match at
such a position exactly if they may match at the end, and one flat form serves both. `^`, lookbehinds, most negated
lookaheads, and constants distinguish the two, so the paths that stay and the paths that leave are separate forms.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.finality.past_end import MatchPastEnd
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
from ttsr_ls.text import Span

MAX_NODES = 200_000
"""How many nodes the form of a whole pattern may have. Nodes that tell the end from positions past it are needed twice,
and such nodes may be nested."""


class FormTooLarge(Exception):
    """The forms have more than `MAX_NODES` nodes."""


class OpenForm(Struct, frozen=True):
    """The forms of one node."""

    stays: Node
    """All of the path lies in the known text."""
    leaves: Node | None
    """The path starts in the known text and ends past it; matches up to the end. None where no path does."""
    flat: Node | None
    """Both, also where the end stands for a position past it. None where those differ."""
    past: MatchPastEnd
    size: int
    """How many nodes `stays` and `flat` have, each, at most."""
    size_leaving: int
    """How many nodes `leaves` has, at most."""

    @property
    def either(self) -> Node:
        """Either the path stays, or it leaves."""
        if self.flat is not None:
            return self.flat
        return self.stays if self.leaves is None else _any_of((self.stays, self.leaves))


def closed_form(node: Node, below: tuple[OpenForm, ...], past: MatchPastEnd) -> OpenForm:
    """Returns the form of a node whose path cannot leave the known text, so that `node` is its only reading."""
    return _form(node, None, node, past, below)


def open_form(node: Node, below: tuple[OpenForm, ...], past: MatchPastEnd) -> OpenForm:
    """Returns the forms of a node that is matched forward, given the forms of its children."""
    match node:
        case Chars():
            end = Assertion(node.span, AssertionKind.INPUT_END)
            flat = _any_of((node, end))
            return OpenForm(node, end, flat, past, 3, 1) if node.units else OpenForm(node, None, None, past, 1, 0)
        case Assertion():
            return _of_assertion(node, past)
        case Look():
            return _of_look(node, below[0], past)
        case Capture() | Group():
            return below[0]
        case Backreference():
            return OpenForm(node, None, node, past, 1, 0)
        case Repeat():
            return _of_repeat(node, below[0], past)
        case Sequence():
            return _of_sequence(node, below, past)
        case Alternation():
            stays = replace(node, branches=tuple(each.stays for each in below))
            leaving = tuple(each.leaves for each in below if each.leaves is not None)
            leaves = _any_of(leaving) if leaving else None
            flat_branches = _flat(below)
            both = None if flat_branches is None else replace(node, branches=flat_branches)
            return _form(stays, leaves, both, past, below)
        case _:
            assert_never(node)


def _of_assertion(node: Assertion, past: MatchPastEnd) -> OpenForm:
    match node.kind:
        case AssertionKind.INPUT_START | AssertionKind.LINE_START:
            return OpenForm(node, None, None, past, 1, 0)
        case AssertionKind.INPUT_END | AssertionKind.LINE_END:
            return OpenForm(node, None, node, past, 1, 0)
        case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
            either = _any_of((node, Assertion(node.span, AssertionKind.INPUT_END)))
            return OpenForm(either, None, either, past, 3, 0)
        case _:
            assert_never(node.kind)


def _of_look(node: Look, body: OpenForm, past: MatchPastEnd) -> OpenForm:
    """The body of a negated look is in its other reading, which is closed."""
    look = replace(node, body=body.either)
    is_flat = node.kind is LookKind.AHEAD and body.flat is not None
    return OpenForm(look, None, look if is_flat else None, past, body.size + body.size_leaving + 1, 0)


def _of_repeat(node: Repeat, body: OpenForm, past: MatchPastEnd) -> OpenForm:
    stays = replace(node, body=body.stays)
    leaves: Node | None = None
    if body.leaves is not None and node.maximum != 0:
        # The rounds before the one that leaves; the rounds after it are past the end.
        least = 0 if body.past.is_possible else max(0, node.minimum - 1)
        most = None if node.maximum is None else node.maximum - 1
        leaves = Sequence(node.span, (replace(stays, minimum=least, maximum=most), body.leaves))
    flat = None if body.flat is None else replace(node, body=body.flat)
    return _form(stays, leaves, flat, past, (body,))


def _of_sequence(node: Sequence, below: tuple[OpenForm, ...], past: MatchPastEnd) -> OpenForm:
    leaves: Node | None = None
    is_possible = True
    for part in reversed(_parts(node.span, below)):
        ways = [part.leaves] if part.leaves is not None and is_possible else []
        if leaves is not None:
            ways.append(Sequence(node.span, (part.stays, leaves)))
        leaves = _any_of(tuple(ways)) if ways else None
        is_possible = is_possible and part.past.is_possible
    stays = replace(node, items=tuple(each.stays for each in below))
    flat = _flat(below)
    both = None if flat is None else replace(node, items=flat)
    return _form(stays, leaves, both, past, below)


def _parts(span: Span, below: tuple[OpenForm, ...]) -> list[OpenForm]:
    """The items of a sequence, with runs of flat items as one: a long text is not nested as deep as it is long."""
    parts: list[OpenForm] = []
    run: list[OpenForm] = []
    for item in below:
        if item.flat is not None:
            run.append(item)
            continue
        if run:
            parts.append(_run(span, run))
            run = []
        parts.append(item)
    if run:
        parts.append(_run(span, run))
    return parts


def _run(span: Span, items: list[OpenForm]) -> OpenForm:
    """A sequence of flat items. The last item that may leave does so whichever item left before it."""
    last = max((index for index, item in enumerate(items) if item.leaves is not None), default=None)
    leaves: Node | None = None
    if last is not None and (way := items[last].leaves) is not None:
        leaves = Sequence(span, (*(item.either for item in items[:last]), way))
    stays = Sequence(span, tuple(item.stays for item in items))
    return OpenForm(stays, leaves, None, MatchPastEnd(is_possible=True, is_certain=False), 0, 0)


def _flat(below: tuple[OpenForm, ...]) -> tuple[Node, ...] | None:
    """The flat forms of all children."""
    flat = tuple(each.flat for each in below if each.flat is not None)
    return flat if len(flat) == len(below) else None


def _any_of(branches: tuple[Node, ...]) -> Node:
    return branches[0] if len(branches) == 1 else Alternation(branches[0].span, branches)


def _form(
    stays: Node, leaves: Node | None, flat: Node | None, past: MatchPastEnd, below: tuple[OpenForm, ...]
) -> OpenForm:
    """Raises `FormTooLarge`."""
    size = 1 + sum(each.size for each in below)
    size_leaving = 0 if leaves is None else 4 + sum(each.size_leaving + 2 * each.size + 4 for each in below)
    if size + size_leaving > MAX_NODES:
        raise FormTooLarge
    return OpenForm(stays, leaves, flat, past, size, size_leaving)
