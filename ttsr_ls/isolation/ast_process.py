"""An `AstSearch` that parses in another process, within time limits, and survives its crashes.

Grammars are native code. Some take minutes for a hundred kilobytes of nested brackets, one ends its process on deep
indentation, and patterns that are nested deeply overflow the stack. No editor or agent may crash or hang with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from ttsr_ls.isolation.ast_pool import MAX_FAILURES, AstPool
from ttsr_ls.isolation.ast_task_queue import STEP_LIMIT
from ttsr_ls.matching.ast.search import AstAnswer, AstMatches, PatternShape


class AstProcess:
    """Starts its process with the first search. Thread-safe: threads wait for each other."""

    __slots__ = ("_lock", "_pool")

    def __init__(self, step_limit: float = STEP_LIMIT, maximum_failures: int = MAX_FAILURES) -> None:
        self._lock = Lock()
        self._pool = AstPool(1, step_limit, maximum_failures)

    def __enter__(self) -> AstProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process. Another search starts a new one."""
        with self._lock:
            self._pool.close()

    def search(self, text: str, language: str, patterns: Sequence[str]) -> tuple[AstAnswer, ...]:
        with self._lock:
            return self._pool.ask(text, language, patterns)()

    def search_all(self, text: str, language: str, patterns: Sequence[str], limit: int) -> list[AstMatches]:
        with self._lock:
            return self._pool.ask_all(text, language, patterns, limit)()

    def shape(self, pattern: str, language: str) -> PatternShape:
        with self._lock:
            return self._pool.shape(pattern, language)
