"""Runs `agent`: Ctrl-C interrupts an answer, and a second one ends the program."""

from __future__ import annotations

import argparse
import asyncio
import signal

from ttsr_ls.bridge.control.stop_signals import handled_signals
from ttsr_ls.cli.agent.agent_run import AgentRun, prepare_run
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.errors import UsageError


def run_agent(args: argparse.Namespace) -> int:
    """Runs the agent until there are no more prompts. Raises UsageError for arguments that contradict each other."""
    if args.resume is not None and not args.resume.is_file():
        raise UsageError(f"there is no session log {args.resume}; 'ttsr-ls sessions list' lists them")
    return asyncio.run(_run(prepare_run(args, named_folders(args))))


async def _run(run: AgentRun) -> int:
    """Runs the agent. Ctrl-C interrupts the answer; a second one ends the run, as any other signal does immediately."""
    task, ended_by = asyncio.current_task(), 0
    assert task is not None, "a coroutine runs in a task"

    def received(number: int) -> None:
        nonlocal ended_by
        if number != signal.SIGINT or not run.interrupt():
            ended_by = number
            task.cancel()

    try:
        with handled_signals(received):
            return await run.run()
    except asyncio.CancelledError:
        return ExitCode.INTERRUPTED if ended_by == signal.SIGINT else 128 + ended_by
