"""The session log of `ttsr-ls agent`: the named file, a new file in the folder that editors read, or none."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ttsr_ls.bridge.host.clock import Clock
from ttsr_ls.bridge.host.logs import OpenLog, memory_log, open_log
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.cli.watch import log_messages
from ttsr_ls.cli.watch.observing import new_session_log
from ttsr_ls.store.log.errors import LogWriteError


class AgentLog:
    """The log of one run. `is_missing`: a log was requested but could not be opened."""

    def __init__(self, log: OpenLog, write_line: Callable[[str], None], *, is_missing: bool) -> None:
        self.opened = log
        self._write_line = write_line
        self._is_missing = is_missing

    def report_unwritten_records(self) -> None:
        """Prints at the end how much of the session was not recorded, unless that was requested."""
        if self._is_missing and isinstance(self.opened.log, NullLog):
            self._write_line(log_messages.lost_records_message(self.opened.log.count))


def open_agent_log(args: argparse.Namespace, folder: Path, write_line: Callable[[str], None]) -> AgentLog:
    """Opens the log that the arguments select. `write_line` shows a message to the user.

    Raises LogWriteError where a log that was named cannot be opened, and with `--strict` for any.
    """
    if args.no_log:
        return AgentLog(memory_log(), write_line, is_missing=False)
    file_path: Path | None = args.resume or args.log
    try:
        path = new_session_log(folder) if file_path is None else file_path
        return AgentLog(open_log(path, folder, Clock().now()), write_line, is_missing=False)
    except LogWriteError as error:
        if file_path is not None or args.strict:
            raise
        write_line(log_messages.not_recorded_message(str(error)))
        return AgentLog(memory_log(), write_line, is_missing=True)
