"""Hypothesis strategies for valid patterns, and for texts that they often match."""

from __future__ import annotations

from hypothesis import strategies as st

from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern

_ATOMS = (
    *("a", "b", "A", ".", "[ab]", "[^a]", r"\w", r"\W", r"\s", r"\d", "[]", "[^]", " ", "k"),
    *("\u212a", "\ud83d", r"\ude00"),
    *(r"\b", r"\B", "^", "$", r"\n", r"\u2028", r"\1", r"\2", r"\3"),
)
_QUANTIFIERS = ("*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,3}?", "{0}")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_GROUPS = ("(", "(?:", "(?:|", "(?i:", "(?m:", "(?s:", "(?-i:")
_UNITS = "abAkK\u212a\n\u2028\ud83d\ude00_- "


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
        st.tuples(st.sampled_from(_GROUPS), inner).map("{0[0]}{0[1]})".format),
        st.tuples(st.sampled_from(_LOOKS), inner).map("{0[0]}{0[1]})".format),
        st.tuples(inner, st.sampled_from(_QUANTIFIERS)).map("(?:{0[0]}){0[1]}".format),
        st.tuples(inner, st.sampled_from(_QUANTIFIERS)).map("({0[0]}){0[1]}".format),
    )


def _flags() -> st.SearchStrategy[Flags]:
    return st.builds(Flags, st.booleans(), st.booleans(), st.booleans())


def patterns() -> st.SearchStrategy[Pattern]:
    """Patterns with all constructs: lookarounds, captures, backreferences, modifiers, and loops with empty rounds."""
    return st.builds(parse, st.recursive(st.sampled_from(_ATOMS), _grown, max_leaves=9), _flags())


def unit_texts(max_size: int = 8) -> st.SearchStrategy[str]:
    """Short texts in units, with lone surrogates and line terminators, mostly of letters that patterns contain."""
    return st.one_of(st.text("ab", max_size=max_size), st.text(_UNITS, max_size=max_size))
