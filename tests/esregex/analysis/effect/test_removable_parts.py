"""Removing redundant or unmatchable parts does not change which texts a pattern matches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from ttsr_ls.esregex.analysis.effect.redundant_parts import leading_repeat_of_any, redundant_parts
from ttsr_ls.esregex.analysis.effect.unmatchable_parts import unmatchable_parts
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern, Repeat, walk

_PARTS = (
    *("a", "b", "ab", "a*", "b+", "[ab]*", "[^]*", "a?", "(?:a|bb)", "(a|b)", "\\1", "(?:|a)", "[^]*?", " "),
    *("^", "$", "\\b", "\\B", "^^", "\\b\\b", "$$", "(?!a)", "(?=b)", "(?<=a)", "(?<!b)"),
    *("a{1}", "b{0}", "a{2}?", "(?:ab){1,1}", "(a){0}", "(?:(a)|b){1}"),
    *("[]", "(?:[]|a)", "(?:^b|a)", "(?:a$|b)?", "(?:a\\bb)?"),
)
_TEXTS = (*("".join(units) for length in range(5) for units in product("ab ", repeat=length)), "a\nb", "\na", "b\n")


def matches(source: str, flags: Flags) -> list[bool]:
    matcher = BacktrackMatcher(parse(source, flags), 200_000)
    return [matcher.test(text) for text in _TEXTS]


def without_parts(source: str, pattern: Pattern) -> Iterator[str]:
    """Yields sources without one of the removable parts of a pattern each."""
    spans = [part.removed for part in redundant_parts(pattern)]
    leading = leading_repeat_of_any(pattern)
    for span in spans if leading is None else (*spans, leading):
        yield source[: span.start] + source[span.end :]
    parts = unmatchable_parts(pattern)
    if parts is not None and parts.whole:
        yield "[]"
    elif parts is not None:
        optional = {node.span for node in walk(pattern.root) if isinstance(node, Repeat) and node.minimum == 0}
        for span in parts.spans:
            yield source[: span.start] + ("(?:)" if span in optional else "[]") + source[span.end :]


def test_removing_parts_without_an_effect_does_not_change_matches() -> None:
    numbers = random.Random(3)
    compared = 0
    for _ in range(600):
        source = "".join(numbers.choices(_PARTS, k=numbers.randrange(1, 5)))
        if numbers.random() < 0.3:
            source = f"(?:{source}|b ){numbers.choice(['', 'a', '+', '?', '{2}'])}"
        flags = Flags(multiline=numbers.random() < 0.3)
        for shorter in without_parts(source, parse(source, flags)):
            compared += 1
            assert matches(shorter, flags) == matches(source, flags), (source, shorter)
    assert compared > 300
