"""Finds required factors in a stream: the automaton of Aho and Corasick.

A state is a table of the states after each symbol, so that nearly always a delta is one loop in C. For any text,
there are no more states than units in all factors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet, Codes, SymbolTranslation
from ttsr_ls.esregex.automaton.dfa.fixed_texts import fold
from ttsr_ls.esregex.automaton.dfa.table_pool import Table


class _FactorEnd(Struct, frozen=True, eq=False):
    """The table of a state in which factors end, and their numbers. It is no table, so that the loop in C stops."""

    table: Table
    numbers: tuple[int, ...]


class FactorSearch:
    """Finds numbered texts in text whose case is folded."""

    __slots__ = ("root", "translation")

    def __init__(self, factors: Mapping[str, int], alphabet: Alphabet) -> None:
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
                table[symbol] = _FactorEnd(next_table, found[following]) if found[following] else next_table
                pending.append(following)
            after[state] = row
        self.root = tables[0]

    def after(self, table: Table, code: int) -> tuple[Table, frozenset[int]]:
        """Returns the state after a unit with this code, and the factors that end in it."""
        following: Table | _FactorEnd = table[self.translation.of(code)]
        if isinstance(following, _FactorEnd):
            return following.table, frozenset(following.numbers)
        return following, frozenset()

    def search(self, table: Table, codes: Codes) -> tuple[Table, Sequence[tuple[int, int]]]:
        """Reads some units. Returns the next state, and for each factor that ends in them the position after it and its
        number.
        """
        symbols = self.translation(codes)
        try:
            last: Table | _FactorEnd = reduce(getitem, symbols, table)
        except TypeError:
            # Some factor ends in these units.
            pass
        else:
            if last.__class__ is list:
                return last, ()
        found: list[tuple[int, int]] = []
        for position, symbol in enumerate(symbols, 1):
            table = table[symbol]
            # `isinstance` would take several times as long for a struct.
            if table.__class__ is not list:
                end: Any = table
                for number in end.numbers:
                    found.append((position, number))
                table = end.table
        return table, found
