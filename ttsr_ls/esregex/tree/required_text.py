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
_MIN_LENGTH = 2
_MAX_PARTS = 3

AnyOf = frozenset[str]
"""Texts in lower-case ASCII, one of which is required."""

_EMPTY: AnyOf = frozenset({""})


class _RequiredTexts(Struct, frozen=True):
    """The texts that a node requires: `exact` are all texts that it matches, None if they are too many; `parts` are
    required."""

    exact: AnyOf | None
    parts: tuple[AnyOf, ...]


_UNKNOWN = _RequiredTexts(None, ())


def required_text(pattern: Pattern) -> tuple[AnyOf, ...]:
    """Returns at most three sets of texts: a text in which the pattern matches contains, in lower case, one text of
    each set.

    The set that is most likely to be missing comes first. Empty if nothing is known.
    """
    required = fold_tree(simplify(pattern).root, _required)
    found = dict.fromkeys(part for part in _all_parts(required) if _is_selective(part))
    return tuple(sorted(found, key=_selectivity, reverse=True)[:_MAX_PARTS])


def _required(node: Node, child_results: tuple[_RequiredTexts, ...]) -> _RequiredTexts:
    match node:
        case Chars():
            chars = _folded(node.units)
            return _UNKNOWN if chars is None else _RequiredTexts(chars, ())
        case Assertion():
            return _RequiredTexts(_EMPTY, ())
        case Look():
            is_positive = node.kind in (LookKind.AHEAD, LookKind.BEHIND)
            return _RequiredTexts(_EMPTY, _all_parts(child_results[0]) if is_positive else ())
        case Backreference():
            return _UNKNOWN
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            return _required_by_repeat(node, child_results[0])
        case Sequence():
            return _required_by_sequence(child_results)
        case Alternation():
            return _required_by_alternation(child_results)
        case _:
            assert_never(node)


def _required_by_repeat(node: Repeat, body: _RequiredTexts) -> _RequiredTexts:
    if node.maximum == 0:
        return _RequiredTexts(_EMPTY, ())
    if node.minimum == 0:
        # An optional part requires no text. If it occurs at most once, its exact texts are still known.
        optional = node.maximum == 1 and body.exact is not None and not body.parts
        return _RequiredTexts(body.exact | _EMPTY, ()) if optional and body.exact is not None else _UNKNOWN
    if node.minimum == node.maximum == 1:
        return body
    return _RequiredTexts(None, _all_parts(body))


def _required_by_sequence(child_results: tuple[_RequiredTexts, ...]) -> _RequiredTexts:
    parts: list[AnyOf] = []
    running: AnyOf = _EMPTY
    whole: AnyOf | None = _EMPTY
    for required in child_results:
        parts += required.parts
        joined = None if required.exact is None else _joined(running, required.exact)
        if joined is None:
            parts.append(running)
            running = _EMPTY if required.exact is None else required.exact
            whole = None
        else:
            running = joined
    parts.append(running)
    kept = tuple(
        sorted({part for part in parts if _is_selective(part)}, key=_selectivity, reverse=True)[: 2 * _MAX_PARTS]
    )
    if whole is not None:
        return _RequiredTexts(running, tuple(part for part in kept if part != running))
    return _RequiredTexts(None, kept)


def _required_by_alternation(child_results: tuple[_RequiredTexts, ...]) -> _RequiredTexts:
    if all(required.exact is not None and not required.parts for required in child_results):
        together = frozenset[str]().union(*(required.exact for required in child_results if required.exact is not None))
        if len(together) <= _MAX_CHOICES:
            return _RequiredTexts(together, ())
    best = [
        max(filter(_is_selective, _all_parts(required)), key=_selectivity, default=None) for required in child_results
    ]
    union = frozenset[str]().union(*(part for part in best if part is not None))
    if None in best or len(union) > _MAX_CHOICES:
        return _UNKNOWN
    return _RequiredTexts(None, (union,))


def _all_parts(required: _RequiredTexts) -> tuple[AnyOf, ...]:
    return required.parts if required.exact is None else (*required.parts, required.exact)


def _joined(left: AnyOf, right: AnyOf) -> AnyOf | None:
    if len(left) * len(right) > _MAX_CHOICES:
        return None
    texts = frozenset(first + second for first, second in product(left, right))
    return texts if max(map(len, texts), default=0) <= _MAX_LENGTH else None


def _is_selective(part: AnyOf) -> bool:
    return bool(part) and min(map(len, part)) >= _MIN_LENGTH


def _selectivity(part: AnyOf) -> tuple[int, int, list[str]]:
    """A sort key that is greater for rarer texts: long ones, and few alternatives. The texts make the order certain."""
    return min(map(len, part)), -len(part), sorted(part)


def _folded(units: UnitSet) -> AnyOf | None:
    if units.size > 2 * _MAX_CHOICES:
        return None
    chars = {chr(unit) for low, high in units.ranges for unit in range(low, high + 1)}
    folded = frozenset(char.lower() for char in chars if char.isascii())
    return folded if all(map(str.isascii, chars)) and len(folded) <= _MAX_CHOICES else None
