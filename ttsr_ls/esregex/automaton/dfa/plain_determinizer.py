"""How threads without pending lookaheads behave: a set of them is an integer, and a unit costs a few operations on
it."""

from __future__ import annotations

from ttsr_ls.esregex.automaton.dfa.moves import Moves
from ttsr_ls.esregex.automaton.dfa.nfa_program import END, NfaProgram
from ttsr_ls.esregex.automaton.nfa.items import START

PlainConfiguration = int
"""A set of threads, and in the lowest bits the kind of their place. One integer, as the collector ignores those."""


class PlainDeterminizer:
    """The `Determinizer` of patterns without lookaheads of more than a unit."""

    __slots__ = ("_kept", "_kind_bits", "_kinds", "_moves", "_program")

    def __init__(self, program: NfaProgram, moves: Moves, left_out: int = 0) -> None:
        """Without the items `left_out`, which are those of patterns that need not be matched any more."""
        self._program = program
        self._moves = moves
        self._kept = ~left_out
        self._kind_bits = program.kind_bits
        self._kinds = (1 << program.kind_bits) - 1

    @property
    def initial(self) -> PlainConfiguration:
        """The configuration before any text."""
        return self._at(START)

    def blank(self, key: int) -> PlainConfiguration:
        return self._at(self._program.by_class(key)[1])

    def everything(self, key: int) -> PlainConfiguration | None:
        if self._program.behinds:
            return None
        return (self._program.threads & self._kept) << self._kind_bits | self._program.by_class(key)[1]

    def _at(self, kind: int) -> PlainConfiguration:
        """The configuration at a place of this kind, where no thread came to."""
        kind, behind = self._moves.arrive_behind(0, kind)
        started = self._program.without_superfluous((behind | self._moves.start(kind)) & self._kept)
        return started << self._kind_bits | kind

    def step(self, configuration: PlainConfiguration, key: int) -> PlainConfiguration:
        """The configuration after a unit with this class key."""
        program, moves = self._program, self._moves
        threads, kind = configuration >> self._kind_bits, configuration & self._kinds
        threads = moves.let_pass(threads & program.threads, kind, key)
        consumers, kind = program.by_class(key)
        moving = threads & consumers
        behind = 0
        if program.behinds:
            kind, behind = moves.arrive_behind(moving, kind)
            moving &= program.forward
        reports = threads & program.ends
        started = reports & program.counter_starts
        if started:
            # Those were reached at the place before the unit.
            reports ^= started | started << 1
        moved = moves.follow(moving, kind) | moves.start(kind) | behind | reports
        return program.without_superfluous(moved & self._kept) << self._kind_bits | kind

    def match_reports(self, configuration: PlainConfiguration) -> tuple[int, ...]:
        return self._program.match_reports(configuration >> self._kind_bits)

    def without(self, configuration: PlainConfiguration, counter: int) -> PlainConfiguration:
        program = self._program
        threads = (
            configuration >> self._kind_bits & program.threads & ~program.counters[counter - program.first_counter]
        )
        return threads << self._kind_bits | configuration & self._kinds

    def limited(self, configuration: PlainConfiguration) -> PlainConfiguration:
        return configuration & (self._kept << self._kind_bits | self._kinds)

    def spare(self) -> None:
        """Does nothing: there is nothing to save."""

    def at_end(self, configuration: PlainConfiguration) -> tuple[int, ...]:
        threads, kind = configuration >> self._kind_bits, configuration & self._kinds
        return self._program.match_reports(self._moves.let_pass(threads & self._program.threads, kind, END))
