"""How threads without obligations behave: a set of them is an integer, and a unit costs a few operations on it."""

from __future__ import annotations

from ttsr_ls.esregex.automaton.dfa.moves import Moves
from ttsr_ls.esregex.automaton.dfa.program import END, Program
from ttsr_ls.esregex.automaton.nfa.items import START

Plain = int
"""A set of threads, and in the lowest bits the kind of their place. One integer, as the collector ignores those."""


class PlainDynamics:
    """The `Dynamics` of patterns without lookaheads of more than a unit."""

    __slots__ = ("_kept", "_kind_bits", "_kinds", "_moves", "_program")

    def __init__(self, program: Program, moves: Moves, left_out: int = 0) -> None:
        """Without the items `left_out`, which are those of patterns that need not be matched any more."""
        self._program = program
        self._moves = moves
        self._kept = ~left_out
        self._kind_bits = program.kind_bits
        self._kinds = (1 << program.kind_bits) - 1

    @property
    def initial(self) -> Plain:
        """The situation before any text."""
        return self._at(START)

    def blank(self, key: int) -> Plain:
        return self._at(self._program.by_class(key)[1])

    def everything(self, key: int) -> Plain | None:
        if self._program.behinds:
            return None
        return (self._program.threads & self._kept) << self._kind_bits | self._program.by_class(key)[1]

    def _at(self, kind: int) -> Plain:
        """The situation at a place of this kind, where no thread came to."""
        kind, behind = self._moves.arrive_behind(0, kind)
        started = self._program.without_superfluous((behind | self._moves.start(kind)) & self._kept)
        return started << self._kind_bits | kind

    def step(self, situation: Plain, key: int) -> Plain:
        """The situation after a unit with this class key."""
        program, moves = self._program, self._moves
        threads, kind = situation >> self._kind_bits, situation & self._kinds
        threads = moves.let_pass(threads & program.threads, kind, key)
        consumers, kind = program.by_class(key)
        moving = threads & consumers
        behind = 0
        if program.behinds:
            kind, behind = moves.arrive_behind(moving, kind)
            moving &= program.forward
        told = threads & program.ends
        started = told & program.clock_starts
        if started:
            # Those were reached at the place before the unit.
            told ^= started | started << 1
        moved = moves.follow(moving, kind) | moves.start(kind) | behind | told
        return program.without_superfluous(moved & self._kept) << self._kind_bits | kind

    def signals(self, situation: Plain) -> tuple[int, ...]:
        return self._program.signals(situation >> self._kind_bits)

    def without(self, situation: Plain, clock: int) -> Plain:
        program = self._program
        threads = situation >> self._kind_bits & program.threads & ~program.clocks[clock - program.first_clock]
        return threads << self._kind_bits | situation & self._kinds

    def limited(self, situation: Plain) -> Plain:
        return situation & (self._kept << self._kind_bits | self._kinds)

    def spare(self) -> None:
        """Does nothing: there is nothing to save."""

    def at_end(self, situation: Plain) -> tuple[int, ...]:
        threads, kind = situation >> self._kind_bits, situation & self._kinds
        return self._program.signals(self._moves.let_pass(threads & self._program.threads, kind, END))
