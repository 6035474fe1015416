"""`ttsr-ls agent`: a small complete agent whose session has rules, tasks and a log."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.log_arguments import add_strict_argument
from ttsr_ls.cli.named_folders import add_rules_argument, named_folders
from ttsr_ls.errors import UsageError

if TYPE_CHECKING:
    from ttsr_ls.cli.agent.agent_run import AgentRun


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `agent`."""
    from ttsr_ls.cli.agent.models import add_model_arguments

    parser.add_argument(
        "-p",
        "--prompt",
        action="append",
        default=[],
        help="the prompt of a turn; may be repeated for several turns (default: prompts are read from standard input)",
    )
    parser.add_argument("--cwd", type=Path, help="the folder to work in (default: the current one)")
    parser.add_argument("--yes", action="store_true", help="run commands without asking")
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="show injected messages in full, and the tokens that each turn used",
    )
    add_rules_argument(parser)
    log = parser.add_mutually_exclusive_group()
    log.add_argument("--log", type=Path, metavar="FILE", help="the session log to write or to continue")
    log.add_argument(
        "--continue", dest="resume", type=Path, metavar="FILE", help="the session log to continue; it must exist"
    )
    log.add_argument(
        "--no-log", action="store_true", help="write no session log; editors cannot follow the session then"
    )
    add_strict_argument(parser)
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Works until there is nothing more to do. Raises UsageError where the arguments make no sense."""
    from ttsr_ls.cli.agent.agent_run import prepared

    if args.resume is not None and not args.resume.is_file():
        raise UsageError(f"there is no session log {args.resume}")
    return asyncio.run(_run(prepared(args, named_folders(args))))


async def _run(run: AgentRun) -> int:
    """Runs with Ctrl-C cutting off the answer, and a second one ending it all."""
    loop, me = asyncio.get_running_loop(), asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"

    def interrupted() -> None:
        if not run.interrupt():
            me.cancel()

    with contextlib.suppress(NotImplementedError):  # On Windows Ctrl-C ends it all.
        loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        return await run.work()
    except asyncio.CancelledError:
        return ExitCode.INTERRUPTED
