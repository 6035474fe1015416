"""The log of a session: a file, new or one to be taken up again, or nothing but memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from ttsr_ls import __version__
from ttsr_ls.bridge.no_log import NoLog
from ttsr_ls.bridge.observer import EventLog
from ttsr_ls.engine.turn_events import TurnEvent
from ttsr_ls.store.log_reader import Header
from ttsr_ls.store.turn_log import TurnLog

AGENT = "ttsr-ls"
"""Whose sessions these are, in the headers of logs."""


class OpenLog(Struct, frozen=True):
    """A log with what it held when it was opened; `problems` says in full sentences what is wrong with it."""

    log: EventLog
    events: tuple[TurnEvent, ...]
    problems: tuple[str, ...]
    close: Callable[[], None]


def open_log(path: Path, workspace: Path, now: int) -> OpenLog:
    """The log in a file, which is made where there is none. Raises LogWriteError."""
    header = Header(path.stem, AGENT, str(workspace), now, f"ttsr-ls {__version__}")
    log, content = TurnLog.open_with_content(path, header)
    events = tuple(record.event for record in content.records)
    return OpenLog(log, events, tuple(problem.message for problem in content.problems), log.close)


def log_in_memory() -> OpenLog:
    """A log that ends with the program."""
    return OpenLog(NoLog(), (), (), lambda: None)
