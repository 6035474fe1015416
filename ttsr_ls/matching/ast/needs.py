"""What a text has to have for an AST pattern to match in it, told without parsing the text.

Words are nodes, or parts of them, so a match has them all. Nothing is asked of what stands around them: in broken code,
parsers take apart what is one word, and leave out whatever they need to make sense of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Needs = tuple[str, ...]
"""Words in lower case."""

_METAVARIABLE = re.compile(r"\$+(?:[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_]))?")
_WORD = re.compile(r"[A-Za-z0-9_]{2,}")


def needs_of(pattern: str) -> Needs:
    """What a pattern needs, if the parser found no fault in it, in a language that has nodes for words."""
    words = [word for part in _METAVARIABLE.split(pattern) for word in _WORD.findall(part.lower())]
    return tuple(dict.fromkeys(words))


def has_needs(lower: str, needs: Iterable[str]) -> bool:
    """Whether a text, which is given in lower case, has all that a pattern needs. Costs as little as can be."""
    return all(word in lower for word in needs)
