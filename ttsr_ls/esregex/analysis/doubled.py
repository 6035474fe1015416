"""Patterns whose backslashes are doubled, as JSON and double quotes want them, where nothing halves them again."""

from __future__ import annotations

import re

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parser import parse

_LONGEST = 2_000
_DOUBLED = re.compile(r"\\\\(?=[bBdDsSwW.()\[\]{}+*?|^$])")
# What hardly asks for backslashes, as in paths and in TeX: a class that is repeated, a word in boundaries.
_EVIDENCE = re.compile(r"\\\\[dDsSwW][+*?{]|\A\\\\b[\s\S]*\\\\b\Z")


def halved(source: str) -> str | None:
    """The pattern that was meant, where every backslash of `source` is doubled and that says hardly anything else."""
    return None if _EVIDENCE.search(source[:_LONGEST]) is None else with_half(source)


def with_half(source: str) -> str | None:
    """`source` with each pair of backslashes as one, where all are in pairs before what they can stand before."""
    if "\\\\" not in source or len(source) > _LONGEST or "\\" in _DOUBLED.sub("", source):
        return None
    meant = source.replace("\\\\", "\\")
    try:
        parse(meant)
    except RegexSyntaxError:
        return None
    return meant
