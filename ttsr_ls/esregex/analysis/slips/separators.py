"""Finds alternatives that are separated as in a list of words: with blanks around `|`, with commas, or with OR."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from ttsr_ls.esregex.tree.nodes import Alternation, CharForm, Chars, Node, Pattern, Sequence, walk
from ttsr_ls.text import Span

_LIST = re.compile(r"[^\s,|]+(?:(?:,[ ]*| OR )[^\s,|]+)+")
_SEPARATOR = re.compile(r",[ ]*| OR ")
# Two words with a comma are a phrase, unless they are in capitals, or contain a dot, an underscore, or a capital.
_NAME = re.compile(r"[A-Z][A-Z0-9_]+|\w+(?:\\?\.\w+)+(?:\\\()?|\w*_\w+|[a-z]+[A-Z]\w*")
_WORD = re.compile(r"\w+")
_MIN_WORDS = 3


class LiteralSeparators(Struct, frozen=True):
    """Alternatives whose separators match as text.

    `part` is an alternative as it matches now. `replacement` has only `|` between the alternatives. `escaped` matches
    the separators as text.
    """

    span: Span
    part: str
    replacement: str
    escaped: str


def alternations_with_blanks(pattern: Pattern) -> Iterator[LiteralSeparators]:
    """Yields the alternations with a blank on both sides of each bar and none at their own edges."""
    for node in walk(pattern.root):
        if isinstance(node, Alternation):
            branches = node.branches
            if not all(_is_blank_at(node, -1) and _is_blank_at(other, 0) for node, other in pairwise(branches)):
                continue
            if _is_blank_at(branches[0], 0) or _is_blank_at(branches[-1], -1):
                continue  # The blanks of ` in | of ` are intended.
            written = [pattern.source[branch.span.start : branch.span.end] for branch in branches]
            inner = [written[0].rstrip(" "), *(part.strip(" ") for part in written[1:-1]), written[-1].lstrip(" ")]
            if all(_WORD.search(part) for part in inner):
                yield LiteralSeparators(node.span, written[1], "|".join(inner), r" \| ".join(inner))


def names_with_separators(pattern: Pattern) -> LiteralSeparators | None:
    """Returns the whole pattern if it is a list of names separated by commas or OR, else None."""
    source = pattern.source
    if _LIST.fullmatch(source) is None:
        return None
    names = _SEPARATOR.split(source)
    if all(_NAME.fullmatch(name) for name in names) or (
        len(names) >= _MIN_WORDS and all(_WORD.fullmatch(name) for name in names)
    ):
        return LiteralSeparators(Span(0, len(source)), source, "|".join(names), source)
    return None


def _is_blank_at(branch: Node, index: int) -> bool:
    node = branch.items[index] if isinstance(branch, Sequence) and branch.items else branch
    return isinstance(node, Chars) and node.form is CharForm.LITERAL and node.units.single_unit == ord(" ")
