"""Fuses the states of the factor search and of the groups that are always matched, so that a unit costs one look-up in
total.

A fused state is a table of the fused states after each code, followed by the tables that it consists of. It continues
only where none of its parts reports anything; otherwise each part is stepped separately. Where the parts have too many
combinations, nothing is fused.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes, SymbolTranslation
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool

_DELTAS_A_TABLE = 4
"""Tables that are made more often than once in so many deltas are not worth it."""
_MAX_PARTS = 6


class FusedStates:
    """The fused states of the search for factors and the automata of some groups."""

    __slots__ = ("_codes", "_fusion", "_tables", "_translations")

    def __init__(self, fusion: Fusion, translations: Sequence[SymbolTranslation], codes: int) -> None:
        self._fusion = fusion
        self._translations = tuple(translations)
        self._codes = codes
        self._tables: dict[tuple[int, ...], Table] = {}

    def table(self, parts: tuple[Table, ...]) -> Table:
        """Returns the fused state of some states."""
        # The tables are kept by the fused one, so that no others get their identities.
        key = tuple(map(id, parts))
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = self._fusion.pool.acquire()
            table += [None] * self._codes
            table += parts
            self._fusion.made += 1
        return table

    def parts(self, table: Table) -> list[Table]:
        """Returns the states that a fused state consists of."""
        return table[self._codes :]

    def release(self) -> None:
        """Removes all states, because no stream uses them any more."""
        for table in self._tables.values():
            self._fusion.pool.release(table)

    def pass_over(self, table: Table, codes: Codes) -> tuple[Table, int]:
        """Reads on while no part has a report; returns the state there and the number of units read."""
        for position, code in enumerate(codes):
            following: Table | None = table[code]
            if following is None:
                following = self._after(table, code)
                if following is None:
                    return table, position
                table[code] = following
            table = following
        return table, len(codes)

    def _after(self, table: Table, code: int) -> Table | None:
        parts: list[Table] = []
        for part, translation in zip(self.parts(table), self._translations, strict=True):
            following = part[translation.of(code)]
            if following.__class__ is not list:
                return None
            parts.append(following)
        return self.table(tuple(parts))


class Fusion:
    """All fused states of an automaton."""

    __slots__ = ("_by_dfas", "_codes", "_deltas", "_is_worth_it", "_most_tables", "_search", "made", "pool")

    def __init__(self, search: SymbolTranslation, codes: int, pool: TablePool, most_tables: int) -> None:
        """`search` is the translation of the factor search, `codes` the number of codes."""
        self._most_tables = most_tables
        self.pool = pool
        self._search = search
        self._codes = codes
        self._by_dfas: dict[tuple[LazyDfa, ...], FusedStates] = {}
        self._deltas = 0
        self._is_worth_it = True
        self.made = 0
        """How many tables there are."""

    def states(self, dfas: tuple[LazyDfa, ...]) -> FusedStates | None:
        """Returns the fused states with these automata; None if fusing them is not worth it."""
        if not self._is_worth_it or len(dfas) >= _MAX_PARTS:
            return None
        self._deltas += 1
        if self.made > self._most_tables:
            self._is_worth_it = self._deltas > _DELTAS_A_TABLE * self.made
            for states in self._by_dfas.values():
                states.release()
            self._by_dfas.clear()
            self._deltas = self.made = 0
        fused_states = self._by_dfas.get(dfas)
        if fused_states is None:
            translations = [self._search, *[dfa.translation for dfa in dfas]]
            fused_states = self._by_dfas[dfas] = FusedStates(self, translations, self._codes)
        return fused_states
