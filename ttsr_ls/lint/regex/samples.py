"""Sample texts that a pattern probably matches, generated from its tree.

Inexact: assertions are ignored, and each capture has only one sample, so a caller must test each sample.
Their number and length are bounded for every pattern.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

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
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet

_MAX_SAMPLES = 6
_MAX_LENGTH = 200
_CASES = 4
"""Sets with at most so many letters are nearly always one letter in its cases; samples have the lower case."""

# Samples are shown to users, so these readable characters are preferred, in this order.
_PREFERRED = "sx1 _-.,;:(){}[]\"'=/\\<>\n"


def sample_texts(root: Node) -> tuple[str, ...]:
    """Returns up to six sample texts, those with the fewest rounds of repeats first."""
    captured: dict[int, str] = {}

    def combine(node: Node, below: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        if isinstance(node, Capture) and below[0]:
            captured[node.index] = below[0][0]
        return _samples(node, below, captured)

    return fold_tree(root, combine)


def _samples(node: Node, below: tuple[tuple[str, ...], ...], captured: dict[int, str]) -> tuple[str, ...]:
    match node:
        case Chars():
            return _characters(node.units)
        case Assertion():
            return ("",)
        case Backreference():
            return _distinct([*(captured[group] for group in node.groups if group in captured), ""])
        case Look():
            wanted = node.kind in (LookKind.AHEAD, LookKind.BEHIND)
            return _distinct([*below[0], ""] if wanted else [""])
        case Capture() | Group():
            return below[0]
        case Repeat():
            return _repeated(node, below[0])
        case Sequence():
            return _joined(below)
        case Alternation():
            # The first sample of each branch comes before the second sample of any branch.
            rounds = range(max(len(branch) for branch in below))
            return _distinct([branch[turn] for turn in rounds for branch in below if turn < len(branch)])
        case _:
            assert_never(node)


@lru_cache(maxsize=256)
def _characters(units: UnitSet) -> tuple[str, ...]:
    """Returns a readable unit of a set, and one of the other kind (word or not) if there is one."""
    if not units:
        return ()
    if units.size <= _CASES:
        chars = [chr(unit) for low, high in units.ranges for unit in range(low, high + 1)]
        if all(char.isalpha() for char in chars):
            return (min(chars, key=lambda char: (not char.isascii(), char.isupper())),)
    first = units.ranges[0][0]
    readable = [char for char in _PREFERRED if ord(char) in units]
    readable += [chr(low) for low, _ in units.ranges[:8] if 0x20 < low < 0xD800] or [chr(first)]
    best = readable[0]
    other = next((char for char in readable if char.isalnum() != best.isalnum()), None)
    return (best,) if other is None else (best, other)


def _repeated(node: Repeat, body: tuple[str, ...]) -> tuple[str, ...]:
    minimum = node.minimum
    texts = [text * minimum for text in body if len(text) * minimum <= _MAX_LENGTH]
    if node.maximum is None or node.maximum > minimum:
        texts += [text * (minimum + 1) for text in body if len(text) * (minimum + 1) <= _MAX_LENGTH]
    return _distinct(texts)


def _joined(below: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Joins the first samples of all items, and then varies one item at a time."""
    if not all(below):
        return ()
    texts = ["".join(item[0] for item in below)]
    varied = ((index, other) for index in range(len(below)) for other in below[index][1:])
    for index, other in varied:
        if len(texts) >= _MAX_SAMPLES:
            break
        texts.append("".join([*(item[0] for item in below[:index]), other, *(item[0] for item in below[index + 1 :])]))
    return _distinct(texts)


def _distinct(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if len(text) <= _MAX_LENGTH))[:_MAX_SAMPLES]
