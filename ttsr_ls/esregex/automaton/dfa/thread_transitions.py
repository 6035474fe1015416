"""The transitions of sets of threads of one NFA group.

Sets are integers. Most items are followed only by themselves and the next two items of their pattern: these are moved
by shifts, all at once. So are sets of many items whose successors have the same distances from the item. The others are
moved one by one. Owns the tables for that.
"""

from __future__ import annotations

from ttsr_ls.esregex.automaton.bit_sets import bit_indexes
from ttsr_ls.esregex.automaton.dfa.nfa_program import NfaProgram, holds
from ttsr_ls.esregex.automaton.nfa.items import Guard, ItemEntry, Split

_MANY = 8
"""From this many items on, they are moved by common shifts. A shift costs about as much as moving one item by
itself."""


class ThreadTransitions:
    """Moves sets of threads of one program."""

    __slots__ = ("_branching", "_by_kind", "_closures", "_far_shifts", "_program", "_shifts", "_starts", "looking")

    def __init__(self, program: NfaProgram) -> None:
        self._program = program
        self._closures: list[int | None] = []
        self._by_kind: dict[tuple[int, int], int] = {}
        self._starts: dict[int, int] = {}
        self.looking = 0
        """The items after which a lookahead may come. `follow` does not support them."""
        stay = next_ = second = branching = 0
        bit = 1
        for item, entry in enumerate(program.after):
            closure: int | None = 0
            if entry == item - 1:
                next_ |= bit
            elif entry is not None:
                closure = _closure(entry, None)
                if closure is None or closure & ~(bit | bit >> 1 | bit >> 2):
                    branching |= bit
                else:
                    stay |= closure & bit
                    next_ |= bit if closure & bit >> 1 else 0
                    second |= bit if closure & bit >> 2 else 0
                if closure is None and leads_to_lookahead(entry):
                    self.looking |= bit
            self._closures.append(closure)
            bit <<= 1
        self._shifts = (stay, next_, second)
        self._far_shifts = _shared_shifts(self._closures, branching)
        self._branching = branching & ~sum(shifted for shifted, _ in self._far_shifts)

    def follow(self, items: int, kind: int) -> int:
        """Returns the items that follow these items at a position of this kind."""
        stay, next_, second = self._shifts
        found = items & stay | (items & next_) >> 1 | (items & second) >> 2
        for shifted, distances in self._far_shifts:
            if moving := items & shifted:
                for distance in distances:
                    found |= moving >> distance
        for item in bit_indexes(items & self._branching):
            closure = self._closures[item]
            found |= self._closure_at(item, kind) if closure is None else closure
        return found

    def resolve_tests(self, items: int, kind: int, key: int) -> int:
        """Returns `items` and the items behind those whose test of the next unit passes (see
        `NfaProgram.resolve_tests`).
        """
        if not items & self._program.waiting:
            return items
        satisfied = self._program.resolve_tests(kind, key)
        passing = items & satisfied
        while passing:
            new = self.follow(passing, kind) & ~items
            items |= new
            passing = new & satisfied
        return items

    def start(self, kind: int) -> int:
        """Returns the threads of patterns that start at a position of this kind."""
        items = self._starts.get(kind)
        if items is None:
            items = 0
            for entry in self._program.starts:
                items |= self.enter(entry, kind)
            self._starts[kind] = items
        return items

    def advance_lookbehinds(self, moving: int, kind: int) -> tuple[int, int]:
        """Returns the position's kind with the results of lookbehinds, and the threads of lookbehind bodies. `moving`
        just consumed a unit.
        """
        threads = 0
        for body, end, items, kind_bit in self._program.lookbehinds:
            # Inner lookbehinds come first, so the kind already has their results.
            reached = self.follow(moving & items, kind) | self.enter(body, kind)
            if reached & end:
                kind |= kind_bit
            threads |= reached & ~end
        return kind, threads

    def enter(self, entry: ItemEntry, kind: int) -> int:
        """Returns the items that an entry leads to at a position of this kind, as if all lookaheads held (see
        `pending_lookaheads`).
        """
        return _closure(entry, kind) or 0

    def _closure_at(self, item: int, kind: int) -> int:
        closure = self._by_kind.get((item, kind))
        if closure is None:
            entry = self._program.after[item]
            closure = self._by_kind[item, kind] = 0 if entry is None else self.enter(entry, kind)
        return closure


def _shared_shifts(closures: list[int | None], branching: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Returns the sets of many items of `branching` whose closures have the same distances from the item, each with
    these distances.
    """
    if branching.bit_count() < _MANY:
        return ()
    items_of: dict[tuple[int, ...], int] = {}
    for item in bit_indexes(branching):
        closure = closures[item]
        if closure is not None and closure.bit_count() <= _MANY and closure <= (2 << item) - 1:
            distances = tuple([item - other for other in bit_indexes(closure)])
            items_of[distances] = items_of.get(distances, 0) | 1 << item
    return tuple([(items, distances) for distances, items in items_of.items() if items.bit_count() >= _MANY])


def leads_to_lookahead(entry: ItemEntry) -> bool:
    """Returns whether a lookahead may come before the next item."""
    return any(not isinstance(node, int | Split | Guard) for node in _reachable(entry))


def _reachable(entry: ItemEntry) -> list[ItemEntry]:
    """Returns an entry and all that it leads to at the same position of any kind, except through lookaheads."""
    found: list[ItemEntry] = []
    pending = [entry]
    seen: set[int] = set()
    while pending:
        entry = pending.pop()
        if not isinstance(entry, int):
            if id(entry) in seen:
                continue
            seen.add(id(entry))
        found.append(entry)
        if isinstance(entry, Split):
            pending.extend(entry.branches)
        elif isinstance(entry, Guard):
            pending.append(entry.after)
    return found


def _closure(entry: ItemEntry, kind: int | None) -> int | None:
    """Returns the items that an entry leads to at a position of this kind; None if no kind is given, but needed."""
    found = 0
    pending = [entry]
    seen: set[int] = set()
    while pending:
        entry = pending.pop()
        if isinstance(entry, int):
            found |= 1 << entry
        elif isinstance(entry, Split):
            if id(entry) not in seen:
                seen.add(id(entry))
                pending.extend(entry.branches)
        elif kind is None:
            return None
        elif not isinstance(entry, Guard) or holds(entry.kinds, entry.negated, kind):
            pending.append(entry.after)
    return found
