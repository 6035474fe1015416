"""The instructions of the backtracking matcher.

Owns their meaning and the shape of a program; `assemble` builds programs, `backtrack` runs them. An instruction is
`(operation, a, b)`; if `a` is a target, it is an index of the program's code. `P` is the current position.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from ttsr_ls.esregex.program.class_source import compile_around, steps_to_compile
from ttsr_ls.esregex.tree.unit_set import UnitSet

if TYPE_CHECKING:
    import regex

Instruction = tuple[int, int, int]

UNIT: Final = 0
"""The unit after P is in class `a`; P goes past it."""
UNIT_BACK: Final = 1
"""The unit before P is in class `a`; P goes before it."""
TEXT: Final = 2
"""Text `a` follows; P goes past it."""
TEXT_BACK: Final = 3
RUN: Final = 4
"""Run `a`: a repeated class, forward; matches the preferred number of units and leaves other numbers as choices."""
SPLIT: Final = 5
"""Continue, and leave `a` as the next choice."""
SPLIT_LAZY: Final = 6
"""Go to `a`, and leave the next instruction as the next choice."""
JUMP: Final = 7
OPEN: Final = 8
"""Put P in register `a`."""
CLOSE: Final = 9
"""Capture `a` spans from register `b` to P, in either direction."""
RESET: Final = 10
"""Reset the captures from `a` to before `b`."""
REFERENCE: Final = 11
"""The text that reference `a` captured follows; P goes past it."""
REFERENCE_BACK: Final = 12
LOOP_START: Final = 13
"""Counter of loop `b` is 0."""
LOOP: Final = 14
"""Enter the body, which follows, or leave to `a`, as the counter of loop `b` allows."""
LOOP_ENTER: Final = 15
"""Count a round of loop `b`, store P, reset the captures inside."""
LOOP_END: Final = 16
"""Fail if an optional round was empty; otherwise go back to the LOOP at `a` of loop `b`."""
LOOK_START: Final = 17
"""Store the number of choices in register `a`, and P in the next one."""
LOOK_END: Final = 18
"""The body matched: restore P, and drop the choices since the LOOK_START with register `a`."""
NOT_START: Final = 19
"""As LOOK_START with register `b`, but leave `a`, after the lookaround, as the choice if the body does not match."""
NOT_END: Final = 20
"""The body matched, so the negated lookaround fails: undo everything since the NOT_START with register `a`."""
AT_INPUT_START: Final = 21
AT_INPUT_END: Final = 22
AT_LINE_START: Final = 23
AT_LINE_END: Final = 24
AT_BOUNDARY: Final = 25
NOT_AT_BOUNDARY: Final = 26
MATCH: Final = 27
RUN_BACK: Final = 28
"""As RUN, backward. Only in programs that are assembled with `backward_runs`."""


class UnitClass(dict[str, bool]):
    """A unit set for the innermost loop: `units[text[position]]` is one look-up.

    Entries are computed on first use. It has at most 65,536 entries, and only those of units that occurred.
    """

    __slots__ = ("units",)

    def __init__(self, units: UnitSet) -> None:
        super().__init__()
        self.units = units

    def __missing__(self, unit: str) -> bool:
        is_in = self[unit] = ord(unit) in self.units
        return is_in


_FIRST_WINDOW = 32
"""How many units are searched first for the start of a run, from its end backward; then four times as many."""


class ClassRepeat:
    """A repeated class: at least `minimum` and at most `maximum` units of a set."""

    __slots__ = ("_last_other", "_longest", "_units", "is_compiled", "lazy", "maximum", "minimum", "single")

    def __init__(self, units: UnitSet, minimum: int, maximum: int | None, lazy: bool) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.lazy = lazy
        self._units = units
        self.single = UnitClass(units) if maximum == 1 else None
        """The set, if `maximum` is 1: a look-up takes a fifth of the time of a search."""
        self.is_compiled = maximum == 1
        """Whether the class was compiled, which takes far longer than a search."""
        self._longest: re.Pattern[str] | regex.Pattern[str] | None = None
        self._last_other: re.Pattern[str] | regex.Pattern[str] | None = None

    @property
    def steps_to_compile(self) -> int:
        """The number of steps that it takes to compile the class."""
        return steps_to_compile(self._units)

    def end(self, text: str, position: int) -> int:
        """Returns the end of the longest run that starts at `position`. The run may be shorter than `minimum`."""
        return self.end_before(text, position, len(text) if self.maximum is None else position + self.maximum)

    def end_before(self, text: str, position: int, stop: int) -> int:
        """Returns the end of the run of units of the set that starts at `position`, at most `stop`."""
        pattern = self._longest
        if pattern is None:
            # Compiled lazily: a hostile pattern can have very many runs, most of which are never reached.
            self.is_compiled = True
            pattern = self._longest = compile_around(self._units, "", "*")
        match = pattern.match(text, position, stop)
        return position if match is None else match.end()

    def start(self, text: str, position: int) -> int:
        """Returns the start of the longest run that ends at `position`. The run may be shorter than `minimum`."""
        last_other = self._last_other
        if last_other is None:
            self.is_compiled = True
            last_other = self._last_other = compile_around(~self._units, ".*", "")
        minimum = 0 if self.maximum is None else max(0, position - self.maximum)
        window = _FIRST_WINDOW
        while position > minimum:
            begin = max(minimum, position - window)
            match = last_other.match(text, begin, position)
            if match is not None:
                return match.end()
            position, window = begin, 4 * window
        return minimum


class CountedLoop(Struct, frozen=True):
    """A counted loop. `counter` is its register; the next register has the start of the current round."""

    counter: int
    minimum: int
    maximum: int | None
    lazy: bool
    first_capture: int
    end_capture: int


class Reference(Struct, frozen=True):
    """A backreference to `groups`, at most one of which is set."""

    groups: tuple[int, ...]
    ignore_case: bool


class Program(Struct, frozen=True, gc=False):
    """The program of the backtracking matcher. Capture `n` is in the registers `2n` and `2n + 1`, -1 while not set."""

    code: tuple[Instruction, ...]
    classes: tuple[UnitClass, ...]
    texts: tuple[str, ...]
    runs: tuple[ClassRepeat, ...]
    loops: tuple[CountedLoop, ...]
    references: tuple[Reference, ...]
    register_count: int
