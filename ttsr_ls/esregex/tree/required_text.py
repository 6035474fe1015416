"""Texts that every match of a pattern contains. A search of many texts for many patterns looks for these first.

Texts are compared without the case of ASCII letters, so that one lower-case copy of a text serves all patterns. The
answer is safe: a text in which the pattern matches contains the required texts.
"""

from __future__ import annotations

from itertools import product
from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.simplify import simplify
from ttsr_ls.esregex.tree.unit_set import UnitSet

_MAX_CHOICES = 16
_MAX_LENGTH = 64
_SHORTEST = 2
_MAX_PARTS = 3

AnyOf = frozenset[str]
"""Texts in lower-case ASCII of which one has to be there."""

_EMPTY: AnyOf = frozenset({""})


class _Needs(Struct, frozen=True):
    """The texts that a node requires: `exact` are all texts that it matches, None if they are too many; `parts` are
    required."""

    exact: AnyOf | None
    parts: tuple[AnyOf, ...]


_NOTHING = _Needs(None, ())


def required_text(pattern: Pattern) -> tuple[AnyOf, ...]:
    """Returns at most three sets of texts: a text in which the pattern matches contains, in lower case, one text of
    each set.

    The set that is most likely to be missing comes first. Empty if nothing is known.
    """
    needs = fold_tree(simplify(pattern).root, _needs)
    found = dict.fromkeys(part for part in _all_parts(needs) if _is_telling(part))
    return tuple(sorted(found, key=_weight, reverse=True)[:_MAX_PARTS])


def _needs(node: Node, child_results: tuple[_Needs, ...]) -> _Needs:
    match node:
        case Chars():
            chars = _folded(node.units)
            return _NOTHING if chars is None else _Needs(chars, ())
        case Assertion():
            return _Needs(_EMPTY, ())
        case Look():
            is_positive = node.kind in (LookKind.AHEAD, LookKind.BEHIND)
            return _Needs(_EMPTY, _all_parts(child_results[0]) if is_positive else ())
        case Backreference():
            return _NOTHING
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            return _needs_of_repeat(node, child_results[0])
        case Sequence():
            return _needs_of_sequence(child_results)
        case Alternation():
            return _needs_of_alternation(child_results)
        case _:
            assert_never(node)


def _needs_of_repeat(node: Repeat, body: _Needs) -> _Needs:
    if node.maximum == 0:
        return _Needs(_EMPTY, ())
    if node.minimum == 0:
        # What may be left out requires nothing; where it may come once, it is still one of few texts.
        optional = node.maximum == 1 and body.exact is not None and not body.parts
        return _Needs(body.exact | _EMPTY, ()) if optional and body.exact is not None else _NOTHING
    if node.minimum == node.maximum == 1:
        return body
    return _Needs(None, _all_parts(body))


def _needs_of_sequence(child_results: tuple[_Needs, ...]) -> _Needs:
    parts: list[AnyOf] = []
    running: AnyOf = _EMPTY
    whole: AnyOf | None = _EMPTY
    for needs in child_results:
        parts += needs.parts
        joined = None if needs.exact is None else _joined(running, needs.exact)
        if joined is None:
            parts.append(running)
            running = _EMPTY if needs.exact is None else needs.exact
            whole = None
        else:
            running = joined
    parts.append(running)
    kept = tuple(sorted({part for part in parts if _is_telling(part)}, key=_weight, reverse=True)[: 2 * _MAX_PARTS])
    if whole is not None:
        return _Needs(running, tuple(part for part in kept if part != running))
    return _Needs(None, kept)


def _needs_of_alternation(child_results: tuple[_Needs, ...]) -> _Needs:
    if all(needs.exact is not None and not needs.parts for needs in child_results):
        together = frozenset[str]().union(*(needs.exact for needs in child_results if needs.exact is not None))
        if len(together) <= _MAX_CHOICES:
            return _Needs(together, ())
    best = [max(filter(_is_telling, _all_parts(needs)), key=_weight, default=None) for needs in child_results]
    union = frozenset[str]().union(*(part for part in best if part is not None))
    if None in best or len(union) > _MAX_CHOICES:
        return _NOTHING
    return _Needs(None, (union,))


def _all_parts(needs: _Needs) -> tuple[AnyOf, ...]:
    return needs.parts if needs.exact is None else (*needs.parts, needs.exact)


def _joined(left: AnyOf, right: AnyOf) -> AnyOf | None:
    if len(left) * len(right) > _MAX_CHOICES:
        return None
    texts = frozenset(first + second for first, second in product(left, right))
    return texts if max(map(len, texts), default=0) <= _MAX_LENGTH else None


def _is_telling(part: AnyOf) -> bool:
    return bool(part) and min(map(len, part)) >= _SHORTEST


def _weight(part: AnyOf) -> tuple[int, int, list[str]]:
    """Long texts are rare, and few are rarer than many; the last makes the order certain."""
    return min(map(len, part)), -len(part), sorted(part)


def _folded(units: UnitSet) -> AnyOf | None:
    if units.size > 2 * _MAX_CHOICES:
        return None
    chars = {chr(unit) for low, high in units.ranges for unit in range(low, high + 1)}
    folded = frozenset(char.lower() for char in chars if char.isascii())
    return folded if all(map(str.isascii, chars)) and len(folded) <= _MAX_CHOICES else None
