"""Finds required factors in a stream: the automaton of Aho and Corasick.

A state is a table of the states after each symbol, so that nearly always a delta is one loop in C. For any text,
there are no more states than units in all factors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import getitem

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet, Codes, SymbolTranslation
from ttsr_ls.esregex.automaton.dfa.fixed_texts import fold
from ttsr_ls.esregex.automaton.dfa.table_pool import Table


class FactorSearch:
    """Finds numbered texts in text whose case is folded."""

    __slots__ = ("_found", "_tables", "root", "translation")

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
            table += tables[failure[state]][:symbols] if state else [table] * symbols
            for symbol, following in children[state].items():
                failure[following] = row[symbol] if state else 0
                row[symbol] = following
                found[following] += found[failure[following]]
                table[symbol] = None if found[following] else tables[following]
                pending.append(following)
            after[state] = row
            # After the entries, a table has the number of the state after each symbol.
            table.append(row)
        self._tables = tables
        self._found = tuple(found)
        self.root = tables[0]

    def after(self, table: Table, code: int) -> tuple[Table, frozenset[int]]:
        """Returns the state after a unit with this code, and the factors that end in it."""
        state = table[-1][self.translation.of(code)]
        return self._tables[state], frozenset(self._found[state])

    def search(self, table: Table, codes: Codes) -> tuple[Table, Sequence[tuple[int, int]]]:
        """Reads some units. Returns the next state, and for each factor that ends in them the position after it and its
        number.
        """
        symbols = self.translation(codes)
        try:
            last: Table | None = reduce(getitem, symbols, table)
        except TypeError:
            # Some factor ends in these units.
            last = None
        if last is not None:
            return last, ()
        found: list[tuple[int, int]] = []
        for position, symbol in enumerate(symbols, 1):
            following = table[symbol]
            if following is None:
                state = table[-1][symbol]
                following = self._tables[state]
                found += [(position, number) for number in self._found[state]]
            table = following
        return table, found
