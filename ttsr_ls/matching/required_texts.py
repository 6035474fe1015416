"""Selects the conditions that can match a text at all, by the texts that they require.

Each distinct required text is searched for once, however many conditions require it, and most files do not contain it:
for a few rules, that is ten times cheaper than any pass over all characters in Python. For many rules, the required
texts are searched for only in words that are new: files of one project have most of their words in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ttsr_ls.esregex.tree.required_text import AnyOf

_MANY_TEXTS = 50
"""From this number of required texts on, they are searched for in new words instead of the whole text."""
_WORD = re.compile(r"[a-z0-9_]{2,}")
_MAX_WORD_LENGTH = 100
_MAX_WORDS = 100_000
"""The most words that are cached with the required texts in them: about 10 MB."""
_NEW_WORDS = 200
_UNITS_PER_NEW_WORD = 40
"""A file with more than `_NEW_WORDS` new words, plus one for each `_UNITS_PER_NEW_WORD` characters, is searched for all
required texts instead."""


class RequiredTexts:
    """Numbered conditions, with the texts that each requires (`esregex.tree.required_text`)."""

    __slots__ = ("_always", "_by_words", "_further", "_texts")

    def __init__(self, required: Iterable[tuple[int, tuple[AnyOf, ...]]]) -> None:
        texts: dict[str, list[int]] = {}
        always, further = list[int](), dict[int, tuple[AnyOf, ...]]()
        for number, parts in required:
            if not parts:
                always.append(number)
                continue
            # The other parts are tested only if the text contains one of the first part.
            for text in parts[0]:
                texts.setdefault(text, []).append(number)
            if len(parts) > 1:
                further[number] = parts[1:]
        self._always = frozenset(always)
        self._further = further
        wordy = [text for text in texts if _WORD.search(text)] if len(texts) >= _MANY_TEXTS else []
        self._by_words = _TextsByWords([(text, texts.pop(text)) for text in wordy])
        self._texts = tuple(texts.items())

    def candidates(self, lower: str) -> set[int]:
        """Returns the conditions whose required texts are all in a text, which is given in lower case."""
        candidates = set(self._always)
        found = [numbers for text, numbers in self._texts if text in lower]
        found += [numbers for text, numbers in self._by_words.candidates(lower) if text in lower]
        for numbers in found:
            for number in numbers:
                parts = self._further.get(number, ())
                if all(any(text in lower for text in part) for part in parts):
                    candidates.add(number)
        return candidates


_Entry = tuple[str, list[int]]


class _TextsByWords:
    """Required texts that contain a word, or part of one. Caches the words of files."""

    __slots__ = ("_entries", "_known", "_longest_words")

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self._entries = entries
        self._longest_words = tuple(
            (max(_WORD.findall(text), key=len), index) for index, (text, _) in enumerate(entries)
        )
        self._known: dict[str, tuple[int, ...]] = {}

    def candidates(self, lower: str) -> Sequence[_Entry]:
        """Returns the required texts that may be in a text. All others are certainly absent."""
        if not self._entries:
            return ()
        if len(self._known) > _MAX_WORDS:
            self._known.clear()
        known, words = self._known, set(_WORD.findall(lower))
        # A difference of sets would iterate over all cached words.
        new = [word for word in words if word not in known]
        limit = _NEW_WORDS + len(lower) // _UNITS_PER_NEW_WORD
        if len(new) > limit:
            self._learn(new[:limit])
            return self._entries
        positions = {index for word in words for index in known.get(word, ())}.union(self._learn(new))
        return [self._entries[index] for index in positions]

    def _learn(self, words: Iterable[str]) -> set[int]:
        """Returns the required texts that words may contain. Caches them, except for words too long to recur."""
        positions: set[int] = set()
        for word in words:
            texts = tuple(index for part, index in self._longest_words if part in word)
            positions.update(texts)
            if len(word) <= _MAX_WORD_LENGTH:
                self._known[word] = texts
        return positions
