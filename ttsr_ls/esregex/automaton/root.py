"""The states of all leaves that a stream goes through with one look-up a unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.product import (
    Machine,
    joined,
    parts_after,
    parts_ended,
    parts_spread,
    parts_without,
)
from ttsr_ls.esregex.automaton.root_pool import RootPool
from ttsr_ls.esregex.automaton.state import Parts, State, apart, together
from ttsr_ls.esregex.automaton.upkeep import Upkeep

_MOST_MUTED = 16
"""How many sets of patterns to be silent about get roots of their own."""


class Arrival(Exception):
    """Raised on the way to a root that tells something, so that such a way is never in its table."""

    def __init__(self, left: Root, root: Root) -> None:
        super().__init__()
        self.left = left
        self.root = root


class Root(dict[str, "Root"]):
    """A joined state as a table by units themselves, from which `functools.reduce` reads at the speed of C.

    Units beyond ASCII have to be mapped to representatives before.
    """

    __slots__ = ("_arrivals", "_ended", "_product", "parts", "signals")

    _product: RootProduct
    parts: Parts
    signals: tuple[int, ...]
    """What is told of the unit that led here (see `signals`)."""
    _arrivals: dict[str, Root] | None
    _ended: tuple[int, ...] | None

    def become(self, product: RootProduct, parts: Parts, signals: tuple[int, ...]) -> Root:
        """Be the root of these parts; it is empty."""
        self._product, self.parts, self.signals = product, parts, signals
        self._arrivals = self._ended = None
        return self

    def __missing__(self, unit: str) -> Root:
        target = None if self._arrivals is None else self._arrivals.get(unit)
        if target is None:
            target = self._product.after(self, unit)
            if not target.signals:
                self[unit] = target
                return target
            if self._arrivals is None:
                # Few states need one, and each object more is one more for Python's collector of cycles.
                self._arrivals = {}
            self._arrivals[unit] = target
        raise Arrival(self, target)

    @property
    def ended(self) -> tuple[int, ...]:
        """The signals of patterns that match, or may, if the text ends here, but for those told before."""
        if self._ended is None:
            self._ended = parts_ended(self._product.machines, self.parts)
        return self._ended

    def without(self, clock: int) -> Root:
        """The state after a clock ran out."""
        return self._product.state(parts_without(self._product.machines, self.parts, clock))

    @property
    def situations(self) -> dict[AnyLeaf, Any]:
        """The situations that the state is made of, by leaf."""
        return parts_spread(self._product.machines, self.parts)

    def silent_about(self, signals: frozenset[int]) -> Root:
        """The same state, from which on these signals are told no more, if they are not too many different ones."""
        return self._product.silent_about(signals).state(apart(self.parts))

    def forget(self) -> None:
        """Empty the table. Roots refer to one another, so that only this frees them."""
        self.clear()
        self._arrivals = None


class RootProduct:
    """Joins all leaves."""

    __slots__ = ("_class_of", "_numbers", "_of_silence", "_pool", "_roots", "_silent", "_spare", "_upkeep", "machines")

    def __init__(
        self, machines: Sequence[Machine], upkeep: Upkeep, pool: RootPool, class_of: Callable[[int], int]
    ) -> None:
        self.machines = tuple(machines)
        self._upkeep = upkeep
        self._pool = pool
        self._class_of = class_of
        self._numbers: dict[bytes, int] = {}
        """Which root has parts with these names. Not the root itself: the collector looks through such dictionaries."""
        self._roots: list[Root] = []
        self._spare: list[Root] = []
        """Takes turns with `_roots`, as a host may have made the collector ignore the two."""
        self._silent: frozenset[int] = frozenset()
        self._of_silence: dict[frozenset[int], RootProduct] = {}
        upkeep.store(self.drop)

    @property
    def initial(self) -> Root:
        """The state before any text."""
        return self.state([machine.initial for machine in self.machines])

    def after(self, root: Root, unit: str) -> Root:
        """The state after a unit."""
        number = self._class_of(ord(unit))
        return self.state(parts_after(self.machines, root.parts, number))

    def state(self, parts: Sequence[State]) -> Root:
        """The state that joins these."""
        names = b"".join([part.name for part in parts])
        number = self._numbers.get(names)
        if number is None:
            signals = joined([part.signals for part in parts])
            if self._silent:
                signals = tuple([signal for signal in signals if signal not in self._silent])
            root = self._pool.take(Root).become(self, together(parts), signals)
            self._numbers[names] = len(self._roots)
            self._roots.append(root)
            self._upkeep.add()
            return root
        return self._roots[number]

    def pick(self, situations: Mapping[AnyLeaf, Any]) -> Root:
        """The state that joins those of the situations of some leaves."""
        return self.state([machine.pick(situations) for machine in self.machines])

    def silent_about(self, signals: frozenset[int]) -> RootProduct:
        """The roots of the same states that do not tell some signals; these ones if there are too many others."""
        silent = self._silent | signals
        known = self._of_silence.get(silent)
        if known is None:
            if len(self._of_silence) >= _MOST_MUTED:
                return self
            known = RootProduct(self.machines, self._upkeep, self._pool, self._class_of)
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
