"""The parsing process: `python -m ttsr_ls.isolation.ast_worker`, started only by `ast_task_queue`.

Reads requests and writes answers as JSON lines: `"ready"` once, or `"unavailable"`; then for each request
`{"text", "language", "patterns", "limit"}` first `"parsed"` and then one answer a pattern: a list of at most `limit`
matches, each `[start, end]`. For a request with `"query"` instead of a text there is one answer a pattern: the list of
its required words, or its shape. So the reader knows what the process was doing when it hung or crashed. The process
ends with its input.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from ttsr_ls.matching.ast.ast_grep import ParsedText, required_words, shape_of
from ttsr_ls.matching.ast.search import PatternShape

_Answer = TypeVar("_Answer")

_MEMORY = 2 << 30
"""The memory limit of the process, in bytes: a runaway grammar must not exhaust the machine's memory."""


def main() -> None:
    """Answers requests until the end of the input."""
    # Ctrl-C reaches every process of a terminal. The parent process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    try:
        ParsedText("", "json")  # Loads the grammars before the first request.
    except ImportError:
        _write("unavailable")
        return
    _write("ready")
    for line in sys.stdin.buffer:
        _answer(json.loads(line))


def _answer(request: dict[str, Any]) -> None:
    language = request["language"]
    match request.get("query"):
        case "required_words":
            for pattern in request["patterns"]:
                _write(_result_without_panic(partial(required_words, pattern, language)) or ())
            return
        case "shapes":
            for pattern in request["patterns"]:
                _write(_result_without_panic(partial(shape_of, pattern, language)) or PatternShape.UNKNOWN)
            return
    parsed = ParsedText(request["text"], language)
    _write("parsed")
    for pattern in request["patterns"]:
        matches = _result_without_panic(partial(parsed.find_all, pattern, request["limit"])) or ()
        _write([[span.start, span.end] for span in matches])


def _result_without_panic(work: Callable[[], _Answer]) -> _Answer | None:
    try:
        return work()
    except BaseException as error:  # The package's panics derive from BaseException directly.
        if isinstance(error, Exception | KeyboardInterrupt | SystemExit):
            raise
        return None


def _write(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # Not every system has such limits.
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    main()
