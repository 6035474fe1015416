"""The exact searches of one condition. They are prepared in portions, because preparing a large one takes tenths of a
second.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.finality import final_form_incrementally
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.tree.incremental import Incremental
from ttsr_ls.esregex.tree.nodes import Chars
from ttsr_ls.esregex.tree.pattern_size import is_too_large
from ttsr_ls.rules.condition import Condition


class Preparation:
    """Work that must be done once before a search can run."""

    __slots__ = ("_has_failed", "_known", "_portions", "_work")

    def __init__(self, work: Iterator[int], known: tuple[int, ...] | None = None) -> None:
        """`work` yields the number of steps of each portion, which are `known` if the work was done before."""
        self._work: Iterator[int] | None = work
        self._known = known
        self._portions: list[int] = []
        self._has_failed = False

    @property
    def is_done(self) -> bool:
        """True if the work is complete."""
        return self._work is None

    def repeated(self) -> Preparation | None:
        """Returns a preparation that counts the same steps, but does nothing; None if the work was not completed, or
        raised an error."""
        if self._known is None and self._work is None and not self._has_failed:
            self._known = tuple(self._portions)
        return None if self._known is None else Preparation(iter(self._known), self._known)

    def advance(self, steps: int) -> int:
        """Does `steps` steps of the work, or up to a portion more. Returns the number of steps done."""
        done_count = 0
        while self._work is not None and done_count < steps:
            try:
                portion = next(self._work)
            except StopIteration:
                self._work = None
            except MatchLimitExceeded:
                self._has_failed = True
                raise
            else:
                self._portions.append(portion)
                done_count += portion
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

    def prepared_again(self) -> ConditionSearches:
        """Returns searches of the same condition that count the same steps for their preparation, without the work that
        these have done."""
        again = ConditionSearches(self._condition)
        measuring = self.measuring.repeated()
        if measuring is None:
            return again
        again.measuring, again.final, again._is_never_final = measuring, self.final, self._is_never_final
        again.planning = self.planning.repeated() or Preparation(again._plan())
        if self.completing is self.planning:
            again.completing, again.ordinary = again.planning, again.final
        elif (completing := self.completing.repeated()) is not None:
            again.completing, again.ordinary = completing, self.ordinary
        else:
            again.completing = Preparation(again.ordinary.prepare_incrementally())
        return again

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
