"""Patterns that consist of other patterns, their parts: conjunctions and successions. Parts are numbered from
`Composites.first_part` on, after the patterns.

Owns the progress of a stream in each composite (`Progress`), and the consequences of a part that becomes final.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType

from msgspec import Struct

from ttsr_ls.esregex.automaton.nfa.succession import SuccessionStep


class CompositeConjunction(Struct, frozen=True):
    """A conjunction, with the numbers of its parts."""

    pattern: int
    present: frozenset[int]
    absent: frozenset[int]


class CompositeSuccession(Struct, frozen=True):
    """Compiled steps that match one after the other. `parts` are the numbers of their patterns."""

    pattern: int
    parts: tuple[int, ...]
    steps: tuple[SuccessionStep, ...]


Composite = CompositeConjunction | CompositeSuccession

_Reached = tuple[int, int]
"""How many steps of a succession are done, and where the last of them ended."""

_NOWHERE: Mapping[int, _Reached] = MappingProxyType({})
_NOTHING: Set[int] = frozenset()


class Progress:
    """The progress of a stream in all composites. A succession may have two answers, certain and possible, because the
    start of a part's match is not known exactly.
    """

    __slots__ = ("certain", "done", "possible")

    def __init__(self) -> None:
        # Most streams have no progress, and share the empty values.
        self.done = _NOTHING
        """The parts that need no further reports, including the final parts of conjunctions."""
        self.certain: Mapping[int, _Reached] = _NOWHERE
        self.possible: Mapping[int, _Reached] = _NOWHERE

    def copy(self) -> Progress:
        """Returns the same progress, for another stream."""
        progress = Progress()
        progress.done = set(self.done) if self.done else _NOTHING
        progress.certain = dict(self.certain) if self.certain else _NOWHERE
        progress.possible = dict(self.possible) if self.possible else _NOWHERE
        return progress

    def complete_parts(self, parts: Iterable[int]) -> None:
        """Marks parts whose later reports are ignored."""
        self.done = _writable(self.done)
        self.done.update(parts)

    def advance(self, pattern: int, reached: _Reached) -> None:
        """Sets how many steps of a succession are certainly done, and where the last one ended."""
        self.certain = _writable_map(self.certain)
        self.certain[pattern] = reached

    def maybe_advance(self, pattern: int, reached: _Reached) -> None:
        """Sets how many steps of a succession may be done, and where the last one ended."""
        self.possible = _writable_map(self.possible)
        self.possible[pattern] = reached


class Composites:
    """The composite patterns of an automaton."""

    __slots__ = ("_all", "_of_part", "_without_present", "first_part")

    def __init__(self, composites: Iterable[Composite], first_part: int) -> None:
        self._all = tuple(composites)
        self._of_part = {part: item for item in self._all for part in parts_of(item)}
        self._without_present = tuple(
            [item for item in self._all if isinstance(item, CompositeConjunction) and not item.present]
        )
        self.first_part = first_part

    def __bool__(self) -> bool:
        return bool(self._all)

    def pattern_of(self, part: int) -> int | None:
        """Returns the pattern that a part belongs to; None for a part that turned out not to be needed."""
        composite = self._of_part.get(part)
        return None if composite is None else composite.pattern

    def patterns_of(self, parts: Iterable[int]) -> list[int]:
        """Returns the patterns that some patterns and parts of patterns belong to."""
        whole = [self.pattern_of(part) if part >= self.first_part else part for part in parts]
        return [item for item in whole if item is not None]

    def record_final_part(self, progress: Progress, part: int, position: int) -> int | None:
        """Records that a part is final at `position`. Returns the pattern that this makes final, its complement if it
        only may be final, else None.
        """
        composite = self._of_part.get(part)
        match composite:
            case CompositeConjunction():
                progress.complete_parts([part])
                is_final = not composite.absent and composite.present <= progress.done
                return composite.pattern if is_final else None
            case CompositeSuccession():
                return _advance(progress, composite, composite.parts.index(part), position)
            case None:
                return None

    def final_at_start(self, progress: Progress) -> list[int]:
        """Returns the patterns that are final on the empty text."""
        conjoined = [item for item in self._all if isinstance(item, CompositeConjunction)]
        return [
            conjunction.pattern
            for conjunction in conjoined
            if not conjunction.absent and conjunction.present <= progress.done
        ]

    def matches_at_end(self, progress: Progress, ended: Iterable[int], position: int) -> list[int]:
        """Returns the patterns that match if the text ends at `position`, given the parts `ended` that match then;
        complemented if they only may match.
        """
        matching = frozenset(progress.done).union([part for part in ended if part >= self.first_part])
        candidates = {~part for part in ended if ~part >= self.first_part}
        if not matching and not candidates:
            return [item.pattern for item in self._without_present]
        matching, candidates = matching & self._of_part.keys(), candidates & self._of_part.keys()
        found: list[int] = []
        concerned = {self._of_part[part].pattern: self._of_part[part] for part in matching | candidates}
        for item in (*self._without_present, *concerned.values()):
            match item:
                case CompositeConjunction():
                    found += _conjoined_at_end(item, matching, candidates)
                case CompositeSuccession() if item.parts[-1] in matching or item.parts[-1] in candidates:
                    found += _succeeding_at_end(progress, item, position, item.parts[-1] in matching)
                case _:
                    pass
        return found


def parts_of(composite: Composite) -> frozenset[int]:
    """Returns the numbers of all parts of a composite."""
    match composite:
        case CompositeConjunction():
            return composite.present | composite.absent
        case CompositeSuccession():
            return frozenset(composite.parts)


def _advance(progress: Progress, succession: CompositeSuccession, index: int, position: int) -> int | None:
    pattern, step = succession.pattern, succession.steps[index]
    is_last = index == len(succession.steps) - 1
    done_count, since = progress.certain.get(pattern, (0, 0))
    if index == done_count and _starts_certainly(step, position - step.waits, since):
        progress.advance(pattern, (done_count + 1, position))
        progress.complete_parts(succession.parts if is_last else [succession.parts[index]])
        if is_last:
            return pattern
    done_count, since = progress.possible.get(pattern, (0, 0))
    if index == done_count and position - step.least >= since:
        if is_last:
            return ~pattern
        progress.maybe_advance(pattern, (done_count + 1, position))
    return None


def _starts_certainly(step: SuccessionStep, end: int, since: int) -> bool:
    """Returns whether a match of the step that ends at `end` certainly started at `since` or later."""
    return since == 0 or (step.greatest is not None and end - step.greatest >= since)


def _conjoined_at_end(conjoined: CompositeConjunction, matching: Set[int], candidates: Set[int]) -> list[int]:
    if conjoined.absent & matching or not conjoined.present <= matching | candidates:
        return []
    if conjoined.absent & candidates or not conjoined.present <= matching:
        return [~conjoined.pattern]
    return [conjoined.pattern]


def _succeeding_at_end(progress: Progress, succession: CompositeSuccession, position: int, certain: bool) -> list[int]:
    pattern, step, last = succession.pattern, succession.steps[-1], len(succession.steps) - 1
    done_count, since = progress.certain.get(pattern, (0, 0))
    if certain and done_count == last and _starts_certainly(step, position, since):
        return [pattern]
    done_count, since = progress.possible.get(pattern, (0, 0))
    return [~pattern] if done_count == last and position - step.least >= since else []


def _writable(some: Set[int]) -> set[int]:
    return some if isinstance(some, set) else set(some)


def _writable_map(some: Mapping[int, _Reached]) -> dict[int, _Reached]:
    return some if isinstance(some, dict) else dict(some)
