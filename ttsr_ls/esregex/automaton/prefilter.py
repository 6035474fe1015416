"""What of a pattern is enough to know where it cannot match: its end, without what remembers text long gone.

`import\\s+[^;\\n]*from\\s+'axios'` matches nowhere but where `axios'` does. To know where that is takes no more memory
than the last few units, while the whole pattern has to remember for a line that there was an `import`; and each such
memory multiplies the states of an automaton over many patterns.
"""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from ttsr_ls.esregex.automaton.shape import part_of, single_unit_set, ungrouped
from ttsr_ls.esregex.bottom_up import evaluate
from ttsr_ls.esregex.escapes import WORD_UNITS
from ttsr_ls.esregex.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
)
from ttsr_ls.esregex.unit_set import UnitSet

_DISTINCT = 3
"""What is left of a pattern has to start with so many units of words, each of which can only be one of `_FEW`."""
_FEW = 4
_OFTEN = 4
"""A loop that may go round more often than this remembers something, if it is over more than `_MANY` units of ASCII."""
_MANY = 16
_LAST_OF_ASCII = 0x7F


def prefilter(pattern: Pattern) -> Pattern | None:
    """A pattern without a long memory that ends wherever `pattern` does, and is final there no later.

    None if there is none that is likely to match seldom, or if `pattern` needs none.
    """
    root = ungrouped(pattern.root)
    if not isinstance(root, Sequence):
        return None
    items = root.items
    # Characters are most of what patterns are made of, and have none.
    traits = {
        index: _traits(item)
        for index, item in enumerate(items)
        if type(item) is not Chars and type(item) is not Assertion
    }
    remembering = [index for index, each in traits.items() if _Trait.LONG_LOOP in each]
    if not remembering or any(_Trait.LOOKS_ON in each for each in traits.values()):
        return None
    last_look = max((index for index, each in traits.items() if _Trait.LOOK in each), default=-1)
    best: tuple[bool, int, int] | None = None
    distinct = 0
    for index in range(len(items) - 1, max(last_look, remembering[0]), -1):
        own, is_all = evaluate(items[index], _distinct)
        distinct = own + distinct if is_all else own
        if distinct >= _DISTINCT and not isinstance(items[index], Assertion):
            found = (index > remembering[-1], distinct, index)
            best = found if best is None else max(best, found)
    if best is None:
        return None
    start = best[2]
    while isinstance(items[start - 1], Assertion):
        start -= 1
    return part_of(pattern, items[start:])


class _Trait(Enum):
    """What some node of a tree is."""

    LONG_LOOP = "remembers something"
    LOOK = "looks around"
    LOOKS_ON = "what a match needs may come after its end, or is no set of texts"


def _traits(item: Node) -> set[_Trait]:
    found: set[_Trait] = set()
    for node in walk(item):
        kind = type(node)
        if kind is Chars:
            continue
        if isinstance(node, Repeat):
            units = single_unit_set(node.body) if node.maximum is None or node.maximum > _OFTEN else None
            if units is not None and _ascii_size(units) > _MANY:
                found.add(_Trait.LONG_LOOP)
        elif isinstance(node, Look):
            found |= {_Trait.LOOK} if node.kind.is_behind else {_Trait.LOOK, _Trait.LOOKS_ON}
        elif kind is Backreference:
            found.add(_Trait.LOOKS_ON)
    return found


def _ascii_size(units: UnitSet) -> int:
    return sum([min(high, _LAST_OF_ASCII) - low + 1 for low, high in units.ranges if low <= _LAST_OF_ASCII])


def _distinct(node: Node, below: tuple[tuple[int, bool], ...]) -> tuple[int, bool]:
    """How many units of words are in what every match starts with, as far as each unit is one of few.

    Beside it, whether that is all of it. For `evaluate`.
    """
    match node:
        case Assertion():
            return 0, True
        case Chars():
            if node.units.size > _FEW:
                return 0, False
            return int(all(low in WORD_UNITS and high in WORD_UNITS for low, high in node.units.ranges)), True
        case Group() | Capture():
            return below[0]
        case Sequence():
            count = 0
            for own, is_all in below:
                count += own
                if not is_all:
                    return count, False
            return count, True
        case Alternation():
            return min(count for count, _ in below), all(is_all for _, is_all in below)
        case Repeat():
            return below[0][0] if node.minimum else 0, False
        case Look() | Backreference():
            return 0, False
        case _:
            assert_never(node)
