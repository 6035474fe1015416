"""Threads that carry pending lookaheads: lookaheads that they passed and whose bodies must, or must not, reach their
end.

Threads with the same pending lookaheads form one group, a set of items. The body of a pending lookahead is a set of
threads again, with pending lookaheads of its own if lookaheads are nested. All values are immutable; only entries are
cached.
"""

from __future__ import annotations

from typing import NamedTuple

from ttsr_ls.esregex.automaton.bit_sets import bit_indexes
from ttsr_ls.esregex.automaton.dfa.nfa_program import END, NfaProgram, holds
from ttsr_ls.esregex.automaton.dfa.thread_transitions import ThreadTransitions
from ttsr_ls.esregex.automaton.nfa.items import Guard, ItemEntry, LookaheadEntry, Split


class PendingLookahead(NamedTuple):
    """A lookahead in progress: its `threads` must reach the item `end` (a mask), or must not if `negated`."""

    negated: bool
    end: int
    threads: Threads


PendingLookaheads = frozenset[PendingLookahead]
Threads = frozenset[tuple[PendingLookaheads, int]]
ThreadGroups = dict[PendingLookaheads, int]

NO_LOOKAHEADS: PendingLookaheads = frozenset()

DOUBT: PendingLookaheads = frozenset({PendingLookahead(negated=False, end=0, threads=frozenset())})
"""Replaces pending lookaheads that became too many. It is never met; patterns whose threads end with it may match."""

_MAX_LOOKAHEAD_SETS = 16
"""How many sets of pending lookaheads are distinguished. Each optional lookahead doubles their number."""


def merge_lookaheads(some: PendingLookaheads, others: PendingLookaheads) -> PendingLookaheads:
    """Returns the union of two sets of pending lookaheads. `DOUBT` absorbs all others, so that threads in doubt form a
    single group.
    """
    return DOUBT if some is DOUBT or others is DOUBT else some | others


