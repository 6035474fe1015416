"""Runs `acp`: relays between an editor and its agent, and reports."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path, PurePath

from ttsr_ls import __version__
from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.bridge.control.acp.relay import AcpRelay, RelayedSession
from ttsr_ls.bridge.control.acp.relaying import relay
from ttsr_ls.bridge.control.drivers.gemini import relayed_driver
from ttsr_ls.bridge.control.transports.agent_process import AgentProcess
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.output import write_bytes
from ttsr_ls.cli.run.relayed_sessions import RelayedSessions
from ttsr_ls.cli.run.screen import RunScreen
from ttsr_ls.errors import UsageError


def run_relay(args: argparse.Namespace) -> int:
    """Relays until the editor closes the connection. Raises UsageError where the agent cannot be started."""
    if not args.arguments:
        raise UsageError("name the agent after --, as in: ttsr-ls acp -- gemini --acp")
    program = shutil.which(args.arguments[0])
    if program is None:
        name = args.arguments[0]
        reason = "there is no such program" if "/" in name else "it is not on the PATH"
        raise UsageError(f"cannot run {name}: {reason}")
    screen = RunScreen(sys.stderr, sys.stderr, Path.cwd(), epoch_ms())
    with ExitStack() as stack:
        show = screen.show_rules  # The editor shows the agent's output.
        sessions = RelayedSessions("acp", named_folders(args), not args.no_log, show, screen.report_not_recorded, stack)

        def open_session(identity: str, cwd: PurePath) -> RelayedSession:
            driver = relayed_driver(connection.agent_name, cwd, __version__)
            return RelayedSession(driver, sessions.open(identity, cwd, driver, AcpAdapter(cwd)))

        agent = AgentProcess([program, *args.arguments[1:]], Path.cwd(), os.environ)
        connection = AcpRelay(open_session)
        end = asyncio.run(relay(connection, agent, write_bytes, show, sessions.check))
    if end.signal is not None:
        return 128 + end.signal
    status = end.status
    if not status:
        return ExitCode.OK
    screen.agent_ended(status, agent.stderr_tail)
    # 128 + the number of a signal, as in shells, for an agent that a signal ended.
    return status if status > 0 else 128 - status
