"""Counts and names the groups of a pattern before it is parsed.

Whether `\\2` is a backreference and whether `\\k` is an escape depends on groups that may come later.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.names import read_group_name

# Escapes and classes are skipped; the third alternative is a capturing group, with its name's `?<` where it has one.
_TOKEN = re.compile(r"\\[\s\S]|\[(?:[^\]\\]++|\\[\s\S])*+|\((?:(?!\?)|\?<(?![=!]))")


class GroupSurvey(Struct, frozen=True):
    """The capturing groups of a pattern; `names` has the indexes of each name, from 1, in order."""

    capture_count: int
    has_names: bool
    names: dict[str, tuple[int, ...]]


def survey_groups(source: str) -> GroupSurvey:
    """Returns the capturing groups of a pattern in units. Invalid names are left out; the parser reports them."""
    count = 0
    has_names = False
    names: dict[str, list[int]] = {}
    for token in _TOKEN.finditer(source):
        text = token[0]
        if text[0] != "(":
            continue
        count += 1
        if len(text) == 1:
            continue
        has_names = True
        try:
            name, _ = read_group_name(source, token.end())
        except RegexSyntaxError:
            continue
        names.setdefault(name, []).append(count)
    return GroupSurvey(count, has_names, {name: tuple(indexes) for name, indexes in names.items()})
