"""Chooses how a pattern is matched."""

from __future__ import annotations

from ttsr_ls.esregex.backtrack import BacktrackMatcher
from ttsr_ls.esregex.matcher import Matcher
from ttsr_ls.esregex.nodes import Pattern


def compile_pattern(pattern: Pattern) -> Matcher:
    """The fastest matcher that is exact for `pattern`."""
    return BacktrackMatcher(pattern)
