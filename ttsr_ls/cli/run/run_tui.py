"""Runs Codex with its own terminal interface, and enforces rules between that and the app server."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path, PurePath

from ttsr_ls import __version__
from ttsr_ls.bridge.adapters.codex.app_server import CodexAppServerAdapter
from ttsr_ls.bridge.control.codex_tui.relay import CodexTuiRelay, TuiThread
from ttsr_ls.bridge.control.codex_tui.serving import TuiCommand, TuiResult, TuiServer
from ttsr_ls.bridge.control.drivers.codex_tui import CodexTuiDriver
from ttsr_ls.bridge.control.running import RunResult
from ttsr_ls.bridge.control.transports.agent_process import AgentFailedError
from ttsr_ls.bridge.control.views import AgentLimit, AgentTrouble, RunView
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.cli.run.codex_trust import CodexTrust
from ttsr_ls.cli.run.relayed_sessions import RelayedSessions
from ttsr_ls.cli.run.screen import RunScreen
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.proxied_sessions import RUN_VARIABLE, assign_session, proxy_environ

_SETTINGS = ("-c", "--config", "--enable", "--disable")
"""The options of Codex that its app server accepts, too; each has a value."""
_MAX_HELD = 1_000


def run_tui(args: argparse.Namespace, program: str, cwd: Path) -> int:
    """Runs until the user leaves Codex; returns its exit status. Raises UsageError if it cannot be started."""
    if args.log is not None:
        raise UsageError("--log needs --prompt: in its own interface, Codex may open several sessions; each has a log")
    screen = RunScreen(sys.stdout, sys.stderr, cwd, epoch_ms())
    # While the interface has the terminal, nothing else may print.
    pending_views: list[RunView] = []
    problems: list[str] = []
    opened: list[str] = []

    def hold(view: RunView) -> None:
        if len(pending_views) < _MAX_HELD:
            pending_views.append(view)

    proxied = proxy_environ("codex")
    state = state_home(os.environ, Path.home())
    with ExitStack() as stack:
        sessions = RelayedSessions("codex", named_folders(args), not args.no_log, hold, problems.append, stack)

        def open_thread(identity: str, folder: PurePath) -> TuiThread:
            opened.append(identity)
            try:
                assign_session(state, proxied[RUN_VARIABLE], identity)
            except OSError as error:
                hold(AgentTrouble(f"Hooks may enforce this session, too: {error.strerror}: {error.filename}."))
            driver = CodexTuiDriver(folder, __version__)
            return TuiThread(driver, sessions.open(identity, folder, driver, CodexAppServerAdapter(folder)))

        environ = {**os.environ, **proxied}  # Makes installed hooks of Codex leave the enforcement to this run.
        command = TuiCommand(program, args.arguments, _settings_of(args.arguments), cwd, environ)
        trust = CodexTrust(Path.home(), os.environ)
        server = TuiServer(command, lambda: CodexTuiRelay(open_thread), hold, sessions.check)
        try:
            result = asyncio.run(server.run())
        except AgentFailedError as error:
            raise UsageError(str(error)) from error
    if opened:
        # The command that Codex itself prints has the address of our server, which has ended.
        write_error(f"continue with: ttsr-ls run codex -- resume {opened[-1]}")
    for reason in dict.fromkeys(problems):
        screen.report_not_recorded(reason)
    for view in pending_views:
        screen.show_rules(view)
    if message := trust.message():
        screen.show(AgentLimit(message))
    return _status(result, screen)


def _status(result: TuiResult, screen: RunScreen) -> int:
    if not result.has_connected and result.status:
        write_error(
            "Codex did not connect through ttsr-ls; `ttsr-ls run codex --proxy` enforces rules between "
            "Codex and its model instead, in any version of Codex"
        )
    screen.end(RunResult(None, None, None, False))
    return result.status if result.status >= 0 else ExitCode.INTERRUPTED


def _settings_of(arguments: Sequence[str]) -> list[str]:
    """The user's arguments that the app server gets, too."""
    kept: list[str] = []
    upcoming = iter(arguments)
    for argument in upcoming:
        if argument in _SETTINGS:
            kept += [argument, next(upcoming, "")]
        elif argument.startswith(("-c", *(f"{name}=" for name in _SETTINGS))):
            kept.append(argument)
    return kept
