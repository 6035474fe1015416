"""Splits regular expressions into alternatives without parsing them, and lists patterns that match everything."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]?|[()|]", re.DOTALL)

MATCH_ALL = frozenset((
    ".*", ".+", ".", ".*?", ".*$", "^", "^.*", "^.*$", "^.+$", "(.*)", "(.+)", "[\\s\\S]*", "[\\s\\S]+", "[\\S\\s]*",
    "(?s).*", "(?s)^.*$", "(?i).*",
))  # fmt: skip
"""Patterns that obviously match every text."""


def alternatives(pattern: str) -> tuple[str, ...]:
    """Returns the top-level alternatives of a pattern; the pattern itself if it has none."""
    parts: list[str] = []
    depth = start = 0
    for found_match in _TOKEN.finditer(pattern):
        match found_match[0]:
            case "(":
                depth += 1
            case ")":
                depth = max(depth - 1, 0)
            case "|" if depth == 0:
                parts.append(pattern[start : found_match.start()])
                start = found_match.end()
            case _:
                pass
    return (*parts, pattern[start:])
