"""Limits the cost of a judge: a budget of calls for a session, and a circuit breaker for a judge that keeps failing.

Without an answer of the judge, no rule counts as broken, so both limits fail open; the user is notified each time that
one is reached.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ttsr_ls.features.judge.judge import Judge, JudgeAnswer, NoJudgeAnswer


class JudgeLimits(Struct, frozen=True):
    """The limits on calls of a judge.

    `calls` is the budget of a session. After `failures` consecutive calls without an answer, none is made for `rest`
    seconds; then a single call tests whether the judge works again.
    """

    calls: int = 500
    failures: int = 3
    rest: float = 120.0


class BoundedJudge:
    """A judge within limits. `clock` returns seconds and never goes back."""

    def __init__(self, judge: Judge, limits: JudgeLimits, clock: Callable[[], float]) -> None:
        self._judge = judge
        self._limits = limits
        self._clock = clock
        self._calls = 0
        self._failures = 0
        self._resting_until = 0.0
        self._is_probing = False

    async def ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        if self._calls >= self._limits.calls:
            return NoJudgeAnswer(
                f"The judge was asked {self._calls} times, the limit of a session; rules with a question are off."
            )
        is_probe = self._failures >= self._limits.failures
        if is_probe and (self._is_probing or self._clock() < self._resting_until):
            return NoJudgeAnswer(
                f"The judge failed {self._failures} times in a row and is not asked for {self._limits.rest:g} seconds; "
                "rules with a question are off meanwhile."
            )
        self._calls += 1
        self._is_probing = is_probe
        try:
            answer = await self._judge.ask(prompt)
        finally:
            self._is_probing = False
        match answer:
            case JudgeAnswer():
                self._failures = 0
            case NoJudgeAnswer():
                self._failures += 1
                self._resting_until = self._clock() + self._limits.rest
        return answer
