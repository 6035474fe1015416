"""Distinguishes the quotes that a condition matches within a command from those of the surrounding JSON (spec M7)."""

from __future__ import annotations

from itertools import takewhile

from ttsr_ls.esregex.parse.escapes import CLASS_ESCAPES
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Assertion, Chars, Node, Repeat, Sequence, walk
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.esregex.tree.widths import first_units

_BLANK = CLASS_ESCAPES["s"]
# Characters that precede an opening quote, and no closing one.
_BEFORE_QUOTES = UnitSet.of([(ord(char), ord(char)) for char in " =("]) | _BLANK
# Beside these characters, a quote belongs to the JSON syntax.
_OPENING = UnitSet.of([(ord(char), ord(char)) for char in ":,{["])
_CLOSING = UnitSet.of([(ord(char), ord(char)) for char in ":,}]"])


def quote_in_command(root: Node) -> Chars | None:
    """Returns a quote in a pattern that begins a quoted text within the command, rather than the end of the command;
    None if there is none.

    An optional quote does not count: the condition matches without it.
    """
    items = root.items if isinstance(root, Sequence) else ()
    has_quotes = False
    for index, item in enumerate(items):
        quote = item.body if isinstance(item, Repeat) and item.minimum else item
        if not isinstance(quote, Chars) or quote.units.single_unit != ord('"'):
            continue
        if _is_in_command(items[:index], items[index + 1 :], may_close=has_quotes):
            return quote
        has_quotes = True
    return None


def _is_in_command(before: tuple[Node, ...], after: tuple[Node, ...], *, may_close: bool) -> bool:
    blanks = tuple(takewhile(_is_before_quotes, reversed(before)))
    if not blanks or len(blanks) == len(before) or _may_open(before[-len(blanks) - 1]):
        return False
    rest = [item for item in after if not _is_blank(item)]
    if not rest:
        # No command ends with a required blank.
        return not may_close and any(isinstance(blank, Chars) or _is_needed(blank) for blank in blanks)
    return not isinstance(rest[0], Assertion) and bool(fold_tree(rest[0], first_units)[0] - _BLANK - _CLOSING)


def _is_before_quotes(item: Node) -> bool:
    body = item.body if isinstance(item, Repeat) else item
    return isinstance(body, Chars) and not body.units - _BEFORE_QUOTES


def _is_blank(item: Node) -> bool:
    body = item.body if isinstance(item, Repeat) else item
    return isinstance(body, Chars) and not body.units - _BLANK


def _is_needed(item: Node) -> bool:
    return isinstance(item, Repeat) and item.minimum > 0


def _may_open(item: Node) -> bool:
    """Returns whether a quote after this item may open a JSON key or value."""
    return any(isinstance(node, Chars) and bool((node.units - _BEFORE_QUOTES) & _OPENING) for node in walk(item))
