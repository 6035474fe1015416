"""`ttsr-ls mcp`: offers the task list to an agent, as an MCP server on standard input and output."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ttsr_ls import __version__
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.cli.argument_types import path_argument
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.log_arguments import add_strict_argument, on_log_failure
from ttsr_ls.cli.named_folders import add_cwd_argument, working_folder
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.errors import LogBusyError, LogNotUnderstoodError, LogWriteError
from ttsr_ls.store.log.header import Header, new_header
from ttsr_ls.store.log.session_dirs import state_home, workspace_folder, workspace_root

if TYPE_CHECKING:
    from ttsr_ls.bridge.mcp.stored_tasks import StoredTasks

LOG_NAME = "tasks.jsonl"
"""The log of a workspace's task list. Session logs have other names: the list outlives sessions and is not pruned."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `mcp`."""
    add_examples(parser, "[options]", ("mcp", "as the command of a server in an agent's MCP settings"))
    parser.add_argument(
        "--log",
        type=path_argument,
        metavar="FILE",
        help="the session log that stores the tasks (default: one for each project)",
    )
    add_strict_argument(parser)
    add_cwd_argument(parser, "the folder that the tasks belong to")


def run(args: argparse.Namespace) -> int:
    """Serves until the client is gone.

    Raises UsageError without the mcp package, LogWriteError where the log cannot be used.
    """
    try:
        from ttsr_ls.bridge.mcp.server import serve_task_list
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise UsageError("mcp needs the package of that name; install it with: pip install 'ttsr-ls[mcp]'") from error

    workspace = workspace_root(working_folder(args))
    path: Path = args.log or workspace_folder(state_home(os.environ, Path.home()), workspace) / LOG_NAME
    header = new_header(path, "mcp", workspace, epoch_ms())
    with _kept(args, path, header) as tasks:
        for problem in tasks.problems:
            write_error(f"{path}: {problem.message}")
        # Python's handler would wait for the thread that reads standard input, which the client may never close. All
        # changes are on disk already.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        serve_task_list(tasks, __version__, _stop)
        if tasks.refused:
            changes = "change of tasks was" if tasks.refused == 1 else "changes of tasks were"
            write_error(f"{tasks.refused} {changes} refused, because the session log {path} could not be written")
    return ExitCode.OK


def _kept(args: argparse.Namespace, path: Path, header: Header) -> StoredTasks:
    """Opens the stored tasks; in memory if the default log cannot be opened. Raises LogWriteError."""
    from ttsr_ls.bridge.mcp.stored_tasks import StoredTasks

    try:
        return StoredTasks.open(path, header, epoch_ms, on_log_failure(args))
    except LogBusyError:
        raise LogBusyError(
            f"another process is writing the session log {path}, so this server cannot use its tasks; "
            "give it a list of its own with --log FILE"
        ) from None
    except LogNotUnderstoodError:
        raise
    except LogWriteError as error:
        if args.strict or args.log is not None:
            raise
        write_error(f"the tasks are kept in memory, and lost when this server ends: {error}")
        return StoredTasks.in_memory(epoch_ms)


def _stop(error: LogWriteError) -> NoReturn:
    """Ends the program: the client sees that the server is gone."""
    write_error(str(error))
    sys.stderr.flush()
    os._exit(ExitCode.USAGE)
