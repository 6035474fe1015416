"""Runs `acp`: relays between an editor and its agent, and reports."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import time
from contextlib import ExitStack
from pathlib import Path, PurePath

from ttsr_ls import __version__
from ttsr_ls.bridge.adapters.acp import AcpAdapter
from ttsr_ls.bridge.agent_hooks.hook_rules import HookRules
from ttsr_ls.bridge.control.acp.relay import AcpRelay, RelayedSession
from ttsr_ls.bridge.control.acp.relaying import relay
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.drivers.acp import AcpDriver
from ttsr_ls.bridge.control.injection_text import ShownFrom
from ttsr_ls.bridge.control.transports.agent_process import AgentProcess
from ttsr_ls.bridge.control.views import RunView
from ttsr_ls.bridge.watch.no_log import NoLog
from ttsr_ls.bridge.watch.observer import EventLog, Observer
from ttsr_ls.bridge.watch.session_noise import session_noise
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.output import write_bytes
from ttsr_ls.cli.run.screen import RunScreen
from ttsr_ls.cli.watch.observing import new_session_log, now
from ttsr_ls.errors import UsageError
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.store.log.reader import Header
from ttsr_ls.store.log.session_dirs import state_home, workspace_root
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog


def run_relay(args: argparse.Namespace) -> int:
    """Relays until the editor closes the connection. Raises UsageError where the agent cannot be started."""
    if not args.arguments:
        raise UsageError("name the agent after --, as in: ttsr-ls acp -- gemini --acp")
    program = shutil.which(args.arguments[0])
    if program is None:
        raise UsageError(f"cannot run {args.arguments[0]}: it is not on the PATH")
    screen = RunScreen(sys.stderr, sys.stderr, Path.cwd(), now())
    with ExitStack() as stack:
        sessions = AcpSessions(named_folders(args), not args.no_log, screen, stack)
        agent = AgentProcess([program, *args.arguments[1:]], Path.cwd(), os.environ)
        status = asyncio.run(relay(AcpRelay(sessions.open), agent, write_bytes, sessions.show, sessions.check))
    if status:
        screen.agent_ended(status, agent.last_errors)
    return ExitCode.OK if not status or status < 0 else status


class AcpSessions:
    """The sessions of one connection, each with rules of its folder and a log."""

    def __init__(self, named: tuple[Path, ...], keeps_logs: bool, screen: RunScreen, stack: ExitStack) -> None:
        self._named = named
        self._keeps_logs = keeps_logs
        self._screen = screen
        self._stack = stack
        self._ast_search = stack.enter_context(AstProcess())
        self._open: list[tuple[HookRules, Observer]] = []

    def open(self, folder: PurePath) -> RelayedSession:
        """Opens a session in a folder."""
        cwd, home = Path(folder), Path.home()
        rules = HookRules(cwd, home, os.environ, time.monotonic(), 1.0, self._named)
        log = self._log(cwd)
        observer = Observer(
            rules.rules_for,
            log,
            settings=rules.settings,
            matching=Matching.STABLE,
            ast_search=self._ast_search,
            noise=session_noise(log, cwd, state_home(os.environ, home)),
        )
        for notice in observer.start(now()):
            self.show(notice)
        self._open.append((rules, observer))
        driver = AcpDriver(cwd, __version__)
        controller = Controller(driver, AcpAdapter(cwd), observer, rules.settings, ShownFrom(cwd, home))
        return RelayedSession(driver, controller)

    def show(self, view: RunView) -> None:
        """Prints what rules do; the agent's output is the editor's to show."""
        self._screen.show_rules(view)

    def check(self, at: int) -> list[RunView]:
        """Reads rules again whose files changed."""
        changed = [(rules, observer) for rules, observer in self._open if rules.has_changed(time.monotonic())]
        return [notice for rules, observer in changed for notice in observer.replace_rules(rules.rules_for, at)]

    def _log(self, cwd: Path) -> EventLog:
        if not self._keeps_logs:
            return NoLog()
        path = new_session_log(cwd)
        try:
            log = TurnLog.open(
                path, Header(path.stem, "acp", str(workspace_root(cwd)), now(), f"ttsr-ls {__version__}")
            )
        except LogWriteError as error:
            self._screen.no_log(str(error))
            return NoLog()
        return self._stack.enter_context(log)
