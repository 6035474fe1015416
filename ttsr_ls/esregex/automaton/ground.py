"""The states of all leaves at once, however many there are: as the few that differ from those of a ground.

At any place of a text, most leaves have no threads but those that just started. What those are depends on little but
the last unit. So all states after a unit are told by its ground, and by those leaves that are in another state; and
what a unit changes is only asked of those leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.state import State, States

_NAME_BYTES = 4


class Ground:
    """The state that each leaf is in, unless it is said otherwise, by the number of the leaf, in their order."""

    __slots__ = ("ended", "fresh", "name", "signals", "states")

    def __init__(self, number: int, states: Mapping[int, State]) -> None:
        self.name = number.to_bytes(_NAME_BYTES, "little")
        """Tells the ground apart from all others that the same `Grounds` ever made."""
        self.states = states
        self.signals = {leaf: state.signals for leaf, state in states.items() if state.signals}
        """What is told of the unit that led here, by leaf."""
        self.ended: dict[int, tuple[int, ...]] | None = None
        """What is told if the text ends here, by leaf."""
        self.fresh: dict[int, dict[int, State]] = {}
        """By the class of the unit that comes: the states after it that differ from those of the ground after it."""


class Grounds:
    """The grounds of some leaves, made on first use: one for each class of units, but for classes that are alike."""

    __slots__ = ("_by_states", "_leaf_of_clock", "_leaves", "_made", "_of_class")

    def __init__(self, leaves: Iterable[AnyLeaf]) -> None:
        self._leaves = {leaf.number: leaf for leaf in leaves}
        self._leaf_of_clock = {clock: leaf for leaf in self._leaves.values() for clock in leaf.clocks}
        self._of_class: dict[int, Ground] = {}
        self._by_states: dict[States, Ground] = {}
        self._made = 0

    @property
    def initial(self) -> Ground:
        """That of the start of a text."""
        return self._ground(tuple([leaf.initial for leaf in self._leaves.values()]))

    def after(self, ground: Ground, differing: States, number: int) -> tuple[Ground, States]:
        """The ground, and the states that differ from it, after a unit of the class with this number."""
        target = self._of_class.get(number) or self._after_class(number)
        fresh = ground.fresh.get(number)
        if fresh is None:
            states = [leaf.after(ground.states[leaf.number], number) for leaf in self._leaves.values()]
            fresh = {state.leaf: state for state in states if state is not target.states[state.leaf]}
            ground.fresh[number] = fresh
        if not differing:
            return target, tuple(fresh.values())
        leaves, expected = self._leaves, target.states
        found = fresh.copy()
        for state in differing:
            at = state.leaf
            leaf = leaves[at]
            # As in `Leaf.after`: this is most of what a miss costs.
            new = leaf.table.get(state.base + leaf.own_classes[number]) or leaf.after(state, number)
            if new is not expected[at]:
                found[at] = new
            elif at in found:
                del found[at]
        return target, tuple([found[leaf] for leaf in sorted(found)])

    def _after_class(self, number: int) -> Ground:
        ground = self._ground(tuple([leaf.blank(number) for leaf in self._leaves.values()]))
        self._of_class[number] = ground
        return ground

    def _ground(self, states: States) -> Ground:
        ground = self._by_states.get(states)
        if ground is None:
            ground = self._by_states[states] = Ground(self._made, {state.leaf: state for state in states})
            self._made += 1
        return ground

    def signals(self, ground: Ground, differing: States) -> tuple[int, ...]:
        """What is told of the unit that led here."""
        told = [state.signals for state in differing if state.signals]
        if ground.signals:
            told += _elsewhere(ground.signals, differing)
        return tuple(sorted([signal for each in told for signal in each])) if told else ()

    def ended(self, ground: Ground, differing: States) -> tuple[int, ...]:
        """What is told if the text ends here: the patterns that match, or may, but for those told before."""
        if ground.ended is None:
            ended = {leaf.number: leaf.ended(ground.states[leaf.number]) for leaf in self._leaves.values()}
            ground.ended = {leaf: signals for leaf, signals in ended.items() if signals}
        told = [self._leaves[state.leaf].ended(state) for state in differing]
        told += _elsewhere(ground.ended, differing)
        return tuple(sorted([signal for each in told for signal in each]))

    def without(self, ground: Ground, differing: States, clock: int) -> States:
        """The states that differ from the ground after a clock ran out."""
        leaf = self._leaf_of_clock[clock]
        found = {state.leaf: state for state in differing}
        expected = ground.states[leaf.number]
        found[leaf.number] = leaf.without(found.get(leaf.number, expected), clock)
        if found[leaf.number] is expected:
            del found[leaf.number]
        return tuple([found[number] for number in sorted(found)])

    def pick(self, situations: Mapping[AnyLeaf, object]) -> tuple[Ground, States]:
        """The states of the situations of some leaves, which hold these leaves."""
        ground = self.initial
        states = [leaf.state(situations[leaf]) for leaf in self._leaves.values()]
        return ground, tuple([state for state in states if state is not ground.states[state.leaf]])

    def situations(self, ground: Ground, differing: States) -> dict[AnyLeaf, object]:
        """The situation of each leaf."""
        states = {**ground.states, **{state.leaf: state for state in differing}}
        return {leaf: states[number].situation for number, leaf in self._leaves.items()}

    def forget(self) -> None:
        """Forget all grounds, as the leaves forgot their states: those of old grounds are met no more."""
        for ground in self._by_states.values():
            # Whoever is there still goes on to new grounds.
            ground.fresh.clear()
            ground.ended = None
        self._of_class.clear()
        self._by_states.clear()


def _elsewhere(told: Mapping[int, tuple[int, ...]], differing: States) -> list[tuple[int, ...]]:
    """What leaves tell, but for those in other states."""
    others = {state.leaf for state in differing}
    return [signals for leaf, signals in told.items() if leaf not in others]
