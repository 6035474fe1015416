"""Patterns that only require several texts to occur, in any order: `(?=[\\s\\S]*a)(?=[\\s\\S]*b)`.

Authors use them for "a file that contains both", and `^(?![\\s\\S]*c)` for "and does not contain that". The lookaheads
skip any text, so the start of the text is the best position for all of them, and each is a separate pattern that occurs
or does not. Matched separately, they need no pending lookaheads, and no thread that lives through the whole text.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.esregex.automaton.nfa.tree_predicates import is_nullable, single_unit_set, without_groups
from ttsr_ls.esregex.tree.nodes import (
    Assertion,
    AssertionKind,
    Backreference,
    Chars,
    Look,
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT

_LOOKS_AHEAD = re.compile(r"\^?(?:\(\?:)*\(\?[=!]")


class Conjunction(Struct, frozen=True):
    """A pattern that matches a text in which all of `present` match and none of `absent`.

    If nothing has to be absent, it is final where all of `present` are; otherwise it is never final before the text
    ends.
    """

    present: tuple[Pattern, ...]
    absent: tuple[Pattern, ...]


def conjunction(pattern: Pattern) -> Conjunction | None:
    """Returns the parts of a pattern that is a conjunction; None for any other pattern."""
    if not _LOOKS_AHEAD.match(pattern.source):
        return None
    items = list(_items(pattern.root))
    anchored = False
    while items and isinstance(items[0], Assertion) and items[0].kind is AssertionKind.INPUT_START:
        anchored = True
        del items[0]
    present: list[Pattern] = []
    absent: list[Pattern] = []
    while items and isinstance(items[0], Look) and not items[0].kind.is_behind:
        lookahead = items.pop(0)
        assert isinstance(lookahead, Look)
        occurs = _occurring_items(_items(lookahead.body))
        if occurs is None:
            return None
        (present if lookahead.kind is LookKind.AHEAD else absent).append(_part(pattern, occurs))
    if not all(is_nullable(item) for item in items):
        occurs = _occurring_items(tuple(items))
        if occurs is None:
            return None
        present.append(_part(pattern, occurs))
    if any(isinstance(node, Backreference) for node in walk(pattern.root)):
        return None
    if absent and not (anchored and all(_can_always_match_later(part.root) for part in absent)):
        return None
    return Conjunction(tuple(present), tuple(absent))


def _items(node: Node) -> tuple[Node, ...]:
    node = without_groups(node)
    return node.items if isinstance(node, Sequence) else (node,)


def _occurring_items(items: tuple[Node, ...]) -> tuple[Node, ...] | None:
    r"""Returns the items behind `[\s\S]*` at the start of `items`; None without such a start."""
    first = items[0] if items else None
    if not isinstance(first, Repeat) or first.minimum or first.maximum is not None:
        return None
    return items[1:] if single_unit_set(first.body) == EVERY_UNIT else None


def _part(pattern: Pattern, items: tuple[Node, ...]) -> Pattern:
    return Pattern("", Sequence(pattern.root.span, items), pattern.capture_count, pattern.capture_names)


def _can_always_match_later(root: Node) -> bool:
    """Returns whether every text certainly has a continuation in which `root` matches, also in the logic of
    `finality`."""
    for node in walk(root):
        if isinstance(node, Look) or (isinstance(node, Chars) and not node.units):
            return False
        if isinstance(node, Assertion) and node.kind is AssertionKind.INPUT_START:
            return False
    return True
