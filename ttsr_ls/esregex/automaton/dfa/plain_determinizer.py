"""The subset construction for threads without pending lookaheads. A set of threads is an integer, and a unit costs a
few operations on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttsr_ls.esregex.automaton.dfa.nfa_program import END, NfaProgram
from ttsr_ls.esregex.automaton.dfa.thread_transitions import ThreadTransitions
from ttsr_ls.esregex.automaton.nfa.items import START

PlainConfiguration = int
"""A set of threads, and in the lowest bits the kind of their position. One integer, which the cycle collector
ignores."""

_WORK = 5


class PlainDeterminizer:
    """The `Determinizer` of patterns without lookaheads of more than a unit."""

    __slots__ = ("_kept", "_kind_bits", "_kinds", "_program", "_transitions")

    def __init__(self, program: NfaProgram, transitions: ThreadTransitions, left_out: int = 0) -> None:
        """`left_out` are the items of patterns that need not be matched any more."""
        self._program = program
        self._transitions = transitions
        self._kept = ~left_out
        self._kind_bits = program.kind_bits
        self._kinds = (1 << program.kind_bits) - 1

    @property
    def initial(self) -> PlainConfiguration:
        """The configuration before any text."""
        return self._at(START)

    def restarted(self, key: int) -> PlainConfiguration:
        return self._at(self._program.consuming_items(key)[1])

    def all_threads(self, key: int) -> PlainConfiguration | None:
        if self._program.lookbehinds:
            return None
        return (self._program.threads & self._kept) << self._kind_bits | self._program.consuming_items(key)[1]

    def _at(self, kind: int) -> PlainConfiguration:
        """Returns the configuration at a position of this kind that no older thread reached."""
        kind, behind = self._transitions.advance_lookbehinds(0, kind)
        threads = self._program.without_subsumed((behind | self._transitions.start(kind)) & self._kept)
        return threads << self._kind_bits | kind

    def step(self, configuration: PlainConfiguration, key: int) -> PlainConfiguration:
        """Returns the configuration after a unit with this class key."""
        program, transitions = self._program, self._transitions
        threads, kind = configuration >> self._kind_bits, configuration & self._kinds
        threads = transitions.resolve_tests(threads & program.threads, kind, key)
        consumers, kind = program.consuming_items(key)
        moving = threads & consumers
        behind = 0
        if program.lookbehinds:
            kind, behind = transitions.advance_lookbehinds(moving, kind)
            moving &= program.forward
        reports = threads & program.ends
        counter_starts = reports & program.counter_starts
        if counter_starts:
            # These counters started at the position before the unit.
            reports ^= counter_starts | counter_starts << 1
        moved = transitions.follow(moving, kind) | transitions.start(kind) | behind | reports
        return program.without_subsumed(moved & self._kept) << self._kind_bits | kind

    def match_reports(self, configuration: PlainConfiguration) -> tuple[int, ...]:
        return self._program.match_reports(configuration >> self._kind_bits)

    def expire_counters(self, configuration: PlainConfiguration, counters: Sequence[int]) -> PlainConfiguration:
        program = self._program
        threads = configuration >> self._kind_bits & program.threads
        for counter in counters:
            threads &= ~program.counters[counter]
        return threads << self._kind_bits | configuration & self._kinds

    def without_left_out(self, configuration: PlainConfiguration) -> PlainConfiguration:
        return configuration & (self._kept << self._kind_bits | self._kinds)

    def work(self, configuration: PlainConfiguration) -> int:
        return _WORK

    def use_cheap_steps(self) -> None:
        """Does nothing: every step is cheap."""

    def reports_at_end(self, configuration: PlainConfiguration) -> tuple[int, ...]:
        threads, kind = configuration >> self._kind_bits, configuration & self._kinds
        return self._program.match_reports(self._transitions.resolve_tests(threads & self._program.threads, kind, END))
