"""Finds required factors in a stream: the automaton of Aho and Corasick.

A state is a table of the states after each symbol, so that nearly always a delta is one loop in C. For any text,
there are no more states than units in all factors.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet, Codes, SymbolTranslation
from ttsr_ls.esregex.automaton.dfa.fixed_texts import fold
from ttsr_ls.esregex.automaton.dfa.table_pool import Table
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence

FoundFactors = Sequence[tuple[int, int]]
"""For each factor that ended, the position after it in some units, and its number."""


class SearchRun:
    """Some units while they are read by one loop in C."""

    __slots__ = ("ends", "rest")

    def __init__(self) -> None:
        self.rest: Any = iter(b"")
        """The iterator of the units."""
        self.ends: list[tuple[int, FactorEnd]] = []
        """The transitions on the way with which factors end, each with the number of units after it."""

    def take(self, codes: Codes, unneeded: Container[int]) -> FoundFactors:
        """Returns the factors that ended in units with these codes, except those that are not needed. Forgets them."""
        length, ends = len(codes), self.ends
        found = [
            (length - left, factor)
            for left, end in ends
            for factor in end.factors_with(codes[-1 - left])
            if factor not in unneeded
        ]
        ends.clear()
        return found


class FactorEnd:
    """A transition with which factors end. The loop in C goes on behind it."""

    __slots__ = ("_by_code", "_search", "factors", "table")

    def __init__(self, search: FactorSearch, table: Table, factors: tuple[int, ...]) -> None:
        self._search = search
        self.table = table
        self.factors = factors
        self._by_code: dict[int, tuple[int, ...]] = {}

    def __getitem__(self, symbol: int) -> object:
        """Records that the factors ended, and returns the transition of the table with the next symbol."""
        run = self._search.run
        run.ends.append((run.rest.__length_hint__() + 1, self))
        return self.table[symbol]

    def factors_with(self, code: int) -> tuple[int, ...]:
        """Returns the factors that may be part of a match if this is the code of their last unit. With other codes,
        that unit has the wrong case."""
        factors = self._by_code.get(code)
        if factors is None:
            can_end = self._search.can_end
            factors = self._by_code[code] = tuple([factor for factor in self.factors if can_end(factor, code)])
        return factors


class FactorSearch:
    """Finds numbered texts in text whose case is folded."""

    __slots__ = ("_by_factor", "_last_codes", "root", "run", "size", "translation")

    def __init__(
        self, factors: Mapping[str, int], by_factor: Sequence[Sequence[FactorOccurrence]], alphabet: Alphabet
    ) -> None:
        """`by_factor` are the occurrences of each factor."""
        self._by_factor = by_factor
        self._last_codes: dict[int, frozenset[int] | None] = {}
        """The codes with which each factor may end as a part of a match; None for any code."""
        self.run = SearchRun()
        symbol_of: dict[str, int] = {}
        symbol_of_unit = {
            unit: symbol_of.setdefault(fold(alphabet.units[alphabet.code_of(ord(unit))]), 1 + len(symbol_of))
            for unit in sorted({unit for text in factors for unit in text})
        }
        self.translation = SymbolTranslation([symbol_of.get(fold(unit), 0) for unit in alphabet.units])
        symbols = 1 + len(symbol_of_unit)
        children: list[dict[int, int]] = [{}]
        found: list[tuple[int, ...]] = [()]
        for text, number in factors.items():
            state = 0
            for unit in text:
                symbol = symbol_of_unit[unit]
                following = children[state].get(symbol)
                if following is None:
                    following = children[state][symbol] = len(children)
                    children.append({})
                    found.append(())
                state = following
            found[state] += (number,)
        # The failure function: for each state, that of its longest proper suffix that is a prefix of a factor.
        failure = [0] * len(children)
        after: list[list[int]] = [[0] * symbols for _ in children]
        pending = [0]
        tables: list[Table] = [[] for _ in children]
        for state in pending:
            table = tables[state]
            row = after[state] if not state else after[failure[state]][:]
            table += tables[failure[state]] if state else [table] * symbols
            for symbol, following in children[state].items():
                failure[following] = row[symbol] if state else 0
                row[symbol] = following
                found[following] += found[failure[following]]
                next_table = tables[following]
                table[symbol] = FactorEnd(self, next_table, found[following]) if found[following] else next_table
                pending.append(following)
            after[state] = row
        self.root = tables[0]
        self.size = len(tables)

    def after(self, table: Table, code: int) -> tuple[Table, tuple[int, ...]]:
        """Returns the state after a unit with this code, and the factors that end in it."""
        following: Table | FactorEnd = table[self.translation.of(code)]
        if isinstance(following, FactorEnd):
            return following.table, following.factors_with(code)
        return following, ()

    def search(self, table: Table, codes: Codes, unneeded: Container[int]) -> tuple[Table, FoundFactors]:
        """Reads some units. Returns the next state, and the factors that end in them, except those that are
        `unneeded`."""
        run, small = self.run, self.translation.table
        if isinstance(codes, bytes) and small is not None:
            # Calling `translation` takes longer than the translation.
            run.rest = rest = iter(codes.translate(small))
        else:
            run.rest = rest = iter(self.translation(codes))
        last: Table | FactorEnd = reduce(getitem, rest, table)
        if isinstance(last, FactorEnd):
            run.ends.append((0, last))
            last = last.table
        return last, run.take(codes, unneeded) if run.ends else ()

    def can_end(self, factor: int, code: int) -> bool:
        """Returns whether a factor that ends with this code may be part of a match."""
        if factor not in self._last_codes:
            # Computed lazily: most factors never occur.
            codes = [occurrence.last_codes for occurrence in self._by_factor[factor]]
            known = [each for each in codes if each is not None]
            self._last_codes[factor] = known[0].union(*known) if known and len(known) == len(codes) else None
        last_codes = self._last_codes[factor]
        return last_codes is None or code in last_codes
