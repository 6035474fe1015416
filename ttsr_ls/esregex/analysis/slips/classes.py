"""Finds probable mistakes in character classes: invisible characters, odd ranges, and classes that read as words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.tree.nodes import CharForm, Chars, ClassItem, Pattern, walk
from ttsr_ls.text import Span

# Blanks other than the space, marks of direction, zero-width and other invisible characters, controls but tab and line
# ends. A byte order mark, a soft hyphen and a no-break space come with copied text.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\uffff]"
)

_GROUP_IN_CLASS = re.compile(r"\(\??:?([A-Za-z|]+)\)")
_SHORT_WORD = 3


class MixedRange(Struct, frozen=True):
    """A range over different kinds of characters, such as `A-z`. `extra` are the characters that were probably not
    intended.
    """

    span: Span
    extra: str
    replacement: str


class WordsInClass(Struct, frozen=True):
    """A class that contains words, as a group would, such as `[todo|fixme]` and `[^(error)]`."""

    span: Span
    words: tuple[str, ...]
    is_negated: bool


def invisible_units(source: str) -> Iterator[Span]:
    """The spans of the invisible characters of a pattern in units."""
    for match in _INVISIBLE.finditer(source):
        yield Span(*match.span())


def odd_classes(pattern: Pattern) -> Iterator[MixedRange | WordsInClass]:
    """Yields the suspicious classes of a pattern, in order."""
    for node in walk(pattern.root):
        if isinstance(node, Chars) and node.form is CharForm.CLASS:
            for item in node.items:
                odd = _odd_range(item) if item.is_range else None
                if odd is not None:
                    yield odd
            words = _words(pattern.source, node)
            if words is not None:
                yield words


def _odd_range(item: ClassItem) -> MixedRange | None:
    low, high = (chr(unit) for unit in item.units.ranges[0])
    if not (low.isascii() and high.isascii() and low.isalnum() and high.isalnum()) or _kind_of(low) == _kind_of(high):
        return None
    between = "".join(chr(unit) for unit in range(ord(low), ord(high) + 1) if not chr(unit).isalnum())
    parts = {
        ("digit", "upper"): f"{low}-9A-{high}",
        ("digit", "lower"): f"{low}-9A-Za-{high}",
        ("upper", "lower"): f"{low}-Za-{high}",
    }
    return MixedRange(item.span, between, parts[_kind_of(low), _kind_of(high)])


def _kind_of(char: str) -> str:
    if char.isdecimal():
        return "digit"
    return "upper" if char.isupper() else "lower"


def _words(source: str, node: Chars) -> WordsInClass | None:
    inner_text = source[node.span.start + 1 + node.negated : node.span.end - 1]
    in_group = _GROUP_IN_CLASS.fullmatch(inner_text)
    words = tuple((in_group[1] if in_group else inner_text).split("|"))
    # Words of three letters are hardly meant as members. In [a|b], the bar may be a member.
    if not all(len(word) > 2 and word.isascii() and word.isalpha() for word in words):
        return None
    if len(words) == 1 and in_group is None and not _is_word(source, node, words[0]):
        return None
    return WordsInClass(node.span, words, node.negated)


def _is_word(source: str, node: Chars, word: str) -> bool:
    """Returns whether the letters of a class are a word: they are all of the pattern, or some letter comes twice.

    A single class of letters is found in nearly every text, so nobody means it as a condition. Letters in the order of
    the alphabet are a list of letters.
    """
    if list(word) == sorted(word):
        return False
    if node.span == Span(0, len(source)):
        return True
    return len(word) > _SHORT_WORD and len(set(word)) < len(word) and (word.islower() or word.isupper())