class PendingLookaheadTransitions:
    """Transition function for threads with pending lookaheads, of one program."""

    __slots__ = ("_entered", "_program", "_transitions")

    def __init__(self, program: NfaProgram, transitions: ThreadTransitions) -> None:
        self._program = program
        self._transitions = transitions
        self._entered: dict[tuple[int, int], tuple[tuple[PendingLookaheads, int], ...]] = {}

    def enter(self, entry: ItemEntry, kind: int) -> ThreadGroups:
        """Returns the threads that an entry leads to at a position of this kind."""
        found: ThreadGroups = {}
        first = entry
        pending = [(entry, NO_LOOKAHEADS)]
        seen: set[tuple[int, PendingLookaheads]] = set()
        lookahead_sets: set[PendingLookaheads] = set()
        while pending:
            entry, lookaheads = pending.pop()
            lookahead_sets.add(lookaheads)
            if len(lookahead_sets) > _MAX_LOOKAHEAD_SETS:
                return {DOUBT: self._transitions.enter(first, kind)}
            if isinstance(entry, int):
                found[lookaheads] = found.get(lookaheads, 0) | 1 << entry
                continue
            if (id(entry), lookaheads) in seen:
                continue
            seen.add((id(entry), lookaheads))
            if isinstance(entry, Split):
                pending.extend([(branch, lookaheads) for branch in entry.branches])
            elif isinstance(entry, Guard):
                if holds(entry.kinds, entry.negated, kind):
                    pending.append((entry.after, lookaheads))
            else:
                more = self._lookahead(entry, kind)
                if more is not None:
                    pending.append((entry.after, merge_lookaheads(lookaheads, more)))
        return found

    def _lookahead(self, entry: LookaheadEntry, kind: int) -> PendingLookaheads | None:
        """Returns the pending lookaheads that a lookahead adds at a position of this kind; none if it is met at once,
        None if it fails."""
        return self._remaining(entry.negated, 1 << entry.end, self.enter(entry.body, kind), kind)

    def follow(self, items: int, kind: int) -> list[tuple[PendingLookaheads, int]]:
        """Returns the items that follow these items at a position of this kind."""
        looking = items & self._transitions.looking
        found = [(NO_LOOKAHEADS, self._transitions.follow(items ^ looking, kind))]
        for item in bit_indexes(looking):
            found += self._enter_after(item, kind)
        return found

    def _enter_after(self, item: int, kind: int) -> tuple[tuple[PendingLookaheads, int], ...]:
        known = self._entered.get((item, kind))
        if known is None:
            entry = self._program.after[item]
            known = () if entry is None else tuple(self.enter(entry, kind).items())
            self._entered[item, kind] = known
        return known

    def resolve_tests(self, lookaheads: PendingLookaheads, items: int, kind: int, key: int) -> ThreadGroups:
        """Returns a group and the threads behind its items whose test of the next unit passes (see
        `NfaProgram.resolve_tests`).
        """
        found = {lookaheads: items}
        if not items & self._program.waiting:
            return found
        satisfied = self._program.resolve_tests(kind, key)
        pending = [(lookaheads, items & satisfied)]
        while pending:
            if len(found) > _MAX_LOOKAHEAD_SETS:
                return {DOUBT: self._resolve_all_tests(items, kind, satisfied)}
            carried, passing = pending.pop()
            if not passing:
                continue
            for more, reached in self.follow(passing, kind):
                group = merge_lookaheads(carried, more)
                new = reached & ~found.get(group, 0)
                if new:
                    found[group] = found.get(group, 0) | new
                    pending.append((group, new & satisfied))
        return found

    def _resolve_all_tests(self, items: int, kind: int, satisfied: int) -> int:
        """Returns `items`, and the items behind those whose test passes, as if all lookaheads held."""
        passing = items & satisfied
        while passing:
            lowest = passing & -passing
            entry = self._program.after[lowest.bit_length() - 1]
            new = 0 if entry is None else self._transitions.enter(entry, kind) & ~items
            items |= new
            passing = (passing ^ lowest) | new & satisfied
        return items

    def step(self, threads: Threads, kind: int, key: int, kind_after: int) -> ThreadGroups:
        """Returns the threads after a unit with this class key. A thread at the end of its pattern stays while it has
        pending lookaheads.
        """
        consumers, _ = self._program.consuming_items(key)
        found: ThreadGroups = {}
        for thread, items in threads:
            for lookaheads, passed in self.resolve_tests(thread, items, kind, key).items():
                remaining = self._step_all(lookaheads, kind, key, kind_after)
                if remaining is None:
                    continue
                ended = passed & self._program.all_ends
                if ended:
                    found[remaining] = found.get(remaining, 0) | ended
                for more, moved in self.follow(passed & consumers, kind_after):
                    if moved:
                        group = merge_lookaheads(remaining, more)
                        found[group] = found.get(group, 0) | moved
        return found

    def _remaining(self, negated: bool, end: int, body: ThreadGroups, kind: int) -> PendingLookaheads | None:
        """Returns the rest of a pending lookahead with this body: nothing if it is met for good, None if it can never
        be met."""
        if body.get(NO_LOOKAHEADS, 0) & end:
            return None if negated else NO_LOOKAHEADS
        if DOUBT in body:
            return DOUBT
        viable = {carried: self._viable(items, kind) for carried, items in body.items()}
        threads = frozenset([group for group in simplify_groups(viable).items() if group[1]])
        if not threads:
            return NO_LOOKAHEADS if negated else None
        return frozenset({PendingLookahead(negated, end, threads)})

    def _viable(self, items: int, kind: int) -> int:
        """Returns `items` without waiting items that lead nowhere, because guards after them fail for every next
        unit."""
        waiting = items & self._program.waiting & ~self._program.gates
        for item in bit_indexes(waiting):
            if not self._leads_on(item, kind):
                items ^= 1 << item
        return items

    def _leads_on(self, item: int, kind: int) -> bool:
        pending = [self._program.after[item]]
        seen: set[int] = set()
        while pending:
            entry = pending.pop()
            if isinstance(entry, int):
                bit = 1 << entry
                if bit & self._program.gates or not bit & self._program.waiting:
                    return True
                entry = self._program.after[entry]
            if entry is None or id(entry) in seen:
                continue
            seen.add(id(entry))
            if isinstance(entry, int):
                pending.append(entry)
            elif isinstance(entry, Split):
                pending.extend(entry.branches)
            elif self._may_go_on(entry, kind):
                pending.append(entry.after)
        return False

    def _may_go_on(self, entry: Guard | LookaheadEntry, kind: int) -> bool:
        if isinstance(entry, Guard):
            return holds(entry.kinds, entry.negated, kind)
        return self._lookahead(entry, kind) is not None

    def _step_all(
        self, lookaheads: PendingLookaheads, kind: int, key: int, kind_after: int
    ) -> PendingLookaheads | None:
        """Returns the pending lookaheads after a unit, without those that were met; None if one can no longer be
        met."""
        if not lookaheads or lookaheads is DOUBT:
            return lookaheads
        remaining: PendingLookaheads = NO_LOOKAHEADS
        for negated, end, threads in lookaheads:
            more = self._remaining(negated, end, self.step(threads, kind, key, kind_after), kind_after)
            if more is None:
                return None
            remaining = merge_lookaheads(remaining, more)
        return remaining

    def ends(self, threads: Threads, kind: int) -> tuple[int, int]:
        """Returns the end items that are reached if the text ends here, and those that may be reached."""
        reached = maybe = 0
        for thread, items in threads:
            for lookaheads, passed in self.resolve_tests(thread, items, kind, END).items():
                ended = passed & self._program.all_ends
                if lookaheads is DOUBT:
                    maybe |= ended
                elif ended and all(self._is_met_at_end(lookahead, kind) for lookahead in lookaheads):
                    reached |= ended
        return reached, maybe & ~reached

    def _is_met_at_end(self, lookahead: PendingLookahead, kind: int) -> bool:
        negated, end, threads = lookahead
        reached, _ = self.ends(threads, kind)
        return bool(reached & end) != negated


def simplify_groups(groups: ThreadGroups) -> ThreadGroups:
    """Returns the groups without threads that another thread subsumes: one with fewer pending lookaheads, or with
    weaker ones.
    """
    if not 1 < len(groups) <= _MAX_LOOKAHEAD_SETS:
        return groups
    kept = dict(groups)
    for harder in groups:
        for easier in groups:
            if easier is not harder and kept[harder] & kept[easier] and _implies(harder, easier):
                kept[harder] &= ~kept[easier]
    return {lookaheads: items for lookaheads, items in kept.items() if items}


def _implies(harder: PendingLookaheads, easier: PendingLookaheads) -> bool:
    """Returns whether meeting `harder` certainly implies meeting `easier`."""
    return easier <= harder or all(any(_implies_one(known, item) for known in harder) for item in easier)


def _implies_one(harder: PendingLookahead, easier: PendingLookahead) -> bool:
    if harder.negated is not easier.negated or harder.end != easier.end:
        return False
    fewer, more = (easier, harder) if harder.negated else (harder, easier)
    of_more = dict(more.threads)
    return all(not items & ~of_more.get(lookaheads, 0) for lookaheads, items in fewer.threads)
