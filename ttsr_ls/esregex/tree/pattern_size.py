"""The size limit for patterns that are matched. It keeps the work before the first search unnoticeable."""

from __future__ import annotations

import re

from ttsr_ls.esregex.tree.nodes import Pattern

MAX_UNITS = 20_000
"""The greatest length of a pattern that is matched, in units. The tree of a longer one takes tenths of a second to
compile, several times. A pattern that is plain text may have any length."""

_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")


def is_too_large(pattern: Pattern) -> bool:
    """Returns whether a pattern is too large to be matched. A search for it raises `MatchLimitExceeded`."""
    return len(pattern.source) > MAX_UNITS and not is_plain_text(pattern.source)


def is_plain_text(source: str) -> bool:
    """Returns whether no character of a pattern has a special meaning."""
    return _SPECIAL.search(source) is None
