"""An `AstSearch` that parses in another process, within bounds of time, and survives whatever happens to it.

Grammars are native code. Some take minutes for a hundred kilobytes of nested brackets, one ends its process on deep
indentation, and patterns that are nested deeply overflow the stack. None of that may reach an editor or an agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from time import monotonic

from ttsr_ls.engine.ast_grep import words_of
from ttsr_ls.engine.ast_search import MAXIMUM_AST_TEXT, AstAnswer, AstFailure
from ttsr_ls.isolation.worker import Worker, WorkerLostError
from ttsr_ls.text import Span

_WORKER = "ttsr_ls.isolation.ast_worker"
_START_LIMIT = 20.0
"""Seconds for a process to start: much, because the machine may be busy, and it happens once."""

STEP_LIMIT = 3.0
"""Seconds for parsing one text, and for matching one pattern. The longest text that is parsed takes half a second."""

SEARCH_LIMIT = 10.0
"""Seconds for one search in all."""

MAXIMUM_FAILURES = 10
"""After so many searches that took too long or crashed, nothing is searched any more: somebody does it on purpose."""


_MOST_WORDS = 10_000
"""For how many patterns it is kept which words they need."""


class AstProcess:
    """Starts its process at the first search. Safe to share between threads, which wait for each other."""

    __slots__ = ("_failures", "_lock", "_maximum_failures", "_step_limit", "_unavailable", "_words", "_worker")

    def __init__(self, step_limit: float = STEP_LIMIT, maximum_failures: int = MAXIMUM_FAILURES) -> None:
        self._lock = Lock()
        self._worker: Worker | None = None
        self._step_limit = step_limit
        self._maximum_failures = maximum_failures
        self._failures = 0
        self._unavailable = False
        self._words: dict[tuple[str, str], tuple[str, ...]] = {}

    def __enter__(self) -> AstProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process; another search would start it again."""
        with self._lock:
            self._stop()

    def search(self, text: str, language: str, patterns: Sequence[str]) -> tuple[AstAnswer, ...]:
        """See `AstSearch.search`."""
        if len(text) > MAXIMUM_AST_TEXT:
            return tuple(AstFailure.TEXT for _ in patterns)
        with self._lock:
            possible = self._possible(text, language, patterns)
            answers: dict[str, AstAnswer] = {}
            try:
                until = monotonic() + SEARCH_LIMIT
                while len(answers) < len(possible):
                    answers |= self._answers(text, language, possible[len(answers) :], until)
            except BaseException:
                # Answers that nobody waits for any more must not be taken for those to the next question.
                self._stop()
                raise
        return tuple(answers.get(pattern) for pattern in patterns)

    def _possible(self, text: str, language: str, patterns: Sequence[str]) -> list[str]:
        """The patterns, each once, of which no needed word is missing, as far as their words are known."""
        lower = text.lower()
        needs = {each: self._words.get((language, each), ()) for each in patterns}
        possible = [each for each, words in needs.items() if all(word in lower for word in words)]
        if any(needs[each] for each in possible):
            # Dear, but a hundred times cheaper than parsing, and `any` is in every `many`.
            present = words_of(text)
            possible = [each for each in possible if present.issuperset(needs[each])]
        return possible

    def _answers(self, text: str, language: str, patterns: list[str], until: float) -> dict[str, AstAnswer]:
        """The answers to the first of the patterns, at least to one: up to one that fails, or to all."""
        if self._failures >= self._maximum_failures:
            return dict.fromkeys(patterns, AstFailure.EXHAUSTED)
        if monotonic() >= until:
            return dict.fromkeys(patterns, AstFailure.TEXT)
        worker = self._running()
        if worker is None:
            return dict.fromkeys(patterns, AstFailure.UNAVAILABLE)
        try:
            worker.ask({"text": text, "language": language, "patterns": patterns})
            worker.answer(self._patience(until))
        except WorkerLostError:
            self._fail()
            return dict.fromkeys(patterns, AstFailure.TEXT)
        answers: dict[str, AstAnswer] = {}
        for pattern in patterns:
            try:
                answer = worker.answer(self._patience(until))
            except WorkerLostError:
                self._fail()
                answers[pattern] = AstFailure.PATTERN
                break
            answers[pattern] = None if answer["place"] is None else Span(*answer["place"])
            self._learn((language, pattern), answer["words"])
        return answers

    def _learn(self, key: tuple[str, str], words: list[str]) -> None:
        if len(self._words) >= _MOST_WORDS:
            self._words.clear()
        self._words[key] = tuple(words)

    def _patience(self, until: float) -> float:
        return min(self._step_limit, until - monotonic())

    def _running(self) -> Worker | None:
        """The process, started where it was not; None where none can be, which is not tried again."""
        if self._worker is None and not self._unavailable:
            try:
                self._worker = Worker(_WORKER)
                self._unavailable = self._worker.answer(_START_LIMIT) != "ready"
            except WorkerLostError:
                self._unavailable = True
            if self._unavailable:
                self._stop()
        return self._worker

    def _fail(self) -> None:
        self._failures += 1
        self._stop()

    def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()
