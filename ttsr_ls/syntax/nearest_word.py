"""Finds the known word that the author of an unknown one probably intended."""

from __future__ import annotations

from collections.abc import Iterable

_MAX_LENGTH = 40
"""Longer words are hardly typing errors, and comparing them takes quadratic time."""


def nearest_word(word: str, known_names: Iterable[str]) -> str | None:
    """Returns the known word at the least edit distance, ignoring case, if that is small for the length of the word;
    else None.

    A changed, missing or added character and a swap of neighbours each count as one edit. One edit is allowed for words
    of three characters or more, two from six on.
    """
    word = word.lower()
    if not 3 <= len(word) <= _MAX_LENGTH:
        return None
    distances = [(_distance(word, candidate.lower()), candidate) for candidate in known_names]
    distance, candidate = min(distances, key=lambda pair: pair[0], default=(_MAX_LENGTH, ""))
    allowed = 2 if min(len(word), len(candidate)) >= 6 else 1
    return candidate if distance <= allowed else None


def _distance(one: str, other: str) -> int:
    """Damerau and Levenshtein's distance, in its form without overlapping changes."""
    # Two edits exchange two characters at most, so at most four characters occur in only one of the words.
    if abs(len(one) - len(other)) > 2 or len(set(one) ^ set(other)) > 4:
        return _MAX_LENGTH
    before: list[int] = []
    previous = list(range(len(other) + 1))
    for row, char in enumerate(one, 1):
        current = [row]
        for column, against in enumerate(other, 1):
            cost = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (char != against))
            if row > 1 and column > 1 and char == other[column - 2] and one[row - 2] == against:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]
