"""The states of all leaves that a stream goes through with one look-up a unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from msgspec import Struct

from ttsr_ls.esregex.automaton.ground import Ground, Grounds
from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.state import Kept, States, kept, states_of
from ttsr_ls.esregex.automaton.table_pool import TablePool
from ttsr_ls.esregex.automaton.upkeep import Upkeep

_OFTEN = 4
"""After how many different units a root counts as one that streams often come to."""

_LIKELY = 0.003
"""After how large a share of what stands before it a unit is expected there."""

_MOST_MUTED = 16
"""How many sets of patterns to be silent about get roots of their own."""

Table = dict[str, Any]
"""The tables of the states after each unit, as far as they are known.

An ordinary dictionary: `functools.reduce` takes half as long again to read from a subclass. Units beyond ASCII have to
be mapped to representatives before. What is no single unit is for others than `reduce`: the root that the table is of
(`_OWN`); what is told if the text ends here (`_ENDED`), once somebody asked; and, so that nobody gets there without
noticing, states in which something is told, under the unit twice.
"""

_OWN = ""
_ENDED = "ended"


class Root(Struct, frozen=True, gc=False, eq=False):
    """What a joined state is made of. The collector need not know it, as it refers to no table."""

    ground: Ground
    differing: Kept
    """The states that differ from those of the ground."""
    signals: tuple[int, ...]
    """What is told of the unit that led here (see `signals`)."""


class Roots:
    """The roots of some leaves, and their tables, made on first use."""

    __slots__ = ("_classes", "_numbers", "_of_silence", "_pool", "_silent", "_spare", "_tables", "_upkeep", "grounds")

    def __init__(self, grounds: Grounds, upkeep: Upkeep, pool: TablePool, classes: Mapping[str, int]) -> None:
        self.grounds = grounds
        self._upkeep = upkeep
        self._pool = pool
        self._classes = classes
        self._numbers: dict[bytes, int] = {}
        """Which table is that of a ground and some states, by their names: the collector would look through tuples."""
        self._tables: list[Table] = []
        self._spare: list[Table] = []
        """Takes turns with `_tables`, as a host may have made the collector ignore the two."""
        self._silent: frozenset[int] = frozenset()
        self._of_silence: dict[frozenset[int], Roots] = {}
        upkeep.store(self.drop)

    def after(self, table: Table, unit: str) -> Table:
        """That of the state after a unit that the table does not have. It has, unless something is told there."""
        target: Table | None = table.get(unit + unit)
        if target is None:
            target = self._state(*self._successor(table, unit))
            table[unit + unit if root_of(target).signals else unit] = target
        return target

    def _successor(self, table: Table, unit: str) -> tuple[Ground, States]:
        root = root_of(table)
        return self.grounds.after(root.ground, states_of(root.differing), self._classes[unit])

    def _state(self, ground: Ground, differing: States) -> Table:
        """The table of the root of a ground and the states that differ from it."""
        name = _name(ground, differing)
        number = self._numbers.get(name)
        if number is not None:
            return self._tables[number]
        signals = self.grounds.signals(ground, differing)
        if self._silent:
            signals = tuple([signal for signal in signals if signal not in self._silent])
        table = self._pool.take()
        table[_OWN] = Root(ground, kept(differing), signals)
        self._numbers[name] = len(self._tables)
        self._tables.append(table)
        self._upkeep.add()
        return table

    def expect(self, text: str) -> None:
        """Fill in what comes after roots that streams often come to, where it is a known root, as `text` makes likely.

        Most ways that a text takes and an earlier one did not are ways between roots that the earlier one came to.
        """
        followers = _followers(text)
        expected: dict[int, set[str]] = {}
        for table in self._tables:
            for key, target in table.items():
                # Where something is told, a unit stands twice.
                expected.setdefault(id(target), set()).update(followers.get(key[:1], ()))
        for table in tuple(self._tables):
            if len(table) > _OFTEN:
                for unit in expected.get(id(table), set()).difference(table):
                    number = self._numbers.get(_name(*self._successor(table, unit)))
                    if number is not None and not root_of(self._tables[number]).signals:
                        table[unit] = self._tables[number]

    def ended(self, table: Table) -> tuple[int, ...]:
        """The signals of patterns that match, or may, if the text ends here, but for those told before."""
        ended: tuple[int, ...] | None = table.get(_ENDED)
        if ended is None:
            root = root_of(table)
            ended = table[_ENDED] = self.grounds.ended(root.ground, states_of(root.differing))
        return ended

    def without(self, table: Table, clock: int) -> Table:
        """The state after a clock ran out."""
        root = root_of(table)
        return self._state(root.ground, self.grounds.without(root.ground, states_of(root.differing), clock))

    def situations(self, table: Table) -> dict[AnyLeaf, Any]:
        """The situations that a state is made of, by leaf."""
        root = root_of(table)
        return self.grounds.situations(root.ground, states_of(root.differing))

    def pick(self, situations: Mapping[AnyLeaf, Any]) -> Table:
        """The state that joins those of the situations of some leaves."""
        return self._state(*self.grounds.pick(situations))

    def adopt(self, table: Table) -> Table:
        """The same state as one of other roots of the same leaves."""
        root = root_of(table)
        return self._state(root.ground, states_of(root.differing))

    def silent_about(self, signals: frozenset[int]) -> Roots:
        """The roots of the same states that do not tell some signals; these ones if there are too many others."""
        silent = self._silent | signals
        known = self._of_silence.get(silent)
        if known is None:
            if len(self._of_silence) >= _MOST_MUTED:
                return self
            known = Roots(self.grounds, self._upkeep, self._pool, self._classes)
            known._silent = silent
            known._of_silence = self._of_silence
            self._of_silence[silent] = known
        return known

    def drop(self) -> None:
        """Drop all states."""
        numbers, dropped = self._numbers, self._tables
        # Emptied long before, unless the limits are tiny.
        self._numbers, self._tables = {}, [] if self._spare else self._spare
        self._spare = dropped
        self._upkeep.empty(numbers, numbers.popitem)
        self._upkeep.forget(dropped, lambda: self._pool.let_go(_forgotten(dropped.pop())))


def _followers(text: str) -> dict[str, list[str]]:
    """The units that often come after each unit of a text."""
    found: dict[str, list[str]] = {}
    times = Counter(text)
    for (unit, after), together in Counter(pairwise(text)).items():
        if together >= _LIKELY * times[unit]:
            found.setdefault(unit, []).append(after)
    return found


def root_of(table: Table) -> Root:
    """The root that a table is of."""
    root: Root = table[_OWN]
    return root


def _forgotten(table: Table) -> Table:
    # Tables refer to one another, so that only this frees them. A stream may be there, and go on from it.
    root = table[_OWN]
    table.clear()
    table[_OWN] = root
    return table


def _name(ground: Ground, differing: States) -> bytes:
    return b"".join([ground.name, *[state.name for state in differing]])
