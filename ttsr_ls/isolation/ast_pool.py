"""Parses many texts in several processes at once. Texts that lack the required words of all patterns are not parsed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from ttsr_ls.isolation.ast_task_queue import STEP_LIMIT, AstTask, AstTaskQueue, Failures, PatternQuery
from ttsr_ls.matching.ast.required_words import RequiredWords, has_required_words
from ttsr_ls.matching.ast.search import MAX_AST_PATTERN, MAX_AST_TEXT, AstAnswer, AstFailure, AstMatches, PatternShape
from ttsr_ls.text import Span

MAX_FAILURES = 10
"""After this number of searches that took too long or crashed, no more are tried: the input is hostile."""

_MAX_KEPT = 10_000
"""The most patterns whose required words are cached."""
_MAX_PROCESSES = 4
_WORTH_A_PROCESS = 64 * 1024
"""Another process is started when the least busy one has unfinished texts of this length, in code points."""


class AstPool:
    """An `AstBatch`. Not safe to share between threads. Starts its first process with the first text."""

    __slots__ = ("_queues", "_required_words")

    def __init__(self, processes: int, step_limit: float = STEP_LIMIT, maximum_failures: int = MAX_FAILURES) -> None:
        failures = Failures(maximum_failures)
        self._queues = tuple(AstTaskQueue(step_limit, failures) for _ in range(processes))
        self._required_words: dict[tuple[str, str], RequiredWords] = {}

    def __enter__(self) -> AstPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all processes. Pending searches get no answer."""
        for queue in self._queues:
            queue.stop()

    def ask(self, text: str, language: str, patterns: Sequence[str]) -> Callable[[], tuple[AstAnswer, ...]]:
        answers = self.ask_all(text, language, patterns, 1)
        return lambda: tuple(map(_first, answers()))

    def ask_all(self, text: str, language: str, patterns: Sequence[str], limit: int) -> Callable[[], list[AstMatches]]:
        if len(text) > MAX_AST_TEXT:
            return lambda: [AstFailure.TEXT for _ in patterns]
        possible = self._possible(text, language, patterns)
        if not possible:
            return lambda: [() for _ in patterns]
        queue = self._free_queue()
        task = AstTask(text, language, possible, limit)
        queue.give(task)

        def answers() -> list[AstMatches]:
            queue.finish(task)
            return [_matches(task.answers.get(pattern)) for pattern in patterns]

        return answers

    def _possible(self, text: str, language: str, patterns: Sequence[str]) -> list[str]:
        """Returns the distinct patterns whose required words are all in the text."""
        lower = text.lower()
        return [
            each
            for each in dict.fromkeys(patterns)
            if has_required_words(lower, self._required_words_of(language, each))
        ]

    def shape(self, pattern: str, language: str) -> PatternShape:
        if len(pattern) > MAX_AST_PATTERN:
            return PatternShape.UNKNOWN
        answer = self._query(PatternQuery.SHAPES, language, pattern)
        return PatternShape.UNKNOWN if isinstance(answer, AstFailure) else PatternShape(answer)

    def _required_words_of(self, language: str, pattern: str) -> RequiredWords:
        """Returns the required words of a pattern; none if a process fails on it, as the search for it then will."""
        key = (language, pattern)
        if key not in self._required_words:
            if len(self._required_words) >= _MAX_KEPT:
                self._required_words.clear()
            answer = self._query(PatternQuery.REQUIRED_WORDS, language, pattern)
            self._required_words[key] = () if isinstance(answer, AstFailure) else tuple(answer)
        return self._required_words[key]

    def _query(self, query: PatternQuery, language: str, pattern: str) -> Any:
        queue, task = self._free_queue(), AstTask(query, language, [pattern])
        queue.give(task)
        queue.finish(task)
        return task.answers[pattern]

    def _free_queue(self) -> AstTaskQueue:
        """Returns the process with the least load; an idle one that is not started yet if that load is high."""
        for queue in self._queues:
            queue.catch_up()
        queues = [queue for queue in self._queues if queue.worker is not None]
        best = min(queues, key=lambda queue: queue.load, default=self._queues[0])
        if best.load < _WORTH_A_PROCESS:
            return best
        return next((queue for queue in self._queues if queue.worker is None), best)


def _matches(answer: Any) -> AstMatches:
    return answer if isinstance(answer, AstFailure) else tuple(Span(*match) for match in answer or ())


def _first(answer: AstMatches) -> AstAnswer:
    return answer if isinstance(answer, AstFailure) else next(iter(answer), None)


def available_processors() -> int:
    """Returns the number of processes that may usefully run at once."""
    try:
        usable = len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system has it.
        usable = os.cpu_count() or 1
    return max(1, min(_MAX_PROCESSES, usable))
