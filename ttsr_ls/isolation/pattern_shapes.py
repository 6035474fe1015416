"""Implements `PatternShapes` with a process that parses. The process is started, and its modules are imported, with the
first pattern.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttsr_ls.isolation.ast_process import AstProcess
    from ttsr_ls.matching.ast.search import PatternShape

_STEP_LIMIT = 1.0
"""Seconds of processor time for one pattern; patterns that users write take less than a thousandth of it."""
_MAX_FAILURES = 3
_MAX_REMEMBERED = 10_000


class PatternShapeCache:
    """Cache of the shapes of AST patterns, which a child process parses. Thread-safe.

    Most patterns of a document do not change at a keystroke.
    """

    __slots__ = ("_known", "_lock", "_process")

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: AstProcess | None = None
        self._known: dict[tuple[str, str], PatternShape] = {}

    def __enter__(self) -> PatternShapeCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process, if there is one."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def shape(self, pattern: str, language: str) -> PatternShape:
        key = (pattern, language)
        pattern_shape = self._known.get(key)
        if pattern_shape is not None:
            return pattern_shape
        shape = self._running().shape(pattern, language)
        with self._lock:
            if len(self._known) >= _MAX_REMEMBERED:
                self._known.clear()
            self._known[key] = shape
        return shape

    def _running(self) -> AstProcess:
        # Imported lazily: most rules have no AST patterns, and checks of them should not wait for this module.
        from ttsr_ls.isolation.ast_process import AstProcess

        with self._lock:
            if self._process is None:
                self._process = AstProcess(_STEP_LIMIT, _MAX_FAILURES)
            return self._process
