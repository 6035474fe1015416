"""Patterns whose backslashes are doubled, as JSON and double quotes want them, where nothing halves them again."""

from __future__ import annotations

import re

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parser import parse

_LONGEST = 2_000
_DOUBLED = re.compile(r"\\\\(?=([bBdDsSwW.()\[\]{}+*?|^$]))")
# What no text with backslashes has: a class that is repeated, a sign of regular expressions, a word in boundaries.
_EVIDENCE = re.compile(r"\\\\(?:[dDsSwW][+*?{]|[.()\[\]{}+*?|^$])|\A\\\\b[\s\S]*\\\\b\Z")


def halved(source: str) -> str | None:
    """The pattern that was meant, where every backslash of `source` is doubled and reads like half of that."""
    if "\\\\" not in source or len(source) > _LONGEST or _EVIDENCE.search(source) is None:
        return None
    if "\\" in _DOUBLED.sub("", source):
        return None
    meant = source.replace("\\\\", "\\")
    try:
        parse(meant)
    except RegexSyntaxError:
        return None
    return meant
