"""The exact searches of one condition. They are prepared in portions, because preparing a large one takes tenths of a
second.
"""

from __future__ import annotations

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.finality import final_form_incrementally
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.tree.incremental import Incremental
from ttsr_ls.esregex.tree.nodes import Chars
from ttsr_ls.esregex.tree.pattern_size import is_too_large
from ttsr_ls.rules.condition import Condition


class Preparation:
    """Work that must be done once before a search can run."""

    __slots__ = ("_work",)

    def __init__(self, work: Incremental[None]) -> None:
        self._work: Incremental[None] | None = work

    @property
    def is_done(self) -> bool:
        """True if the work is complete."""
        return self._work is None

    def advance(self, steps: int) -> int:
        """Does `steps` steps of the work, or up to a portion more. Returns the number of steps done."""
        done_count = 0
        while self._work is not None and done_count < steps:
            try:
                done_count += next(self._work)
            except StopIteration:
                self._work = None
        return done_count


class ConditionSearches:
    """The searches of one condition: for its matches, and for its final matches.

    `final` and its width are known once `measuring` is done, and `final` is ready once `planning` is. `ordinary` is
    ready once `completing` is.
    """

    __slots__ = (
        "_condition",
        "_is_never_final",
        "_pattern",
        "completing",
        "final",
        "measuring",
        "ordinary",
        "planning",
    )

    def __init__(self, condition: Condition) -> None:
        """Raises `MatchLimitExceeded` for a condition that is too large."""
        if is_too_large(condition.pattern):
            raise MatchLimitExceeded("The condition is too large to be matched")
        self._condition = condition
        self._pattern = condition.pattern
        self._is_never_final = False
        self.ordinary = self.final = PatternSearch(condition.pattern)
        self.measuring = Preparation(self._measure())
        self.planning = self.completing = Preparation(self._plan())

    @property
    def reach_at_end(self) -> int | None:
        """The number of units past its end that may decide about a match that is not final; None if no match is ever
        final."""
        return None if self._is_never_final else self.ordinary.reach

    def _measure(self) -> Incremental[None]:
        form = yield from final_form_incrementally(self._pattern)
        self._condition.remember_final_form(form)
        if form is not self._pattern:
            self.final = PatternSearch(form)
            self.completing = Preparation(self.ordinary.prepare_incrementally())
            self._is_never_final = isinstance(form.root, Chars) and not form.root.units
        yield from self.final.measure_incrementally()

    def _plan(self) -> Incremental[None]:
        yield from self.final.plan_incrementally()
