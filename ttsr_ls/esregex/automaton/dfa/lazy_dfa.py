"""The states of one group of patterns: a deterministic automaton that is made while it is used.

A state is a table of the states after each symbol, so that nearly always a delta is one loop in C. What a configuration
is, and how a unit changes it, is a matter of the group's `Determinizer`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet, SymbolTranslation
from ttsr_ls.esregex.automaton.dfa.match_reports import FIRST_COUNTER_REPORT, counter_report
from ttsr_ls.esregex.automaton.dfa.nfa_program import NfaProgram
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool
from ttsr_ls.esregex.automaton.dfa.upkeep import Upkeep

Configuration = TypeVar("Configuration", bound=Hashable)


class Determinizer(Protocol[Configuration]):
    """How the threads of a program behave. Configurations are values: they can be compared, and never change."""

    @property
    def initial(self) -> Configuration:
        """The configuration before any text."""
        ...

    def blank(self, key: int) -> Configuration:
        """The configuration after a unit with this class key, if no thread is left of what was before."""
        ...

    def everything(self, key: int) -> Configuration | None:
        """A configuration after a unit with this class key with all threads that there may be. None if there is
        none."""
        ...

    def step(self, configuration: Configuration, key: int) -> Configuration:
        """The configuration after a unit with this class key."""
        ...

    def match_reports(self, configuration: Configuration) -> tuple[int, ...]:
        """The match reports of the unit that led to this state."""
        ...

    def without(self, configuration: Configuration, counter: int) -> Configuration:
        """The configuration after a counter ran out, with nothing left to be reported."""
        ...

    def limited(self, configuration: Configuration) -> Configuration:
        """A configuration of the same program without the threads of patterns that are left out."""
        ...

    def spare(self) -> None:
        """Saves steps from now on, because none is cached: reports may become less exact."""
        ...

    def at_end(self, configuration: Configuration) -> tuple[int, ...]:
        """The patterns that match, or may if complemented, if the text ends here; those final before are left out."""
        ...


class DfaState(Struct, frozen=True, eq=False, gc=False):
    """The facts about a state, except its successors. The collector ignores it, because it refers to no table."""

    configuration: Any
    match_reports: tuple[int, ...]
    """What is reported of the unit that led here (see `match_reports`), but for counters."""
    counters: tuple[tuple[int, int], ...]
    """The counters that start here, each with the units from here on after which it runs out."""

    @property
    def is_reporting(self) -> bool:
        """Whether a runner must not pass over this state unnoticed."""
        return bool(self.match_reports or self.counters)


class _Telling(Struct, frozen=True, eq=False, gc=False):
    """Stands for a table where something is reported, so that nobody gets there without noticing."""

    table: Table


class LazyDfa:
    """The states of a group, made on first use.

    A table has the tables after each symbol: no list where it is not known, or where something is reported. Behind them
    it has the state, and what is reported if the text ends there, once somebody asked."""

    __slots__ = (
        "__weakref__",
        "_blanks",
        "_class_keys",
        "_counter_of",
        "_excess",
        "_most_states",
        "_pool",
        "_symbols",
        "_tables",
        "_upkeep",
        "determinizer",
        "has_counters",
        "is_cached",
        "on_excess",
        "translation",
        "used",
    )

    def __init__(
        self,
        program: NfaProgram,
        determinizer: Determinizer[Any],
        alphabet: Alphabet,
        pool: TablePool,
        upkeep: Upkeep,
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
        """The counter that each report starts, and after how many units from there it runs out."""
        self._class_keys, own = program.own_classes()
        self.translation = SymbolTranslation([own[number] for number in alphabet.class_of_code])
        self._symbols = len(self._class_keys)
        self._tables: dict[Any, Table] = {}
        self._blanks: dict[int, Any] = {}
        self._pool = pool
        self._upkeep = upkeep
        self._most_states = self._excess = most_states
        self.is_cached = True
        self.used = 0
        """When a state was last made, counted in states of all groups."""
        self.on_excess: Callable[[LazyDfa], None] | None = None
        """Called whenever there are so many more states."""
        upkeep.store(self)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def initial(self) -> Table:
        """The table of the state before any text."""
        return self.table(self.determinizer.initial)

    def blank(self, symbol: int) -> Any:
        """The configuration after a unit with this symbol, if no thread is left of what was before."""
        configuration = self._blanks.get(symbol)
        if configuration is None:
            configuration = self._blanks[symbol] = self.determinizer.blank(self._class_keys[symbol])
        return configuration

    def everything(self, symbol: int) -> Any:
        """A configuration after a unit with this symbol with all threads that there may be. None if there is none."""
        return self.determinizer.everything(self._class_keys[symbol])

    def state(self, table: Table) -> DfaState:
        state: DfaState = table[self._symbols]
        return state

    def after(self, table: Table, symbol: int) -> Table:
        """The table after a unit with a symbol."""
        known: Table | _Telling | None = table[symbol]
        if isinstance(known, list):
            return known
        if known is not None:
            return known.table
        configuration = self.determinizer.step(self.state(table).configuration, self._class_keys[symbol])
        if not self.is_cached:
            return self._made(configuration)
        target = self.table(configuration)
        table[symbol] = _Telling(target) if self.state(target).is_reporting else target
        return target

    def table(self, configuration: Any) -> Table:
        table = self._tables.get(configuration)
        if table is None:
            table = self._made(configuration)
            if self.is_cached:
                self._tables[configuration] = table
                self._upkeep.add(self)
                if len(self._tables) > self._excess and self.on_excess is not None:
                    self._excess += self._most_states
                    self.on_excess(self)
        return table

    def _made(self, configuration: Any) -> Table:
        table = self._pool.take()
        table += [None] * self._symbols
        table += (self._state_of(configuration), None)
        return table

    def _state_of(self, configuration: Any) -> DfaState:
        reports = self.determinizer.match_reports(configuration)
        if not reports or reports[-1] < FIRST_COUNTER_REPORT:
            return DfaState(configuration, reports, ())
        others = tuple([report for report in reports if report < FIRST_COUNTER_REPORT])
        # Looked up once, as a stream may start hundreds of counters at each unit.
        started = dict(map(self._counter_of.__getitem__, reports[len(others) :]))
        return DfaState(configuration, others, tuple(started.items()))

    def ended(self, table: Table) -> tuple[int, ...]:
        """The match reports of patterns that match, or may, if the text ends here, but for those reported before."""
        ended: tuple[int, ...] | None = table[-1]
        if ended is None:
            ended = table[-1] = self.determinizer.at_end(self.state(table).configuration)
        return ended

    def without(self, table: Table, counter: int) -> Table:
        """The table after a counter ran out."""
        return self.table(self.determinizer.without(self.state(table).configuration, counter))

    def stop_caching(self) -> None:
        """Step unit by unit from now on, as ever new states are made."""
        self.is_cached = False
        self.determinizer.spare()
        self.drop()

    def drop(self) -> None:
        """Empty the cache of states; they are made again when they are needed."""
        dropped, self._tables = self._tables, {}
        self._excess = self._most_states
        self._upkeep.forget(dropped, lambda: self._forget_one(dropped))

    def _forget_one(self, dropped: dict[Any, Table]) -> None:
        _, table = dropped.popitem()
        # Tables refer to one another, so that only this frees them. A stream may be there, and go on from it.
        table[: self._symbols] = [None] * self._symbols
        table[-1] = None
        self._pool.let_go(table)
