"""A judge has a budget of calls, and is not asked for a while after failures; the user is notified of both."""

from __future__ import annotations

import asyncio

from ttsr_ls.features.judge.bounded_judge import BoundedJudge, JudgeLimits
from ttsr_ls.features.judge.judge import JudgeAnswer, NoJudgeAnswer

YES = JudgeAnswer("1: 0.9")
NO = NoJudgeAnswer("The judge sent no answer for 5 seconds.")


class _Judge:
    """Gives these answers in order, the last one repeatedly."""

    def __init__(self, *answers: JudgeAnswer | NoJudgeAnswer) -> None:
        self._answers = list(answers)
        self.calls = 0

    async def ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        self.calls += 1
        await asyncio.sleep(0)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


class _Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def reason(answer: JudgeAnswer | NoJudgeAnswer) -> str:
    assert isinstance(answer, NoJudgeAnswer)
    return answer.reason


async def test_the_calls_of_a_session_are_limited() -> None:
    judge = _Judge(YES)
    bounded = BoundedJudge(judge, JudgeLimits(calls=3), _Clock())
    assert [await bounded.ask("?") for _ in range(3)] == [YES] * 3
    assert "was asked 3 times, the limit of a session" in reason(await bounded.ask("?"))
    assert judge.calls == 3


async def test_after_consecutive_failures_the_judge_is_not_asked_for_a_while() -> None:
    judge, clock = _Judge(NO, YES, NO, NO, NO), _Clock()
    bounded = BoundedJudge(judge, JudgeLimits(failures=3, rest=60), clock)
    assert [await bounded.ask("?") for _ in range(5)] == [NO, YES, NO, NO, NO]
    clock.now += 59
    assert "failed 3 times in a row and is not asked for 60 seconds" in reason(await bounded.ask("?"))
    assert judge.calls == 5


async def test_after_the_rest_a_single_call_probes_the_judge() -> None:
    judge, clock = _Judge(NO, NO, NO, YES), _Clock()
    bounded = BoundedJudge(judge, JudgeLimits(failures=2, rest=60), clock)
    for _ in range(2):
        await bounded.ask("?")
    clock.now += 61
    first, second = await asyncio.gather(bounded.ask("?"), bounded.ask("?"))
    assert (first, judge.calls) == (NO, 3)
    assert "failed 2 times" in reason(second)
    assert "failed 3 times" in reason(await bounded.ask("?"))
    clock.now += 61
    assert await bounded.ask("?") == YES
    assert await bounded.ask("?") == YES


async def test_concurrent_calls_all_count_against_the_budget() -> None:
    judge = _Judge(YES)
    bounded = BoundedJudge(judge, JudgeLimits(calls=4), _Clock())
    answers = await asyncio.gather(*(bounded.ask("?") for _ in range(10)))
    assert answers.count(YES) == 4
    assert judge.calls == 4
