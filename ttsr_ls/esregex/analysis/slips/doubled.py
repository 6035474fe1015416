"""Patterns whose backslashes are doubled, as JSON and double quotes want them, where nothing halves them again."""

from __future__ import annotations

import re

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse

_LONGEST = 2_000
_DOUBLED = re.compile(r"\\\\(?=[bBdDsSwW.()\[\]{}+*?|^$])")
# What hardly asks for backslashes, as in paths and in TeX: a class that is repeated, a word in boundaries.
_EVIDENCE = re.compile(r"\\\\[dDsSwW][+*?{]|\A\\\\b[\s\S]*\\\\b\Z")
# The same where no backslash begins a word, as it does in a path: a class that no word goes on from, a dot between two
# words, a boundary behind a word, parentheses after a name.
_WEAK_EVIDENCE = re.compile(r"\\\\[dDsSwW](?![A-Za-z0-9_\\])|\w\\\\\.\w|\w\\\\b(?=[|)]|\Z)|\w\\\\\([\s\S]*\\\\\)")
_WORD = re.compile(r"\\\\[bBdDsSwW][A-Za-z0-9_]")


def halved(source: str) -> str | None:
    """The intended pattern, if every backslash of `source` is doubled, which hardly ever is intended."""
    if len(source) > _LONGEST or "\\\\" not in source:
        return None
    is_evident = _EVIDENCE.search(source) or (_WEAK_EVIDENCE.search(source) and not _WORD.search(source))
    return with_half(source) if is_evident else None


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
