"""The states of all leaves that a stream goes through with one look-up a unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttsr_ls.esregex.automaton.ground import Ground, Grounds
from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.root_pool import RootPool
from ttsr_ls.esregex.automaton.state import Kept, States, kept, states_of
from ttsr_ls.esregex.automaton.upkeep import Upkeep

_OFTEN = 4
"""After how many different units a root counts as one that streams often come to."""

_MOST_MUTED = 16
"""How many sets of patterns to be silent about get roots of their own."""


class Arrival(Exception):
    """Raised on the way to a root that tells something, so that such a way is never in its table."""

    def __init__(self, root: Root) -> None:
        super().__init__()
        self.root = root


class Root(dict[str, "Root"]):
    """A joined state as a table by units themselves, from which `functools.reduce` reads at the speed of C.

    Units beyond ASCII have to be mapped to representatives before.
    """

    __slots__ = ("_arrivals", "_ended", "_owner", "differing", "ground", "signals")

    _owner: Roots
    ground: Ground
    differing: Kept
    """The states that differ from those of the ground."""
    signals: tuple[int, ...]
    """What is told of the unit that led here (see `signals`)."""
    _arrivals: dict[str, Root] | None
    _ended: tuple[int, ...] | None

    def become(self, owner: Roots, ground: Ground, differing: Kept, signals: tuple[int, ...]) -> Root:
        """Be the root of these states; it is empty."""
        self._owner, self.ground, self.differing, self.signals = owner, ground, differing, signals
        self._arrivals = self._ended = None
        return self

    def __missing__(self, unit: str) -> Root:
        target = None if self._arrivals is None else self._arrivals.get(unit)
        if target is None:
            target = self._owner.after(self, unit)
            if not target.signals:
                self[unit] = target
                return target
            if self._arrivals is None:
                # Few states need one, and each object more is one more for Python's collector of cycles.
                self._arrivals = {}
            self._arrivals[unit] = target
        raise Arrival(target)

    @property
    def ended(self) -> tuple[int, ...]:
        """The signals of patterns that match, or may, if the text ends here, but for those told before."""
        if self._ended is None:
            self._ended = self._owner.grounds.ended(self.ground, states_of(self.differing))
        return self._ended

    def without(self, clock: int) -> Root:
        """The state after a clock ran out."""
        return self._owner.state(
            self.ground, self._owner.grounds.without(self.ground, states_of(self.differing), clock)
        )

    @property
    def situations(self) -> dict[AnyLeaf, Any]:
        """The situations that the state is made of, by leaf."""
        return self._owner.grounds.situations(self.ground, states_of(self.differing))

    def silent_about(self, signals: frozenset[int]) -> Root:
        """The same state, from which on these signals are told no more, if they are not too many different ones."""
        return self._owner.silent_about(signals).state(self.ground, states_of(self.differing))

    def forget(self) -> None:
        """Empty the table. Roots refer to one another, so that only this frees them."""
        self.clear()
        self._arrivals = None


class Roots:
    """The roots of some leaves, made on first use."""

    __slots__ = ("_classes", "_numbers", "_of_silence", "_pool", "_roots", "_silent", "_spare", "_upkeep", "grounds")

    def __init__(self, grounds: Grounds, upkeep: Upkeep, pool: RootPool, classes: Mapping[str, int]) -> None:
        self.grounds = grounds
        self._upkeep = upkeep
        self._pool = pool
        self._classes = classes
        self._numbers: dict[bytes, int] = {}
        """Which root is that of a ground and some states, by their names: the collector would look through tuples."""
        self._roots: list[Root] = []
        self._spare: list[Root] = []
        """Takes turns with `_roots`, as a host may have made the collector ignore the two."""
        self._silent: frozenset[int] = frozenset()
        self._of_silence: dict[frozenset[int], Roots] = {}
        upkeep.store(self.drop)

    @property
    def initial(self) -> Root:
        """The state before any text."""
        return self.state(self.grounds.initial, ())

    def after(self, root: Root, unit: str) -> Root:
        """The state after a unit."""
        return self.state(*self.grounds.after(root.ground, states_of(root.differing), self._classes[unit]))

    def state(self, ground: Ground, differing: States) -> Root:
        """The root of a ground and the states that differ from it."""
        name = _name(ground, differing)
        number = self._numbers.get(name)
        if number is not None:
            return self._roots[number]
        signals = self.grounds.signals(ground, differing)
        if self._silent:
            signals = tuple([signal for signal in signals if signal not in self._silent])
        root = self._pool.take(Root).become(self, ground, kept(differing), signals)
        self._numbers[name] = len(self._roots)
        self._roots.append(root)
        self._upkeep.add()
        return root

    def expect(self, units: str) -> None:
        """Fill in what comes after roots that streams often come to and each of these units, if it is a known root.

        Most ways that a text takes and an earlier one did not are ways between roots that the earlier one came to.
        """
        for root in tuple(self._roots):
            if len(root) >= _OFTEN:
                for unit in units:
                    if unit not in root:
                        ground, differing = self.grounds.after(
                            root.ground, states_of(root.differing), self._classes[unit]
                        )
                        number = self._numbers.get(_name(ground, differing))
                        if number is not None and not self._roots[number].signals:
                            root[unit] = self._roots[number]

    def pick(self, situations: Mapping[AnyLeaf, Any]) -> Root:
        """The state that joins those of the situations of some leaves."""
        return self.state(*self.grounds.pick(situations))

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
        numbers, dropped = self._numbers, self._roots
        # Emptied long before, unless the limits are tiny.
        self._numbers, self._roots = {}, [] if self._spare else self._spare
        self._spare = dropped
        self._upkeep.empty(numbers, numbers.popitem)
        self._upkeep.forget(dropped, lambda: self._pool.let_go(dropped.pop()))


def _name(ground: Ground, differing: States) -> bytes:
    return b"".join([ground.name, *[state.name for state in differing]])
