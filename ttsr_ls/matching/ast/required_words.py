"""The words that a text must contain for an AST pattern to match in it, decided without parsing the text.

Words are nodes, or parts of nodes, so a match contains all of them. The context of a word is not examined: in broken
code, parsers split single words, and skip anything to make sense of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

RequiredWords = tuple[str, ...]
"""Words in lower case."""

_METAVARIABLE = re.compile(r"\$+(?:[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_]))?")
_WORD = re.compile(r"[A-Za-z0-9_]{2,}")


def required_words_of(pattern: str) -> RequiredWords:
    """Returns the words of a pattern. Valid if the parser found no error in the pattern, for a language that has nodes
    for words.
    """
    words = [word for part in _METAVARIABLE.split(pattern) for word in _WORD.findall(part.lower())]
    return tuple(dict.fromkeys(words))


def has_required_words(lower: str, required: Iterable[str]) -> bool:
    """Returns whether a text, given in lower case, contains all required words. Must be as cheap as possible."""
    return all(word in lower for word in required)
