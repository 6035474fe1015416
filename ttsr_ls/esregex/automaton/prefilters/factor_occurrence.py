"""The context that a folded factor must have at an occurrence to activate a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet, Codes
from ttsr_ls.esregex.automaton.dfa.factors import Factor
from ttsr_ls.esregex.automaton.dfa.fixed_texts import fold
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.prefilters.factor_context import (
    ContextSteps,
    fits_after,
    fits_before,
    steps_after,
    steps_before,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet


class FactorOccurrence:
    """A factor of a group: one folded text, and the conditions of the group's patterns on its occurrences."""

    __slots__ = ("_cased", "_contexts", "_find_contexts", "_following", "_previous", "group", "length", "number")

    def __init__(self, group: PatternGroup, text: str, factors: Sequence[Factor], alphabet: Alphabet) -> None:
        """`factors` are all factors of the group's patterns that contain the text."""
        self.group = group
        self.number = 0
        """The number among all occurrences of the automaton."""
        self.length = len(text)
        """The length of the factor in units."""
        self._cased = _cased_codes(factors, text, alphabet)
        self._previous = _codes([factor.previous for factor in factors], alphabet)
        self._following = _codes([factor.following for factor in factors], alphabet)
        self._contexts: Sequence[tuple[ContextSteps, ContextSteps]] | None = None
        self._find_contexts = partial(_contexts, factors, text, alphabet)

    @property
    def last_codes(self) -> frozenset[int] | None:
        """The codes with which an occurrence ends that may be part of a match; None for any code."""
        return None if self._cased is None else frozenset([text[-1] for text in self._cased])

    def is_needed(self, recent: Codes, end: int) -> bool:
        """Returns whether an occurrence that ends at `end` may be part of a match."""
        start = end - self.length
        if self._previous is not None and start > 0 and recent[start - 1] not in self._previous:
            return False
        if self._following is not None and end < len(recent) and recent[end] not in self._following:
            return False
        return self._cased is None or start < 0 or bytes(recent[start:end]) in self._cased

    def is_needed_in(self, text: Codes, end: int) -> bool:
        """Returns the same for a whole text, of which more units around the occurrence are tested."""
        if not self.is_needed(text, end):
            return False
        if self._contexts is None:
            # Computed lazily: most factors never occur.
            self._contexts = self._find_contexts()
        if not self._contexts:
            return True
        start = end - self.length
        for before, after in self._contexts:
            if fits_before(before, text, start) and fits_after(after, text, end):
                return True
        return False


def _contexts(factors: Iterable[Factor], text: str, alphabet: Alphabet) -> Sequence[tuple[ContextSteps, ContextSteps]]:
    """Returns the tests of the text before and after an occurrence, of which one must pass; none if all pass."""
    found = [(steps_before(factor.before, alphabet), steps_after(factor.onward, text, alphabet)) for factor in factors]
    return () if ((), ()) in found else list(dict.fromkeys(found))


def _cased_codes(factors: Iterable[Factor], text: str, alphabet: Alphabet) -> frozenset[bytes] | None:
    """Returns the codes of the texts that are folded to `text`; None if they are too many, or some codes are large."""
    found: set[bytes] = set()
    for factor in factors:
        if factor.cased is None:
            return None
        for cased in _texts_by_folded(factor).get(text, ()):
            if cased.isascii():
                found.add(cased.encode())
                continue
            codes = [alphabet.code_of(ord(unit)) for unit in cased]
            if max(codes) > 0xFF:
                return None
            found.add(bytes(codes))
    return frozenset(found)


# Cached, because the texts of one factor are requested one after the other.
@lru_cache(maxsize=4)
def _texts_by_folded(factor: Factor) -> dict[str, list[str]]:
    """Returns the texts of a factor before folding, by the folded text."""
    found: dict[str, list[str]] = {}
    for cased in factor.cased or ():
        folded = cased.lower() if cased.isascii() else "".join(map(fold, cased))
        found.setdefault(folded, []).append(cased)
    return found


def _codes(sets: Iterable[UnitSet | None], alphabet: Alphabet) -> frozenset[int] | None:
    """Returns the codes of all units of some sets; None if a set is unknown."""
    found = frozenset[int]()
    for units in sets:
        if units is None:
            return None
        found |= alphabet.codes_of(units)
    return found
