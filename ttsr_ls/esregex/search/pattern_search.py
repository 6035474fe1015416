"""Finds the leftmost match of a pattern in a text, searching forward from its start or backward from its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget, first_result
from ttsr_ls.esregex.search.explore import explore
from ttsr_ls.esregex.search.plan import SearchPlan
from ttsr_ls.esregex.search.reach import reach_past_end
from ttsr_ls.esregex.search.reference_free_form import without_backreferences_incrementally
from ttsr_ls.esregex.search.thread import Goal, KnownText, Root
from ttsr_ls.esregex.tree.backreferences import backreferences, backreferences_incrementally
from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import Incremental, run_to_completion
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.pattern_size import is_too_large
from ttsr_ls.esregex.tree.simplify import simplify_incrementally
from ttsr_ls.esregex.tree.widths import greatest_width, least_width
from ttsr_ls.text import Span

_WINDOW = 1 << 14
"""How many units are searched at once for the start of a match."""


class PatternSearch:
    """The searches of one pattern, compiled on first use, or in portions by `prepare_incrementally`."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def prepare_incrementally(self) -> Incremental[None]:
        """Compiles everything that searches need. Raises `MatchLimitExceeded` for a pattern that is too large."""
        yield from self.measure_incrementally()
        yield from self.plan_incrementally()

    def measure_incrementally(self) -> Incremental[None]:
        """The first half of `prepare_incrementally`: computes `reach` and `width`."""
        pattern = self._simple = yield from self._simplified()
        self.is_exact_backward = not (yield from backreferences_incrementally(pattern))
        self.reach = yield from reach_past_end(pattern.root)
        self.width = yield from self._width()

    def plan_incrementally(self) -> Incremental[None]:
        """The second half of `prepare_incrementally`: compiles the plans."""
        self.forward = yield from SearchPlan.of(self._simple, backward=False)
        self.backward = yield from self._backward()

    @cached_property
    def _simple(self) -> Pattern:
        return run_to_completion(self._simplified())

    def _simplified(self) -> Incremental[Pattern]:
        if is_too_large(self._pattern):
            raise MatchLimitExceeded("The pattern is too large to be matched")
        return (yield from simplify_incrementally(self._pattern))

    @cached_property
    def forward(self) -> SearchPlan:
        """The plan of the pattern. Raises `MatchLimitExceeded` as `prepare` does."""
        return run_to_completion(SearchPlan.of(self._simple, backward=False))

    @cached_property
    def is_exact_backward(self) -> bool:
        """True if `backward` is exact: the pattern has no backreferences."""
        return not backreferences(self._simple)

    @cached_property
    def backward(self) -> SearchPlan:
        """The plan that finds the possible starts of matches from their ends."""
        return run_to_completion(self._backward())

    def _backward(self) -> Incremental[SearchPlan]:
        pattern = self._simple
        if not self.is_exact_backward:
            pattern = yield from simplify_incrementally((yield from without_backreferences_incrementally(pattern)))
        return (yield from SearchPlan.of(pattern, backward=True))

    @cached_property
    def reach(self) -> int:
        """The number of units past its end that may decide about a match; see `reach_past_end`."""
        return run_to_completion(reach_past_end(self._simple.root))

    @cached_property
    def width(self) -> int | None:
        """The length of every match, in units; None if lengths differ or matches look past their ends."""
        return run_to_completion(self._width())

    def _width(self) -> Incremental[int | None]:
        minimum = yield from fold_tree_incrementally(self._simple.root, least_width)
        maximum = yield from fold_tree_incrementally(self._simple.root, greatest_width)
        return minimum if minimum == maximum and self.reach == 0 else None

    def leftmost(self, text: KnownText, least_end: int, size: int, budget: StepBudget) -> SearchSteps[Span | None]:
        """Returns the leftmost match in the first `size` units, if no match ends before `least_end`."""
        return first_result(
            budget,
            [
                lambda budget: self._match_by_end(text, least_end, size, budget),
                lambda budget: self.first_from(text, 0, size, budget),
            ],
        )

    def _match_by_end(self, text: KnownText, least_end: int, size: int, budget: StepBudget) -> SearchSteps[Span | None]:
        start = yield from self.leftmost_by_end(text, least_end, size, budget)
        return None if start is None else (yield from self.span_from(text, start, size, budget))

    def leftmost_by_end(
        self, text: KnownText, least_end: int, size: int, budget: StepBudget
    ) -> SearchSteps[int | None]:
        """Returns the start of the match that `leftmost` finds, searched backward from its possible ends."""
        plan = self.backward
        ends: Iterable[Root] = ((end, (0, end, plan.registers, -1)) for end in range(size, least_end - 1, -1))
        if self.is_exact_backward:
            found = yield from explore(plan, text, size, ends, budget, Goal.LOWEST)
            return None if found is None else found[1]
        possible_starts: set[int] = set()
        yield from explore(plan, text, size, ends, budget, Goal.LOWEST, ends=possible_starts)
        forward = self.forward
        roots = ((start, (0, start, forward.registers, -1)) for start in sorted(possible_starts))
        found = yield from explore(forward, text, size, roots, budget)
        return None if found is None else found[0]

    def first_from(self, text: KnownText, start: int, size: int, budget: StepBudget) -> SearchSteps[Span | None]:
        """Returns the leftmost match that starts at `start` or later, in the first `size` units."""
        roots = candidate_starts(self.forward, text, start, size)
        found = yield from explore(self.forward, text, size, roots, budget, Goal.FIRST)
        return None if found is None else Span(*found)

    def span_from(self, text: KnownText, start: int, size: int, budget: StepBudget) -> SearchSteps[Span]:
        """Returns the match that starts at `start`, which must exist: the first one in the order of ECMA-262."""
        roots = [(start, (0, start, self.forward.registers, -1))]
        found = yield from explore(self.forward, text, size, roots, budget, Goal.FIRST)
        assert found is not None, "a match that was found backward is found forward, too"
        return Span(start, found[1])


def candidate_starts(plan: SearchPlan, text: KnownText, start: int, size: int) -> Iterator[Root]:
    """Yields the positions from `start` on, within the first `size` units, where a match may start."""
    while start <= size:
        if plan.first is not None:
            end = min(size, start + _WINDOW)
            match = plan.first.search(text.units, start, end)
            if match is None:
                if end == size:
                    return
                yield -1, (0, 0, plan.registers, -1)
                start = end
                continue
            start = match.start()
        yield start, (0, start, plan.registers, -1)
        start += 1
