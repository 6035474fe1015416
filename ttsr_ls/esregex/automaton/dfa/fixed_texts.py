"""Nodes that consume one of a few short texts, and how likely these are in code and prose.

Texts are compared without the case of ASCII letters, so that one search serves all patterns.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from ttsr_ls.esregex.tree.nodes import Alternation, Assertion, Chars, Node, Repeat, Sequence
from ttsr_ls.esregex.tree.unit_set import UnitSet

MAX_TEXT_LENGTH = 6
"""Longer texts are truncated."""
MAX_TEXTS = 64
_MAX_UNITS = 24
"""Larger sets of units have no fixed texts."""
_MAX_DEPTH = 12

_LIKELIHOODS = (
    (" ", 0.14),
    ("etaoinsr", 0.045),
    ("lcdupmhfgby", 0.018),
    ("\n", 0.025),
    ("\"'(),._-=/:;", 0.009),
    ("0123456789", 0.008),
    ("vwkxjqz", 0.005),
)
_OTHER = 0.003
_BEYOND_ASCII = 0.001

_COMMON_WORDS = """
    and are assert async await break case catch class close const data def default delete else error except
    export extends false file finally for from function get global goto have if import include input insert
    int interface into let line list module name new none not null number object open option output package
    path print private process property public raise require return select self set static string struct
    switch table test that the then this throw true try type undefined update use value var void where while
    window with you
"""
_LIKELIHOOD_OF_COMMON = 2.0**-10
_LIKELIHOOD_OF_COMMON_PAIR = 2.0**-9
_SHORTEST_COMMON = 2
"""Single letters are likely already."""

Texts = frozenset[str]
_EMPTY: Texts = frozenset({""})


def fold(unit: str) -> str:
    """Returns a unit without the case of ASCII letters."""
    return unit.lower() if unit.isascii() else unit


class FixedTexts(Struct, frozen=True, eq=False, gc=False):
    """The few texts that a node can consume. If not `exact`, the node may consume more after them."""

    texts: Texts
    cased: Texts | None
    exact: bool
    width: int
    """The length of the longest text."""
    likelihood: float
    """How likely one of the texts is at a position."""


def fixed_texts(node: Node, depth: int = 0) -> FixedTexts | None:
    """Returns the texts that a node can consume; None if they are too many."""
    match node:
        case Chars():
            return _texts_of_units(node.units)
        case Assertion():
            return NO_TEXT
        case Sequence() if depth < _MAX_DEPTH:
            texts = NO_TEXT
            for item in node.items:
                part = fixed_texts(item, depth + 1)
                if part is None or len(texts.texts) * len(part.texts) > MAX_TEXTS:
                    return _inexact(texts) if texts.width else None
                texts = concatenate(texts, part)
                if not texts.exact:
                    return texts
            return texts
        case Alternation() if depth < _MAX_DEPTH and len(node.branches) <= MAX_TEXTS:
            parts = [fixed_texts(branch, depth + 1) for branch in node.branches]
            known = [part for part in parts if part is not None]
            together = frozenset[str]().union(*[part.texts for part in known])
            if len(known) < len(parts) or len(together) > MAX_TEXTS:
                return None
            cased = [part.cased for part in known if part.cased is not None]
            all_cased = frozenset[str]().union(*cased) if len(cased) == len(known) else None
            return _with_likelihood(together, all_cased, all(part.exact for part in known))
        case Repeat() if depth < _MAX_DEPTH and node.minimum:
            body = fixed_texts(node.body, depth + 1)
            if body is None or body is NO_TEXT or node.minimum == node.maximum == 1:
                return body
            return _repeated(body, node.minimum, node.maximum)
        case Repeat(minimum=0, maximum=1) if depth < _MAX_DEPTH:
            body = fixed_texts(node.body, depth + 1)
            return _with_likelihood(body.texts | _EMPTY, None, True) if body is not None and body.exact else None
        case _:
            return None


def _repeated(body: FixedTexts, minimum: int, maximum: int | None) -> FixedTexts:
    texts = body
    for _ in range(minimum - 1):
        if not texts.exact or len(texts.texts) * len(body.texts) > MAX_TEXTS:
            return _inexact(texts)
        texts = concatenate(texts, body)
    return texts if minimum == maximum else _inexact(texts)


def _with_likelihood(texts: Texts, cased: Texts | None, exact: bool) -> FixedTexts:
    return FixedTexts(texts, cased, exact, max(map(len, texts)), _likelihood(texts))


def _inexact(texts: FixedTexts) -> FixedTexts:
    """Returns the same texts, after which the node may consume more."""
    return FixedTexts(texts.texts, texts.cased, False, texts.width, texts.likelihood)


def concatenate(first: FixedTexts, second: FixedTexts) -> FixedTexts:
    """Returns the texts of one node followed by another one."""
    if second is NO_TEXT:
        return first
    if first is NO_TEXT:
        return second
    width = first.width + second.width
    exact = first.exact and second.exact and width <= MAX_TEXT_LENGTH
    texts = _pairs(first.texts, second.texts)
    cased: Texts | None = None
    if first.cased is not None and second.cased is not None and len(first.cased) * len(second.cased) <= MAX_TEXTS:
        is_as_folded = first.cased == first.texts and second.cased == second.texts
        cased = texts if is_as_folded else _pairs(first.cased, second.cased)
    return FixedTexts(texts, cased, exact, min(width, MAX_TEXT_LENGTH), _likelihood(texts))


def _pairs(first: Texts, second: Texts) -> Texts:
    return frozenset([(one + two)[:MAX_TEXT_LENGTH] for one in first for two in second])


def sequence_likelihood(run: Iterable[FixedTexts]) -> float:
    """Returns the likelihood of a sequence of nodes with one text each."""
    return _likelihood(["".join([text for texts in run for text in texts.texts])[:MAX_TEXT_LENGTH]])


@lru_cache(maxsize=1024)
def _texts_of_units(units: UnitSet) -> FixedTexts | None:
    if not units or units.size > _MAX_UNITS:
        return None
    cased = [chr(unit) for low, high in units.ranges for unit in range(low, high + 1)]
    return _with_likelihood(frozenset(map(fold, cased)), frozenset(cased), True)


_LIKELIHOOD_OF = {unit: likelihood for units, likelihood in _LIKELIHOODS for unit in units}


_COMMON = frozenset(
    [
        word[start:stop]
        for word in _COMMON_WORDS.split()
        for start in range(len(word) - _SHORTEST_COMMON + 1)
        for stop in range(start + _SHORTEST_COMMON, min(start + MAX_TEXT_LENGTH, len(word)) + 1)
    ]
)


def _likelihood(texts: Iterable[str]) -> float:
    """Returns how likely one of some texts is at a position."""
    likelihood = 0.0
    for text in texts:
        here = 1.0
        for unit in text:
            here *= _LIKELIHOOD_OF.get(unit, _OTHER if unit < "\x80" else _BEYOND_ASCII)
        if text in _COMMON:
            here = max(here, _LIKELIHOOD_OF_COMMON if len(text) > _SHORTEST_COMMON else _LIKELIHOOD_OF_COMMON_PAIR)
        likelihood += here
    return likelihood


NO_TEXT = _with_likelihood(_EMPTY, _EMPTY, True)
"""The texts of an assertion: the empty text."""
