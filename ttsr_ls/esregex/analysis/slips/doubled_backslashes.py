"""Finds patterns with doubled backslashes, as in JSON and in double quotes, where nothing unescapes them."""

from __future__ import annotations

import re

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse

_MAX_LENGTH = 2_000
_DOUBLED = re.compile(r"\\\\(?=[bBdDsSwW.()\[\]{}+*?|^$])")
# Evidence against literal backslashes, as in paths and in TeX: a repeated class escape, a word between boundaries.
_EVIDENCE = re.compile(r"\\\\[dDsSwW][+*?{]|\A\\\\b[\s\S]*\\\\b\Z")
# Evidence if no backslash precedes a word, as it does in a path: a class escape that no word follows, a dot between two
# words, a boundary after a word, parentheses after a name.
_WEAK_EVIDENCE = re.compile(r"\\\\[dDsSwW](?![A-Za-z0-9_\\])|\w\\\\\.\w|\w\\\\b(?=[|)]|\Z)|\w\\\\\([\s\S]*\\\\\)")
_WORD = re.compile(r"\\\\[bBdDsSwW][A-Za-z0-9_]")


def single_backslashes_if_certain(source: str) -> str | None:
    """Returns the pattern with single backslashes if all of them are doubled and that is certainly a mistake, else
    None.
    """
    if len(source) > _MAX_LENGTH or "\\\\" not in source:
        return None
    is_evident = _EVIDENCE.search(source) or (_WEAK_EVIDENCE.search(source) and not _WORD.search(source))
    return single_backslashes(source) if is_evident else None


def single_backslashes(source: str) -> str | None:
    """Returns `source` with each pair of backslashes replaced by one. None if some backslash is single, if some pair
    precedes a character that needs no escape, or if the result is no valid pattern.
    """
    if "\\\\" not in source or len(source) > _MAX_LENGTH or "\\" in _DOUBLED.sub("", source):
        return None
    suggestion = source.replace("\\\\", "\\")
    try:
        parse(suggestion)
    except RegexSyntaxError:
        return None
    return suggestion
