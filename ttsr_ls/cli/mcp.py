"""`ttsr-ls mcp`: offers the task list to an agent, as an MCP server on standard input and output."""

from __future__ import annotations

import argparse
import os
import signal
import time
from pathlib import Path

from ttsr_ls import __version__
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.output import write_error
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log_reader import Header
from ttsr_ls.store.session_dirs import state_home, workspace_folder, workspace_root
from ttsr_ls.store.turn_log import LogBusyError

LOG_NAME = "tasks.jsonl"
"""The log of a workspace's list. No session's log is called so: the list outlives sessions, and is not cleared away."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `mcp`."""
    parser.add_argument("--log", type=Path, metavar="FILE", help="the session log that keeps the tasks")
    parser.add_argument("--cwd", type=Path, help="the folder whose tasks they are, where not the current one")


def run(args: argparse.Namespace) -> int:
    """Serves until the client is gone. Raises UsageError without the mcp package, LogWriteError without a log."""
    try:
        from ttsr_ls.bridge.mcp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise UsageError("mcp needs the package of that name; install it with: pip install 'ttsr-ls[mcp]'") from error
    from ttsr_ls.bridge.mcp.kept_tasks import KeptTasks

    workspace = workspace_root(Path.cwd() if args.cwd is None else args.cwd)
    path: Path = args.log or workspace_folder(state_home(os.environ, Path.home()), workspace) / LOG_NAME
    header = Header(path.stem, "mcp", str(workspace), _now(), f"ttsr-ls {__version__}")
    try:
        kept = KeptTasks.open(path, header, _now)
    except LogBusyError as error:
        raise LogBusyError(
            f"{error}, so its tasks are taken; give this server a list of its own with --log FILE"
        ) from None
    with kept as tasks:
        for problem in tasks.problems:
            write_error(f"{path}: {problem.message}")
        # Python's handler would wait for the thread that reads our input, which the client may never close. What counts
        # is on disk already.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        serve(tasks, __version__)
    return ExitCode.OK


def _now() -> int:
    return time.time_ns() // 1_000_000
