"""Required factors of patterns: short texts of which every match contains one.

A pattern of which no factor occurs need not be matched. Hyperscan and `regex-automata` decompose patterns in the same
way. Texts are compared without the case of ASCII letters, so that one search serves all patterns.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Items
from math import log2

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.adjacent_units import ANYTHING, units_after, units_before
from ttsr_ls.esregex.automaton.dfa.fixed_texts import (
    MAX_TEXT_LENGTH,
    MAX_TEXTS,
    NO_TEXT,
    FixedTexts,
    Texts,
    concatenate,
    fixed_texts,
    sequence_likelihood,
)
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
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
from ttsr_ls.esregex.tree.simplify import simplify
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet

_RARE_ENOUGH = 2**-24
"""Longer factors are not rarer in practice."""
_MAX_TEXTS_OF_PATTERN = 256
_MAX_DEPTH = 12
_MAX_ITEMS = 200
_ROUNDING = 1e-6
"""How many bits may be lost when likelihoods are added."""
_BITS_OF_DISTANCE = 6.0
"""How much rarer a factor has to be for each loop over very many units before it."""
_MAX_DISTANCES = 100
"""How many loops count. More would overflow a `float`."""
_LARGE_SET = 70
"""A loop over more ASCII units may match more text than is kept."""


class Factor(Struct, frozen=True, eq=False):
    """A set of texts, folded by `fold`, one of which every match contains. `before` are the nodes that may precede it
    in a match.
    """

    texts: Texts
    before: tuple[Node, ...]
    onward: tuple[Node, ...]
    """The nodes that consume the factor, and the nodes after them, as far as they are known."""
    cased: Texts | None
    """The texts before folding; None if they are too many."""
    previous: UnitSet | None
    """The units that may precede the factor, unless it starts the text; None for any unit."""
    following: UnitSet | None
    """The units that may follow the factor, unless it ends the text; None for any unit."""

    @property
    def width(self) -> int:
        """The length of the longest text."""
        return max(map(len, self.texts))


class Factors(Struct, frozen=True, eq=False):
    """Factors of which every match contains one. `bits` is their rarity: they occur about once in 2 to the power `bits`
    units.
    """

    bits: float
    factors: tuple[Factor, ...]


def required_factors(pattern: Pattern, least_bits: float) -> Factors | None:
    """Returns the best factors of a pattern; None if none are as rare as once in 2 to the power `least_bits` units."""
    factors = _factors_of_node(simplify(pattern).root, (), 0, least_bits)
    if factors is None or factors.bits < least_bits:
        return None
    return factors if sum(len(factor.texts) for factor in factors.factors) <= _MAX_TEXTS_OF_PATTERN else None


def _factors_of_node(node: Node, before: tuple[Node, ...], depth: int, least_bits: float) -> Factors | None:
    """Returns the best factors of a node after the nodes `before`. Factors with fewer bits than `least_bits` may be
    left out."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(node, Alternation):
        return _factors_of_branches(node, before, depth, least_bits)
    # In longer sequences, there is some factor among the first items.
    items = node.items[:_MAX_ITEMS] if isinstance(node, Sequence) else (node,)
    factors = _best_window(items, before, least_bits)
    for index, item in enumerate(items):
        inner: Factors | None = None
        least_bits = least_bits if factors is None else factors.bits
        if isinstance(item, Alternation):
            inner = _factors_of_branches(item, (*before, *items[:index]), depth + 1, least_bits)
        elif isinstance(item, Repeat) and item.minimum:
            inner = _factors_of_node(item.body, (*before, *items[:index], item, ANYTHING), depth + 1, least_bits)
        elif isinstance(item, Look) and item.kind is LookKind.AHEAD:
            # Not for lookbehinds: their text may precede the start of the match, and may not be kept.
            inner = _factors_of_node(item.body, (*before, *items[:index]), depth + 1, least_bits)
        if inner is not None and (factors is None or inner.bits > factors.bits):
            factors = inner
        if _consumes_anything(item):
            break
    return factors


