"""Fuses the states of the factor search and of the groups that are always matched, so that a unit costs one look-up in
total.

A fused state is a table of the fused states after each code, followed by the tables that it consists of. It continues
only where none of its parts reports anything, except factors that a stream does not need any more; otherwise each part
is stepped separately. If the parts have too many combinations, nothing is fused.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool
from ttsr_ls.esregex.automaton.prefilters.factor_search import FactorSearch

_MIN_DELTAS_PER_TABLE = 4
"""Fusion is given up if a table is built more often than once in this many deltas."""
_MAX_PARTS = 6
_MAX_FACTOR_ENDS = 10_000
_FREED_AT_ONCE = 4
"""How many evicted tables are freed when a new one is made."""


class _FactorEnds(Struct, frozen=True, eq=False, gc=False):
    """The fused state after a unit in which factors end."""

    factors: frozenset[int]
    table: Table


class FusedStates:
    """The fused states of the search for factors and the automata of some groups."""

    __slots__ = (
        "_codes",
        "_factor_ends",
        "_fusion",
        "_is_evicted",
        "_search",
        "_symbols_of",
        "_tables",
    )

    def __init__(self, fusion: Fusion, search: FactorSearch, dfas: Sequence[LazyDfa], codes: int) -> None:
        self._fusion = fusion
        self._search = search
        self._symbols_of = [search.translation.of, *[dfa.translation.of for dfa in dfas]]
        self._codes = codes
        self._tables: dict[tuple[int, ...], Table] = {}
        self._factor_ends: dict[tuple[int, int], _FactorEnds] = {}
        """By the identity of a table, and the code after it."""
        self._is_evicted = False

    def table(self, parts: tuple[Table, ...]) -> Table:
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

    def parts(self, table: Table) -> list[Table]:
        """Returns the states that a fused state consists of."""
        return table[self._codes :]

    def evict(self) -> list[Table]:
        """Removes and returns all states. A stream at one of them leaves it at the first missing transition."""
        self._is_evicted = True
        evicted, self._tables, self._factor_ends = list(self._tables.values()), {}, {}
        return evicted

    def pass_over(self, table: Table, codes: Codes, unneeded: Set[int]) -> tuple[Table, int]:
        """Reads on while no part has a report, except that factors end which are `unneeded`. Returns the state there
        and the number of units read.
        """
        for position, code in enumerate(codes):
            following: Table | None = table[code]
            if following is None:
                ends = self._factor_ends.get((id(table), code)) if unneeded else None
                if ends is None:
                    following = self._next(table, code, unneeded)
                elif ends.factors <= unneeded:
                    following = ends.table
                if following is None:
                    return table, position
            table = following
        return table, len(codes)

    def _next(self, table: Table, code: int, unneeded: Set[int]) -> Table | None:
        if self._is_evicted:
            return None
        parts: list[Table] = []
        ended: frozenset[int] | None = None
        for part, symbol_of in zip(self.parts(table), self._symbols_of, strict=True):
            following = part[symbol_of(code)]
            if following.__class__ is not list:
                if parts or not unneeded:
                    return None
                # The first part is the search, where factors end.
                following, ended = self._search.after(part, code)
                if not ended <= unneeded:
                    return None
            parts.append(following)
        after = self.table(tuple(parts))
        if ended is None:
            table[code] = after
        elif len(self._factor_ends) < _MAX_FACTOR_ENDS:
            self._factor_ends[id(table), code] = _FactorEnds(ended, after)
        return after


class Fusion:
    """All fused states of an automaton."""

    __slots__ = (
        "_by_dfas",
        "_codes",
        "_deltas",
        "_is_worth_it",
        "_most_tables",
        "_search",
        "evicted",
        "evictions",
        "made",
        "pool",
    )

    def __init__(self, search: FactorSearch, codes: int, pool: TablePool, most_tables: int) -> None:
        """`codes` is the number of codes."""
        self._most_tables = most_tables
        self.pool = pool
        self._search = search
        self._codes = codes
        self._by_dfas: dict[tuple[LazyDfa, ...], FusedStates] = {}
        self._deltas = 0
        self._is_worth_it = True
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

    def free_some(self) -> None:
        """Frees some evicted tables. Freeing thousands at once would be noticeable."""
        for table in self.evicted[-_FREED_AT_ONCE:]:
            # Tables refer to each other, so only this frees them.
            table[: self._codes] = [None] * self._codes
            self.pool.release(table)
        del self.evicted[-_FREED_AT_ONCE:]

    def states(self, dfas: tuple[LazyDfa, ...]) -> FusedStates | None:
        """Returns the fused states with these automata; None if fusing them is not worth it."""
        if self.evicted:
            self.free_some()
        if not self._is_worth_it or len(dfas) >= _MAX_PARTS:
            return None
        self._deltas += 1
        if self.made > self._most_tables:
            self._is_worth_it = self._deltas > _MIN_DELTAS_PER_TABLE * self.made
            for states in self._by_dfas.values():
                self.evicted += states.evict()
            self._by_dfas.clear()
            self._deltas = self.made = 0
            self.evictions += 1
        fused_states = self._by_dfas.get(dfas)
        if fused_states is None:
            fused_states = self._by_dfas[dfas] = FusedStates(self, self._search, dfas, self._codes)
        return fused_states
