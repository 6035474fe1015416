"""Chooses the matcher for a pattern."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.match.literal_matcher import LiteralMatcher, literal_units
from ttsr_ls.esregex.match.matcher import Matcher, RefusingMatcher
from ttsr_ls.esregex.match.regex_matcher import RegexMatcher
from ttsr_ls.esregex.match.translate import InexactPattern, RegexTranslation, translate_simple
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.pattern_size import is_too_large
from ttsr_ls.esregex.tree.simplify import simplify


def compile_pattern(pattern: Pattern) -> Matcher:
    """Returns the fastest matcher that is exact for `pattern`. Takes time linear in its size; the first search does the
    rest.

    A search is limited to `STEP_LIMIT` steps. A search of the `regex` package that takes `TIME_LIMIT` seconds is
    repeated in counted steps.
    """
    simple_pattern = simplify(pattern)
    literal = literal_units(simple_pattern.root)
    if literal is not None:
        return LiteralMatcher(literal)
    match translate_simple(simple_pattern):
        case RegexTranslation() as translation:
            return RegexMatcher(simple_pattern, translation)
        case InexactPattern():
            return BacktrackMatcher(simple_pattern)
        case never:
            assert_never(never)


def compile_untrusted(pattern: Pattern) -> Matcher:
    """Compiles an untrusted pattern: one that `is_too_large` is not compiled.

    Its searches raise `MatchLimitExceeded`.
    """
    return RefusingMatcher() if is_too_large(pattern) else compile_pattern(pattern)
