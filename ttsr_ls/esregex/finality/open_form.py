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
"""How many nodes the form of a whole pattern may have. Nodes that distinguish the end from positions past it are
copied, and such nodes may be nested."""


class FormTooLarge(Exception):
    """The forms have more than `MAX_NODES` nodes."""


class OpenForm(Struct, frozen=True):
    """The forms of one node of a pattern, by whether its match may end past the known text."""

    stays: Node
    """All of the path lies in the known text."""
    leaves: Node | None
    """The path starts in the known text and ends past it; matches up to the end. None where no path does."""
    flat: Node | None
    """Both kinds of paths, with the end of the text also for positions past it. None if the node distinguishes them."""
    past: MatchPastEnd
    size: int
    """The greatest number of nodes of `stays`, and of `flat`."""
    size_leaving: int
    """The greatest number of nodes of `leaves`."""

    @property
    def either(self) -> Node:
        """A form for both kinds of paths."""
        if self.flat is not None:
            return self.flat
        return self.stays if self.leaves is None else _any_of((self.stays, self.leaves))


def closed_form(node: Node, child_results: tuple[OpenForm, ...], match_past_end: MatchPastEnd) -> OpenForm:
    """Returns the form of a node whose path cannot leave the known text, so that `node` is its only reading."""
    return _form(node, None, node, match_past_end, child_results)


def open_form(node: Node, child_results: tuple[OpenForm, ...], match_past_end: MatchPastEnd) -> OpenForm:
    """Returns the forms of a node that is matched forward, given the forms of its children."""
    match node:
        case Chars():
            end = Assertion(node.span, AssertionKind.INPUT_END)
            flat = _any_of((node, end))
            return (
                OpenForm(node, end, flat, match_past_end, 3, 1)
                if node.units
                else OpenForm(node, None, None, match_past_end, 1, 0)
            )
        case Assertion():
            return _open_assertion(node, match_past_end)
        case Look():
            return _open_look(node, child_results[0], match_past_end)
        case Capture() | Group():
            return child_results[0]
        case Backreference():
            return OpenForm(node, None, node, match_past_end, 1, 0)
        case Repeat():
            return _open_repeat(node, child_results[0], match_past_end)
        case Sequence():
            return _open_sequence(node, child_results, match_past_end)
        case Alternation():
            alternation = replace(node, branches=tuple(form.stays for form in child_results))
            leaving = tuple(form.leaves for form in child_results if form.leaves is not None)
            leaves = _any_of(leaving) if leaving else None
            flat_branches = _flat(child_results)
            both_alternation = None if flat_branches is None else replace(node, branches=flat_branches)
            return _form(alternation, leaves, both_alternation, match_past_end, child_results)
        case _:
            assert_never(node)


def _open_assertion(node: Assertion, match_past_end: MatchPastEnd) -> OpenForm:
    match node.kind:
        case AssertionKind.INPUT_START | AssertionKind.LINE_START:
            return OpenForm(node, None, None, match_past_end, 1, 0)
        case AssertionKind.INPUT_END | AssertionKind.LINE_END:
            return OpenForm(node, None, node, match_past_end, 1, 0)
        case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
            either = _any_of((node, Assertion(node.span, AssertionKind.INPUT_END)))
            return OpenForm(either, None, either, match_past_end, 3, 0)
        case _:
            assert_never(node.kind)


def _open_look(node: Look, body: OpenForm, match_past_end: MatchPastEnd) -> OpenForm:
    """Returns the forms of a lookaround. The body of a negated one has the opposite polarity, so its form is closed."""
    lookaround = replace(node, body=body.either)
    is_flat = node.kind is LookKind.AHEAD and body.flat is not None
    return OpenForm(
        lookaround, None, lookaround if is_flat else None, match_past_end, body.size + body.size_leaving + 1, 0
    )


def _open_repeat(node: Repeat, body: OpenForm, match_past_end: MatchPastEnd) -> OpenForm:
    repeat = replace(node, body=body.stays)
    leaves: Node | None = None
    if body.leaves is not None and node.maximum != 0:
        # The rounds before the one that leaves; the rounds after it are past the end.
        minimum = 0 if body.past.is_possible else max(0, node.minimum - 1)
        most = None if node.maximum is None else node.maximum - 1
        leaves = Sequence(node.span, (replace(repeat, minimum=minimum, maximum=most), body.leaves))
    flat = None if body.flat is None else replace(node, body=body.flat)
    return _form(repeat, leaves, flat, match_past_end, (body,))


def _open_sequence(node: Sequence, child_results: tuple[OpenForm, ...], match_past_end: MatchPastEnd) -> OpenForm:
    leaves: Node | None = None
    is_possible = True
    for part in reversed(_parts(node.span, child_results)):
        paths = [part.leaves] if part.leaves is not None and is_possible else []
        if leaves is not None:
            paths.append(Sequence(node.span, (part.stays, leaves)))
        leaves = _any_of(tuple(paths)) if paths else None
        is_possible = is_possible and part.past.is_possible
    sequence = replace(node, items=tuple(form.stays for form in child_results))
    flat = _flat(child_results)
    both_sequence = None if flat is None else replace(node, items=flat)
    return _form(sequence, leaves, both_sequence, match_past_end, child_results)


def _parts(span: Span, child_results: tuple[OpenForm, ...]) -> list[OpenForm]:
    """Returns the items of a sequence, with each run of flat items as one: the form of a long text must not be deep."""
    parts: list[OpenForm] = []
    run: list[OpenForm] = []
    for item in child_results:
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
    """Returns the form of a sequence of flat items. The flat forms of the items before the last one that may leave also
    cover paths that left earlier.
    """
    last = max((index for index, item in enumerate(items) if item.leaves is not None), default=None)
    leaves: Node | None = None
    if last is not None and (leaving := items[last].leaves) is not None:
        leaves = Sequence(span, (*(item.either for item in items[:last]), leaving))
    sequence = Sequence(span, tuple(item.stays for item in items))
    return OpenForm(sequence, leaves, None, MatchPastEnd(is_possible=True, is_certain=False), 0, 0)


def _flat(child_results: tuple[OpenForm, ...]) -> tuple[Node, ...] | None:
    """Returns the flat forms of all children; None if one has none."""
    flat = tuple(form.flat for form in child_results if form.flat is not None)
    return flat if len(flat) == len(child_results) else None


def _any_of(branches: tuple[Node, ...]) -> Node:
    return branches[0] if len(branches) == 1 else Alternation(branches[0].span, branches)


def _form(
    node: Node,
    leaves: Node | None,
    flat: Node | None,
    match_past_end: MatchPastEnd,
    child_results: tuple[OpenForm, ...],
) -> OpenForm:
    """Raises `FormTooLarge`."""
    size = 1 + sum(form.size for form in child_results)
    size_leaving = 0 if leaves is None else 4 + sum(form.size_leaving + 2 * form.size + 4 for form in child_results)
    if size + size_leaving > MAX_NODES:
        raise FormTooLarge
    return OpenForm(node, leaves, flat, match_past_end, size, size_leaving)
