"""The lazy DFA of one group of patterns: states are built on demand.

A state is a table of the states after each symbol, so that nearly always a delta is one loop in C. The group's
`Determinizer` defines what a configuration is and how a unit changes it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet, SymbolTranslation
from ttsr_ls.esregex.automaton.dfa.cache_evictor import CacheEvictor
from ttsr_ls.esregex.automaton.dfa.match_reports import FIRST_COUNTER_REPORT, counter_report
from ttsr_ls.esregex.automaton.dfa.nfa_program import NfaProgram
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool

Configuration = TypeVar("Configuration", bound=Hashable)

_WORK_OF_CACHING = 6


class Determinizer(Protocol[Configuration]):
    """The subset construction of one NFA program. Configurations are immutable, hashable values."""

    @property
    def initial(self) -> Configuration:
        """The configuration before any text."""
        ...

    def restarted(self, key: int) -> Configuration:
        """Returns the configuration after a unit with this class key without any thread that began before it."""
        ...

    def all_threads(self, key: int) -> Configuration | None:
        """Returns a configuration with all threads that are possible after a unit with this class key; None if there is
        none."""
        ...

    def step(self, configuration: Configuration, key: int) -> Configuration:
        """Returns the configuration after a unit with this class key."""
        ...

    def match_reports(self, configuration: Configuration) -> tuple[int, ...]:
        """Returns the match reports of the unit that led to this configuration."""
        ...

    def expire_counters(self, configuration: Configuration, counters: Sequence[int]) -> Configuration:
        """Returns the configuration after these counters expired, without match reports."""
        ...

    def without_left_out(self, configuration: Configuration) -> Configuration:
        """Returns a configuration of the same program without the threads of the patterns that this determinizer leaves
        out."""
        ...

    def work(self, configuration: Configuration) -> int:
        """Returns how much work it took to make a configuration; one is about a microsecond."""
        ...

    def use_cheap_steps(self) -> None:
        """Makes later steps cheaper, because they are not cached any more. Reports may become less exact."""
        ...

    def reports_at_end(self, configuration: Configuration) -> tuple[int, ...]:
        """Returns the patterns that match if the text ends here, complemented if they only may. Patterns that were
        final before are left out."""
        ...


class DfaState(Struct, frozen=True, eq=False, gc=False):
    """The facts about a state, except its successors. It refers to no table, so that the cycle collector ignores it."""

    configuration: Any
    match_reports: tuple[int, ...]
    """The match reports of the unit that led here (see `match_reports`), except counters."""
    counters: tuple[tuple[int, tuple[int, ...]], ...]
    """The counters that start here, by the number of units after which they expire."""
    generation: int
    """How often the states had been evicted when this one was built."""

    @property
    def is_reporting(self) -> bool:
        """True if a runner must stop at this state to process its reports."""
        return bool(self.match_reports or self.counters)


class _ReportingTable(Struct, frozen=True, eq=False, gc=False):
    """Wraps the table of a state with reports, so that a runner stops there."""

    table: Table


class LazyDfa:
    """The states of a group, built on demand.

    A table has the table after each symbol. An entry is no list if the next state is not built yet, or if it reports
    something. After the entries, a table has its `DfaState`, and the reports at the end of the text once they were
    computed.
    """

    __slots__ = (
        "__weakref__",
        "_class_keys",
        "_counter_of",
        "_evictor",
        "_generation",
        "_initial",
        "_most_states",
        "_next_excess",
        "_pool",
        "_restarted",
        "_symbol_of_code",
        "_symbols",
        "_tables",
        "determinizer",
        "has_counters",
        "is_cached",
        "on_excess",
        "restart_tables",
        "translation",
        "used",
    )

    def __init__(
        self,
        program: NfaProgram,
        determinizer: Determinizer[Any],
        alphabet: Alphabet,
        pool: TablePool,
        evictor: CacheEvictor,
        limits: tuple[int, ...],
        most_states: int,
    ) -> None:
        self.determinizer = determinizer
        self.has_counters = bool(limits)
        self._counter_of = {
            counter_report(counter, before): (counter, units - before)
            for counter, units in enumerate(limits)
            for before in (False, True)
        }
        """The counter that each report starts, and after how many units it expires."""
        self._class_keys, own = program.class_keys()
        self.translation = SymbolTranslation([own[number] for number in alphabet.class_of_code])
        self._symbol_of_code = self.translation.symbols
        self._symbols = len(self._class_keys)
        self._tables: dict[Any, Table] = {}
        self._restarted: dict[int, Any] = {}
        self.restart_tables: dict[int, Table] = {}
        """The cached tables that `table_after` returned, by symbol."""
        self._pool = pool
        self._evictor = evictor
        self._most_states = self._next_excess = most_states
        self._generation = 0
        self._initial: Any = None
        """The configuration before any text, once it is needed."""
        self.is_cached = True
        self.used = 0
        """The number of states of all groups, ever, when a state was last built."""
        self.on_excess: Callable[[LazyDfa], None] | None = None
        """Called each time `most_states` more states were built."""
        evictor.register(self)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def initial(self) -> Table:
        """The table of the state before any text."""
        if self._initial is None:
            self._initial = self.determinizer.initial
        return self.table(self._initial)

    def has_no_older_thread(self, table: Table, code: int) -> bool:
        """Returns whether no thread of a state began before the last unit, which has this code."""
        symbol = self._symbol_of_code[code]
        restarted = self._restarted.get(symbol)
        if restarted is None:
            restarted = self._restart(symbol)
        return bool(table[self._symbols].configuration == restarted)

    def table_after(self, code: int) -> Table:
        """Returns the table after a unit with this code without any thread that began before it."""
        symbol = self._symbol_of_code[code]
        table = self.table(self._restarted.get(symbol) or self._restart(symbol))
        if self.is_cached and self.state_of(table).generation == self._generation:
            self.restart_tables[symbol] = table
        return table

    def _restart(self, symbol: int) -> Any:
        restarted = self._restarted[symbol] = self.determinizer.restarted(self._class_keys[symbol])
        return restarted

    def all_threads(self, symbol: int) -> Any:
        """Returns a configuration with all threads that are possible after a unit with this symbol; None if there is
        none."""
        return self.determinizer.all_threads(self._class_keys[symbol])

    def state_of(self, table: Table) -> DfaState:
        state: DfaState = table[self._symbols]
        return state

    def next_table(self, table: Table, symbol: int) -> Table:
        """Returns the table after a unit with this symbol; builds it if necessary."""
        known: Table | _ReportingTable | None = table[symbol]
        if isinstance(known, list):
            return known
        if known is not None:
            return known.table
        state = self.state_of(table)
        configuration = self.determinizer.step(state.configuration, self._class_keys[symbol])
        if not self.is_cached:
            return self._build_table(configuration)
        target = self._tables.get(configuration)
        if target is None:
            target = self.table(configuration)
        else:
            # The state was cached, but computing the step took as long.
            self._evictor.work += self.determinizer.work(configuration)
        if state.generation == self._generation:
            # An evicted table must not keep its successors alive.
            table[symbol] = _ReportingTable(target) if self.state_of(target).is_reporting else target
        return target

    def table(self, configuration: Any) -> Table:
        """Returns the table of a configuration; builds it if necessary."""
        table = self._tables.get(configuration)
        if table is None:
            table = self._build_table(configuration)
            if self.is_cached:
                self._tables[configuration] = table
                self._evictor.count_state(self)
                if len(self._tables) > self._next_excess and self.on_excess is not None:
                    self._next_excess += self._most_states
                    self.on_excess(self)
        return table

    def _build_table(self, configuration: Any) -> Table:
        self._evictor.work += self.determinizer.work(configuration) + (_WORK_OF_CACHING if self.is_cached else 0)
        table = self._pool.acquire()
        table += [None] * self._symbols
        table += (self._build_state(configuration), None)
        return table

    def _build_state(self, configuration: Any) -> DfaState:
        reports = self.determinizer.match_reports(configuration)
        if not reports or reports[-1] < FIRST_COUNTER_REPORT:
            return DfaState(configuration, reports, (), self._generation)
        first = bisect_left(reports, FIRST_COUNTER_REPORT)
        return DfaState(configuration, reports[:first], self._started_counters(reports[first:]), self._generation)

    def _started_counters(self, reports: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Returns the counters that some match reports start, by the number of units after which they expire."""
        # Without a loop in Python, because a stream may start thousands of counters at each unit.
        units_of = dict(map(self._counter_of.__getitem__, reports))
        limits = set(units_of.values())
        if len(limits) == 1:
            return ((limits.pop(), tuple(units_of)),)
        return tuple(
            [(limit, tuple([counter for counter, units in units_of.items() if units == limit])) for limit in limits]
        )

    def reports_at_end(self, table: Table) -> tuple[int, ...]:
        """Returns the match reports of patterns that match, or may match, if the text ends here, except those reported
        before."""
        ended: tuple[int, ...] | None = table[-1]
        if ended is None:
            ended = table[-1] = self.determinizer.reports_at_end(self.state_of(table).configuration)
        return ended

    def expire_counters(self, table: Table, counters: Sequence[int]) -> Table:
        """Returns the table after these counters expired."""
        return self.table(self.determinizer.expire_counters(self.state_of(table).configuration, counters))

    def stop_caching(self) -> None:
        """Steps unit by unit from now on, because the group keeps making new states."""
        self.is_cached = False
        self._initial = None
        self.determinizer.use_cheap_steps()
        self.clear()

    def clear(self) -> None:
        """Empties the cache of states. States are built again on demand."""
        # The dictionary is reused: a new one would not be frozen, and the collector would traverse all tables in it.
        dropped = list(self._tables.values())
        self._tables.clear()
        self.restart_tables.clear()
        self._generation += 1
        self._next_excess = self._most_states
        self._evictor.discard(dropped, lambda: self._free_one(dropped))

    def _free_one(self, dropped: list[Table]) -> None:
        table = dropped.pop()
        # Tables refer to each other, so only this frees them. A stream may be at this table, and continue from it.
        table[: self._symbols] = [None] * self._symbols
        table[-1] = None
        self._pool.release(table)
