"""Decides whether a writer may continue a log that exists.

A writer folds the log to learn the injections, the turns, and the used numbers. If it cannot read a record, it would
repeat the action of that record, so it refuses the log; readers use the records that they can read. It also refuses
records out of order, because the order of events decides what was injected. Damage is no reason to refuse: torn
headers, torn lines and broken lines record no action.
"""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.store.log.codec import LAST_SEQUENCE
from ttsr_ls.store.log.errors import LogNotUnderstoodError, LogWriteError
from ttsr_ls.store.log.reader import LogContent, LogDecoder, LogProblemKind

_NOT_UNDERSTOOD = (LogProblemKind.UNKNOWN_FORMAT, LogProblemKind.UNKNOWN_RECORD)


def check_writable(path: Path, decoder: LogDecoder, content: LogContent) -> None:
    """Checks the log at `path`, which `decoder` read. Raises LogWriteError or LogNotUnderstoodError if it must not be
    continued."""
    if not decoder.is_log:
        raise LogWriteError(f"{path} is not a session log, so nothing is added to it; name another file")
    problem = next((problem for problem in content.problems if problem.kind in _NOT_UNDERSTOOD), None)
    if problem is not None:
        raise LogNotUnderstoodError(
            f"the session log {path} was written by another version of ttsr-ls, so nothing is added to it: "
            f"{problem.message.rstrip('.')}; update ttsr-ls to continue this log, or name another file to begin a new "
            "one"
        )
    problem = next((problem for problem in content.problems if problem.kind is LogProblemKind.DISORDER), None)
    if problem is not None:
        raise LogNotUnderstoodError(
            f"the records of the session log {path} are out of order, so nothing is added to it: "
            f'{problem.message.rstrip(".")}; put its lines in the order of "seq" to continue this log, or name another '
            "file to begin a new one"
        )
    if decoder.highest_sequence >= LAST_SEQUENCE:
        raise LogWriteError(no_number_left(path))


def no_number_left(path: Path) -> str:
    """Returns the message for a log whose last record has the highest number."""
    return (
        f"cannot write the session log {path}: its last record has the highest number that there is, {LAST_SEQUENCE}; "
        "name another file to begin a new log"
    )
