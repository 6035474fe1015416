"""The graph of one NFA group while patterns are added to it: numbered items with their labels, and what comes after
each.

Items are numbered from the end of a pattern to its start, so that what comes after an item mostly has the number before
it: then a whole set of threads is moved by one shift.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from ttsr_ls.esregex.automaton.nfa.items import (
    START,
    Boundary,
    Consume,
    Guard,
    ItemEntry,
    Label,
    LookaheadEntry,
    NextUnitTest,
    Split,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet


class UnitSets:
    """The sets of units that occur in an automaton, numbered; sets that are alike have one number."""

    __slots__ = ("_by_identity", "_labels", "sets")

    def __init__(self) -> None:
        self.sets: list[UnitSet] = []
        self._labels: dict[UnitSet, Consume] = {}
        # The parser shares most sets, and comparing identities is much cheaper than hashing ranges.
        self._by_identity: dict[int, tuple[Consume, UnitSet]] = {}

    def number(self, units: UnitSet) -> int:
        return self.consume(units).units

    def consume(self, units: UnitSet) -> Consume:
        """The label of the items that consume a unit of a set."""
        known = self._by_identity.get(id(units))
        if known is not None:
            return known[0]
        label = self._labels.get(units)
        if label is None:
            label = self._labels[units] = Consume(len(self.sets))
            self.sets.append(units)
        self._by_identity[id(units)] = (label, units)
        return label


class Lookbehind(Struct, frozen=True):
    """A lookbehind's body, matched forward from every place. Where the item `end` is reached, the place has `kind_bit`.

    Its items are those from `end` to before `stop`, but for those of the lookbehinds inside of it.
    """

    body: ItemEntry
    end: int
    stop: int
    kind_bit: int


class RepeatCounter(Struct, frozen=True):
    """A counter: a thread may stay at `item`, which repeats itself, for at most `limit` units.

    The stream counts, not the automaton: its states would differ from unit to unit. Threads that came later can do
    whatever older ones can, so one count an item is enough: since the last thread came.
    """

    item: int
    limit: int


class GraphCheckpoint(Struct, frozen=True):
    """How much a graph held at some time."""

    items: int
    behinds: int
    starts: int
    chains: int
    counters: int


class StateGrowth(IntEnum):
    """How many states a pattern makes. Kept apart, those that make many do not multiply the states of the others."""

    CALM = 0
    """Its threads soon end."""
    SPANNING = 1
    """It has threads that go on over nearly anything, often to the end of a line."""
    STICKY = 2
    """It has threads that go on whatever comes, so that from some place on all states are new."""
    COUNTING = 3
    """It counts units, so that its states differ from place to place."""


class NfaGroup(Struct, frozen=True):
    """Which patterns an NFA group is for."""

    temper: StateGrowth
    looks_allowed: bool
    """Whether they may have lookaheads of more than a unit."""


class NfaGraph:
    """Items, lookbehinds and starts of the patterns of one NFA group; what was added last can be taken back."""

    __slots__ = ("_kinds", "after", "behinds", "chains", "counters", "kind_sets", "labels", "place", "sets", "starts")

    def __init__(self, sets: UnitSets, place: NfaGroup) -> None:
        self.sets = sets
        self.place = place
        self._kinds = START
        self.labels: list[Label] = []
        self.after: list[ItemEntry | None] = []
        """None for ends."""
        self.behinds: list[Lookbehind] = []
        """Those inside of others come before them."""
        self.starts: list[ItemEntry] = []
        self.kind_sets: dict[int, int] = {}
        """The sets that matter behind a place, each with its bit in the kind of a place."""
        self.chains: list[int] = []
        """Sets of items of which the one with the highest number can do whatever the others can."""
        self.counters: list[RepeatCounter] = []

    def add(self, label: Label, after: ItemEntry | None) -> int:
        """A new item."""
        self.labels.append(label)
        self.after.append(after)
        return len(self.labels) - 1

    def consume(self, units: UnitSet, after: ItemEntry) -> int:
        """A new item that consumes a unit of a set."""
        return self.add(self.sets.consume(units), after)

    def kind_bit(self, units: UnitSet) -> int:
        """The bit for "the previous unit belongs to this set"."""
        number = self.sets.number(units)
        bit = self.kind_sets.get(number)
        if bit is None:
            bit = self.kind_sets[number] = self._new_kind()
        return bit

    def behind(self, body: ItemEntry, end: int) -> int:
        """The bit for "the body of the last added lookbehind ends here"."""
        bit = self._new_kind()
        self.behinds.append(Lookbehind(body, end, len(self.labels), bit))
        return bit

    def _new_kind(self) -> int:
        self._kinds <<= 1
        return self._kinds

    @property
    def kind_bits(self) -> int:
        """How many bits the kind of a place has."""
        return self._kinds.bit_length()

    def mark(self) -> GraphCheckpoint:
        """A mark for `take_back`, which undoes all later changes."""
        return GraphCheckpoint(
            len(self.labels), len(self.behinds), len(self.starts), len(self.chains), len(self.counters)
        )

    def take_back(self, mark: GraphCheckpoint) -> None:
        """Forget what was added since; kinds stay, they do no harm."""
        del self.labels[mark.items :], self.after[mark.items :]
        del self.behinds[mark.behinds :], self.starts[mark.starts :]
        del self.chains[mark.chains :], self.counters[mark.counters :]

    def count_moves(self, mark: GraphCheckpoint, most: int) -> int:
        """How many steps it takes to find all moves of the items since `mark`; stops soon after `most`."""
        count = 0
        for entry in self.after[mark.items :]:
            pending: list[ItemEntry | None] = [entry]
            seen: set[int] = set()
            while pending and count <= most:
                count += 1
                reached = pending.pop()
                if reached is None or isinstance(reached, int) or id(reached) in seen:
                    continue
                seen.add(id(reached))
                if isinstance(reached, Split):
                    pending.extend(reached.branches)
                else:
                    pending.append(reached.after)
        return count

    def waits_before(self, end: int) -> bool:
        """Whether what was added after the item `end` may reach it from an item that waits, without a unit between."""
        labels, after = self.labels, self.after
        pending = [
            after[item] for item in range(end + 1, len(labels)) if isinstance(labels[item], NextUnitTest | Boundary)
        ]
        seen: set[int] = set()
        while pending:
            entry = pending.pop()
            if entry == end:
                return True
            if isinstance(entry, int) or entry is None or id(entry) in seen:
                continue
            seen.add(id(entry))
            pending.extend(entry.branches if isinstance(entry, Split) else (entry.after,))
        return False

    def needs_start(self, entry: ItemEntry) -> bool:
        """Whether all that an entry leads to asks for the start of the text, so that no unit may stand before it."""
        pending: list[ItemEntry | None] = [entry]
        seen: set[int] = set()
        while pending:
            entry_or_end = pending.pop()
            if isinstance(entry_or_end, int):
                if not isinstance(self.labels[entry_or_end], NextUnitTest | Boundary):
                    return False
                entry_or_end = self.after[entry_or_end]
            if entry_or_end is None or id(entry_or_end) in seen:
                continue
            seen.add(id(entry_or_end))
            if isinstance(entry_or_end, Split):
                if not entry_or_end.branches:
                    # A loop that is not tied yet may lead anywhere.
                    return False
                pending.extend(entry_or_end.branches)
            elif isinstance(entry_or_end, LookaheadEntry):
                if entry_or_end.negated or not self.needs_start(entry_or_end.body):
                    pending.append(entry_or_end.after)
            elif not (isinstance(entry_or_end, Guard) and entry_or_end.kinds == START):
                pending.append(entry_or_end if isinstance(entry_or_end, int) else entry_or_end.after)
        return True