def _factors_of_branches(node: Alternation, before: tuple[Node, ...], depth: int, least_bits: float) -> Factors | None:
    likelihood, greatest = 0.0, 2.0 ** (_ROUNDING - least_bits)
    factors: list[Factor] = []
    for branch in node.branches:
        of_branch = _factors_of_node(branch, before, depth + 1, least_bits - _ROUNDING)
        if of_branch is None:
            return None
        likelihood += 2**-of_branch.bits
        factors += of_branch.factors
        if likelihood > greatest or len(factors) > _MAX_TEXTS_OF_PATTERN:
            return None
    return Factors(-log2(min(likelihood, 1.0)), tuple(factors))


def _best_window(items: Items[Node], before: tuple[Node, ...], least_bits: float) -> Factors | None:
    """Returns the factors of the best run of items that consume few texts; None if they have fewer bits than
    `least_bits`."""
    best, first, last = 1.0, 0, 0
    # Computed lazily: usually the first texts are rare enough.
    texts: list[FixedTexts | None] = []
    # A penalty, because a match may start far before the factor.
    distance = 2.0 ** (_BITS_OF_DISTANCE * min(_MAX_DISTANCES, sum(map(_goes_far_back, before))))
    for start, item in enumerate(items):
        if start == len(texts):
            texts.append(fixed_texts(item))
        item_texts = texts[start]
        if item_texts is not None and item_texts.width:
            likelihood, stop = _window(items, texts, start)
            run = [item_texts for item_texts in texts[start:stop] if item_texts is not None]
            if likelihood * distance < best and all(len(texts.texts) == 1 for texts in run):
                # It may be a common word.
                likelihood = max(likelihood, sequence_likelihood(run))
            if likelihood * distance < best:
                best, first, last = likelihood * distance, start, stop
            if best <= _RARE_ENOUGH and distance == 1.0:
                break
        if _consumes_anything(item):
            break
        if _goes_far_back(item):
            distance *= 2.0**_BITS_OF_DISTANCE
    if best == 1.0 or -log2(best) < least_bits:
        return None
    while texts[last - 1] is NO_TEXT:
        # Assertions after the texts restrict the following units instead.
        last -= 1
    window_texts = _concatenated(texts[first:last])
    return Factors(
        -log2(best),
        (
            Factor(
                window_texts.texts,
                (*before, *items[:first]),
                tuple(items[first:]),
                window_texts.cased,
                units_before((*before, *items[:first]), [text[0] for text in window_texts.texts]),
                units_after(items[last:], [text[-1] for text in window_texts.texts]) if window_texts.exact else None,
            ),
        ),
    )


def _concatenated(run: Iterable[FixedTexts | None]) -> FixedTexts:
    texts = NO_TEXT
    for item_texts in run:
        assert item_texts is not None
        texts = concatenate(texts, item_texts)
    return texts


def _window(items: Items[Node], texts: list[FixedTexts | None], start: int) -> tuple[float, int]:
    """Returns the likelihood of the texts of the best run from `start` on, and the index where the run stops."""
    likelihood, count, width = 1.0, 1, 0
    for index in range(start, len(items)):
        if index == len(texts):
            texts.append(fixed_texts(items[index]))
        item_texts = texts[index]
        # An optional item would make the run more likely.
        if item_texts is None or item_texts.likelihood > 1.0 or count * len(item_texts.texts) > MAX_TEXTS:
            return likelihood, index
        likelihood *= item_texts.likelihood
        count *= len(item_texts.texts)
        width += item_texts.width
        # The items after a truncated text are not part of the factor.
        if not item_texts.exact or width >= MAX_TEXT_LENGTH or likelihood <= _RARE_ENOUGH:
            return likelihood, index + 1
    return likelihood, len(items)


def _goes_far_back(node: Node) -> bool:
    """Returns whether a node before a factor may match more text than is kept."""
    if not isinstance(node, Repeat) or node.maximum is not None:
        return False
    body = node.body
    return not isinstance(body, Chars) or _size_in_ascii(body.units) > _LARGE_SET


def _consumes_anything(node: Node) -> bool:
    """Returns whether a node may match any text, so that the start of a match is unknown."""
    if not isinstance(node, Repeat) or node.maximum is not None:
        return False
    consumed = UnitSet.of(
        [pair for inner in walk(node.body) if isinstance(inner, Chars) for pair in inner.units.ranges]
    )
    return consumed == EVERY_UNIT or any(isinstance(inner, Backreference) for inner in walk(node.body))


def _size_in_ascii(units: UnitSet) -> int:
    return sum(min(high, 0x7F) - low + 1 for low, high in units.ranges if low <= 0x7F)
