"""Fuses the states of the groups that are always matched, so that a unit costs one look-up in total. Those of the
factor search are fused with them, too, unless it has very many.

A fused state is a table of the fused states after each code, followed by the tables that it consists of. It continues
where factors end, and records them, but not where a group reports anything: there, each part is stepped separately. If
the parts have too many combinations, nothing is fused.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.plain_determinizer import PlainDeterminizer
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool
from ttsr_ls.esregex.automaton.prefilters.factor_search import FactorEnd, FactorSearch, FoundFactors

_MIN_UNITS_PER_TABLE = 8
"""Fusion is given up if a table is built more often than once in this many units."""
MAX_FUSED_GROUPS = 5
_MAX_SHARE_OF_SEARCH = 0.4
"""The search is fused with the groups if it has fewer states than this share of the most fused states: others are
rarely reached again soon enough."""
_MAX_BUILT = 8
"""How many states of groups may be built while some units are read. Where more are missing, the groups are stepped
separately, which counts the work."""
_FREED_AT_ONCE = 4
"""How many evicted tables are freed when a new one is made."""


class FusedStates:
    """The fused states of the search for factors and the automata of some groups."""

    __slots__ = ("_built", "_codes", "_dfas", "_fusion", "_is_evicted", "_search_symbols", "_tables")

    def __init__(self, fusion: Fusion, dfas: Sequence[LazyDfa]) -> None:
        self._fusion = fusion
        self._codes = fusion.codes
        self._search_symbols = fusion.search.translation.symbols if fusion.with_search else None
        """The symbols of codes in the search, if it is fused."""
        self._dfas = [(dfa, dfa.translation.symbols, isinstance(dfa.determinizer, PlainDeterminizer)) for dfa in dfas]
        """The automata of the groups, the symbols of their codes, and whether a new state takes little work."""
        self._built = 0
        """How many states of groups were built in the latest units."""
        self._tables: dict[tuple[int, ...], Table] = {}
        self._is_evicted = False

    def fused(self, search: Table, tables: Sequence[Table]) -> Table:
        """Returns the fused state of a state of the search and the states of the groups."""
        return self._table((search, *tables) if self._search_symbols is not None else tuple(tables))

    def _table(self, parts: tuple[Table, ...]) -> Table:
        """Returns the fused state of some states."""
        # The fused table keeps these tables alive, so their identities stay unique.
        key = tuple(map(id, parts))
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = self._fusion.pool.acquire()
            table += [None] * self._codes
            table += parts
            self._fusion.made += 1
            if self._fusion.evicted:
                self._fusion.free_some()
        return table

    def parts(self, fused: Table, search: Table) -> tuple[Table, Sequence[Table]]:
        """Returns the state of the search, which is `search` if it is not fused, and the states of the groups."""
        parts = fused[self._codes :]
        return (parts[0], parts[1:]) if self._search_symbols is not None else (search, parts)

    def evict(self) -> list[Table]:
        """Removes and returns all states. A stream at one of them leaves it at the first missing transition."""
        self._is_evicted = True
        evicted, self._tables = list(self._tables.values()), {}
        return evicted

    def read(self, table: Table, codes: Codes, unneeded: Container[int]) -> tuple[Table | None, FoundFactors]:
        """Reads some units, and builds missing transitions. Returns the state there, and the factors that ended, except
        those that are `unneeded`. The state is None if a group has a report on the way, or a transition cannot be
        built."""
        found: list[tuple[int, int]] = []
        self._built = 0
        for position, code in enumerate(codes, 1):
            following: Any = table[code]
            if following is None:
                if self._fusion.is_full:
                    return None, ()
                following = self._next(table, code)
                if following is None:
                    return None, ()
            # `isinstance` would take several times as long.
            if following.__class__ is not list:
                found += [(position, factor) for factor in following.factors if factor not in unneeded]
                following = following.table
            table = following
        return table, found

    def _next(self, table: Table, code: int) -> Table | FactorEnd | None:
        if self._is_evicted:
            return None
        parts: list[Any] = table[self._codes :]
        factors: tuple[int, ...] = ()
        index = 0
        if self._search_symbols is not None:
            following = parts[0][self._search_symbols[code]]
            if following.__class__ is not list:
                factors, following = following.factors_with(code), following.table
            parts[0] = following
            index = 1
        for dfa, symbols, is_plain in self._dfas:
            following = parts[index][symbols[code]]
            if following.__class__ is not list:
                if following is not None or not is_plain or not dfa.is_cached or self._built == _MAX_BUILT:
                    return None
                self._built += 1
                following = dfa.next_table(parts[index], symbols[code])
                if dfa.state_of(following).is_reporting:
                    return None
            parts[index] = following
            index += 1
        target = self._table(tuple(parts))
        after: Table | FactorEnd = FactorEnd(self._fusion.search, target, factors) if factors else target
        table[code] = after
        return after


class Fusion:
    """All fused states of an automaton."""

    __slots__ = (
        "_by_dfas",
        "_is_worth_it",
        "_most_tables",
        "_units_before",
        "codes",
        "evicted",
        "evictions",
        "made",
        "pool",
        "search",
        "with_lasting",
        "with_search",
    )

    def __init__(self, search: FactorSearch, codes: int, pool: TablePool, most_tables: int) -> None:
        """`codes` is the number of codes."""
        self._most_tables = most_tables
        self.pool = pool
        self.search = search
        self.with_search = search.size <= most_tables * _MAX_SHARE_OF_SEARCH
        """Whether the search is fused with the groups."""
        self.codes = codes
        self._by_dfas: dict[tuple[LazyDfa, ...], FusedStates] = {}
        self._units_before = 0
        """How many units had been read when all tables were evicted."""
        self._is_worth_it = self.with_lasting = True
        self.made = 0
        """How many tables there are."""
        self.evicted: list[Table] = []
        """Tables that are not freed yet."""
        self.evictions = 0
        """How often all tables were evicted."""

    @property
    def is_useful(self) -> bool:
        """False if fusing is not worth it and there is nothing to free."""
        return self._is_worth_it or bool(self.evicted)

    @property
    def is_full(self) -> bool:
        """True if there are so many tables that all of them are evicted when the next groups are fused."""
        return self.made > self._most_tables

    def free_some(self) -> None:
        """Frees some evicted tables. Freeing thousands at once would be noticeable."""
        for table in self.evicted[-_FREED_AT_ONCE:]:
            # Tables refer to each other, so only this frees them.
            table[: self.codes] = [None] * self.codes
            self.pool.release(table)
        del self.evicted[-_FREED_AT_ONCE:]

    def states(self, dfas: tuple[LazyDfa, ...], units: int) -> FusedStates | None:
        """Returns the fused states with these automata; None if fusing them is not worth it. `units` is the number of
        units read so far, on all streams."""
        if self.evicted:
            self.free_some()
        if not self._is_worth_it or len(dfas) > MAX_FUSED_GROUPS:
            return None
        if self.is_full:
            if units - self._units_before <= _MIN_UNITS_PER_TABLE * self.made:
                self._is_worth_it, self.with_lasting = self.with_lasting, False
            for states in self._by_dfas.values():
                self.evicted += states.evict()
            self._by_dfas.clear()
            self._units_before, self.made = units, 0
            self.evictions += 1
        fused_states = self._by_dfas.get(dfas)
        if fused_states is None:
            fused_states = self._by_dfas[dfas] = FusedStates(self, dfas)
        return fused_states
