"""What a monitor has to answer, in the slowest and most obvious way: every prefix, every condition, one by one.

It backtracks as ECMA-262 says, and shares neither the automaton nor the matchers of the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.matching.excerpt import code_point_span, code_points_before
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.text import Span


class Answer(NamedTuple):
    """A trigger: the rule, which of its conditions, where the match is, and the length of the prefix (code points)."""

    rule: str
    condition: int
    start: int
    end: int
    offset: int


class _Exact:
    def __init__(self, condition: Condition) -> None:
        self.ordinary = BacktrackMatcher(condition.pattern)
        self.final = BacktrackMatcher(final_form(condition.pattern))

    def now(self, text: str) -> Span | None:
        """Where the condition matches a text that ends here: where it became final, or else the leftmost match."""
        for length in range(len(text) + 1):
            final = self.final.search(text[:length])
            if final is not None:
                return final
        return self.ordinary.search(text)


class ObviousMonitor:
    """The specification, for rules that apply to everything."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = [(rule.name, [_Exact(condition) for condition in rule.conditions]) for rule in rules]

    def stable(self, text: str) -> list[Answer]:
        """The triggers of a block: each rule on the least prefix on which a condition is final, else at the end."""
        early, late = [], []
        for order, (name, conditions) in enumerate(self._rules):
            final = self._least_final(name, conditions, text)
            if final is not None:
                early.append((final[0], order, final[1]))
            elif (answer := self._first_now(name, conditions, text)) is not None:
                late.append(answer)
        return [answer for _, _, answer in sorted(early)] + late

    def reference(self, text: str) -> list[Answer]:
        """The triggers of a delta after which the buffer has these units."""
        found = [self._first_now(name, conditions, text) for name, conditions in self._rules]
        return [answer for answer in found if answer is not None]

    def _least_final(self, name: str, conditions: list[_Exact], text: str) -> tuple[int, Answer] | None:
        for length in range(len(text) + 1):
            for index, condition in enumerate(conditions):
                span = condition.final.search(text[:length])
                if span is not None:
                    return length, _answer(name, index, text[:length], span.start, span.end)
        return None

    def _first_now(self, name: str, conditions: list[_Exact], text: str) -> Answer | None:
        for index, condition in enumerate(conditions):
            span = condition.now(text)
            if span is not None:
                return _answer(name, index, text, span.start, span.end)
        return None


def _answer(name: str, index: int, prefix: str, start: int, end: int) -> Answer:
    first, last = code_point_span(prefix, start, end)
    return Answer(name, index, first, last, code_points_before(prefix, len(prefix)))
