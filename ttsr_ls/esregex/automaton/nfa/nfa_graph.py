"""The graph of one NFA group while patterns are added: numbered items with their labels and successors.

Items are numbered from the end of a pattern to its start, so that the successor of an item usually has the preceding
number: then one shift moves a whole set of threads.
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
    """The distinct sets of units that occur in an automaton, numbered."""

    __slots__ = ("_by_identity", "_labels", "sets")

    def __init__(self) -> None:
        self.sets: list[UnitSet] = []
        self._labels: dict[UnitSet, Consume] = {}
        # The parser shares most sets, and comparing identities is much cheaper than hashing ranges.
        self._by_identity: dict[int, tuple[Consume, UnitSet]] = {}

    def number(self, units: UnitSet) -> int:
        return self.label(units).units

    def label(self, units: UnitSet) -> Consume:
        """Returns the label of the items that consume a unit of a set."""
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
    """A lookbehind's body, matched forward from every position. A position where its item `end` is reached has
    `kind_bit`.

    Its items are those from `end` to before `stop`, except those of nested lookbehinds.
    """

    body: ItemEntry
    end: int
    stop: int
    kind_bit: int


class RepeatCounter(Struct, frozen=True):
    """A counter: a thread may stay at `item`, which repeats itself, for at most `limit` units.

    The stream counts, because an automaton that counts would have different states at each unit. A younger thread can
    do everything that an older one can, so one count per item suffices: the units since the last thread arrived.
    """

    item: int
    limit: int


class GraphCheckpoint(Struct, frozen=True):
    """The sizes of a graph at some time, for `NfaGraph.roll_back`."""

    items: int
    lookbehinds: int
    starts: int
    chains: int
    counters: int


class StateGrowth(IntEnum):
    """The number of states a pattern needs. Patterns that need many are kept apart, so that they do not multiply the
    states of the others."""

    CALM = 0
    """Its threads soon end."""
    SPANNING = 1
    """It has threads that continue over nearly all units, often to the end of a line."""
    STICKY = 2
    """It has threads that never end, so that from some position on all states are new."""
    COUNTING = 3
    """It counts units, so that its states differ from position to position."""


class NfaGroup(Struct, frozen=True):
    """The kind of patterns that an NFA group accepts."""

    growth: StateGrowth
    looks_allowed: bool
    """Whether they may have lookaheads of more than a unit."""


class NfaGraph:
    """Items, lookbehinds and starts of the patterns of one NFA group. The latest additions can be rolled back."""

    __slots__ = (
        "_kinds",
        "after",
        "chains",
        "counters",
        "kind_sets",
        "labels",
        "lookbehinds",
        "nfa_group",
        "sets",
        "starts",
    )

    def __init__(self, sets: UnitSets, nfa_group: NfaGroup) -> None:
        self.sets = sets
        self.nfa_group = nfa_group
        self._kinds = START
        self.labels: list[Label] = []
        self.after: list[ItemEntry | None] = []
        """None for ends."""
        self.lookbehinds: list[Lookbehind] = []
        """Inner lookbehinds come before outer ones."""
        self.starts: list[ItemEntry] = []
        self.kind_sets: dict[int, int] = {}
        """The sets that are distinguished for the previous unit, each with its bit in the kind of a position."""
        self.chains: list[int] = []
        """Sets of items whose highest item subsumes the others: it can do everything that they can."""
        self.counters: list[RepeatCounter] = []

    def add(self, label: Label, after: ItemEntry | None) -> int:
        """Adds an item and returns its number."""
        self.labels.append(label)
        self.after.append(after)
        return len(self.labels) - 1

    def add_consume(self, units: UnitSet, next_entry: ItemEntry) -> int:
        """Adds an item that consumes a unit of a set and returns its number."""
        return self.add(self.sets.label(units), next_entry)

    def kind_bit(self, units: UnitSet) -> int:
        """Returns the kind bit for "the previous unit belongs to this set"."""
        number = self.sets.number(units)
        bit = self.kind_sets.get(number)
        if bit is None:
            bit = self.kind_sets[number] = self._new_kind()
        return bit

    def add_lookbehind(self, body: ItemEntry, end: int) -> int:
        """Adds a lookbehind and returns the kind bit for "its body ends here"."""
        bit = self._new_kind()
        self.lookbehinds.append(Lookbehind(body, end, len(self.labels), bit))
        return bit

    def _new_kind(self) -> int:
        self._kinds <<= 1
        return self._kinds

    @property
    def kind_bits(self) -> int:
        """The number of bits of a position's kind."""
        return self._kinds.bit_length()

    def checkpoint(self) -> GraphCheckpoint:
        """Returns a checkpoint for `roll_back`."""
        return GraphCheckpoint(
            len(self.labels), len(self.lookbehinds), len(self.starts), len(self.chains), len(self.counters)
        )

    def roll_back(self, checkpoint: GraphCheckpoint) -> None:
        """Removes everything that was added since `checkpoint`, except kinds, which do no harm."""
        del self.labels[checkpoint.items :], self.after[checkpoint.items :]
        del self.lookbehinds[checkpoint.lookbehinds :], self.starts[checkpoint.starts :]
        del self.chains[checkpoint.chains :], self.counters[checkpoint.counters :]

    def count_transitions(self, checkpoint: GraphCheckpoint, limit: int) -> int:
        """Counts the steps that finding all transitions of the items since `checkpoint` takes. Stops soon after
        `limit`.
        """
        count = 0
        for entry in self.after[checkpoint.items :]:
            pending: list[ItemEntry | None] = [entry]
            seen: set[int] = set()
            while pending and count <= limit:
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

    def has_test_before(self, end: int) -> bool:
        """Returns whether an item that tests the next unit may lead to the item `end` without a unit between them.
        Considers the items that were added after `end`."""
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
        """Returns whether everything that an entry leads to requires the start of the text."""
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
                    # A loop that is not closed yet may lead anywhere.
                    return False
                pending.extend(entry_or_end.branches)
            elif isinstance(entry_or_end, LookaheadEntry):
                if entry_or_end.negated or not self.needs_start(entry_or_end.body):
                    pending.append(entry_or_end.after)
            elif not (isinstance(entry_or_end, Guard) and entry_or_end.kinds == START):
                pending.append(entry_or_end if isinstance(entry_or_end, int) else entry_or_end.after)
        return True
