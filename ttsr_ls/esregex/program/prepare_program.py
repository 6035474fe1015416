"""Compiles a pattern for the backtracking matcher: its program, and a filter for the start of its matches."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ttsr_ls.esregex.program.assemble import assemble
from ttsr_ls.esregex.program.class_source import compile_around
from ttsr_ls.esregex.program.program import Program
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.simplify import simplify
from ttsr_ls.esregex.tree.widths import first_units

if TYPE_CHECKING:
    import regex

_MAX_CACHED_LENGTH = 2_000


def prepare_program(pattern: Pattern) -> tuple[Program, re.Pattern[str] | regex.Pattern[str] | None]:
    """Returns the program of a pattern, and a pattern for the first unit of its matches, None if a match may be
    empty.
    """
    return _cached(pattern) if len(pattern.source) <= _MAX_CACHED_LENGTH else _prepared(pattern)


def _prepared(pattern: Pattern) -> tuple[Program, re.Pattern[str] | regex.Pattern[str] | None]:
    simple_pattern = simplify(pattern)
    units, may_be_empty = fold_tree(simple_pattern.root, first_units)
    first = None if may_be_empty else compile_around(units, "", "")
    return assemble(simple_pattern.root, simple_pattern.capture_count), first


# Several analyses run the same pattern one after the other, each with its own step limit.
_cached = lru_cache(maxsize=8)(_prepared)
