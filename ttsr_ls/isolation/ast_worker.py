"""The process that parses: `python -m ttsr_ls.isolation.ast_worker`, started by `ast_process` and by nobody else.

Reads requests and writes answers as JSON lines: `"ready"` once, or `"unavailable"`; then for each request
`{"text", "language", "patterns", "most"}` first `"parsed"` and then one answer a pattern: a list of at most `most`
places, each `[start, end]`. For a request with `"ask"` instead of a text there is one answer a pattern: the list of its
`needs`, or its shape. The reader knows by that what the process was doing when it hung or crashed. It ends when its
input does.
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
"""What the process may allocate, in bytes: a grammar that runs away must not take the machine along."""


def main() -> None:
    """Answers until there are no more requests."""
    # Ctrl-C reaches every process of a terminal; what that means is for the one that was started there to decide.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    try:
        ParsedText("", "json")  # So that the first request does not pay for loading the grammars.
    except ImportError:
        _say("unavailable")
        return
    _say("ready")
    for line in sys.stdin.buffer:
        _answer(json.loads(line))


def _answer(request: dict[str, Any]) -> None:
    language = request["language"]
    match request.get("ask"):
        case "needs":
            for pattern in request["patterns"]:
                _say(_unless_it_panics(partial(required_words, pattern, language)) or ())
            return
        case "shapes":
            for pattern in request["patterns"]:
                _say(_unless_it_panics(partial(shape_of, pattern, language)) or PatternShape.UNKNOWN)
            return
    parsed = ParsedText(request["text"], language)
    _say("parsed")
    for pattern in request["patterns"]:
        places = _unless_it_panics(partial(parsed.find_all, pattern, request["most"])) or ()
        _say([[place.start, place.end] for place in places])


def _unless_it_panics(work: Callable[[], _Answer]) -> _Answer | None:
    try:
        return work()
    except BaseException as error:  # A panic in the package is none of its subclasses.
        if isinstance(error, Exception | KeyboardInterrupt | SystemExit):
            raise
        return None


def _say(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # Not every system has such limits.
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    main()
