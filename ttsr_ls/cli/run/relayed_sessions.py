"""The sessions of a relay between an agent and its interface, each with rules of its folder and a log."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path, PurePath

from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.driver import AgentDriver
from ttsr_ls.bridge.control.earlier_injections import earlier_injections
from ttsr_ls.bridge.control.injection_text import DisplayRoots
from ttsr_ls.bridge.control.views import RunView
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.prewarming import prewarming_text
from ttsr_ls.bridge.watch.session_noise import session_noise
from ttsr_ls.cli.watch.observing import new_session_log
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.collector import freeze_live_objects
from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.output.agent_events import Adapter, SessionSeen
from ttsr_ls.store.files.bounded_file import read_edited_text
from ttsr_ls.store.log.header import new_header
from ttsr_ls.store.log.session_dirs import state_home, workspace_root
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog


class RelayedSessions:
    """Opens sessions, each with its rules and log. `source` names the agent in logs.

    `show` is called with each view for the user, `no_log` with the reason if a session has no log. `stack` closes
    the opened resources.
    """

    def __init__(
        self,
        source: str,
        paths: tuple[Path, ...],
        keeps_logs: bool,
        show: Callable[[RunView], None],
        no_log: Callable[[str], None],
        stack: ExitStack,
    ) -> None:
        self._source = source
        self._named = paths
        self._keeps_logs = keeps_logs
        self._show = show
        self._no_log = no_log
        self._stack = stack
        self._ast_search = stack.enter_context(AstProcess())
        self._matching = SharedMatching(shares_searches=True)
        self._open: list[tuple[ReloadingRules, Observer, Controller]] = []

    def open(self, session: str, folder: PurePath, driver: AgentDriver, adapter: Adapter) -> Controller:
        """Opens a session in a folder; `session` is the agent's name of it."""
        cwd, home = Path(folder), Path.home()
        rules = ReloadingRules(cwd, home, os.environ, time.monotonic(), 1.0, self._named)
        log = self._log(cwd)
        observer = Observer(
            rules.rules_for,
            log,
            settings=rules.settings,
            matching=Matching.STABLE,
            ast_search=self._ast_search,
            matchers=MatcherCache(self._matching),
            file_text=partial(read_edited_text, cwd),
            noise_limits=session_noise(log, cwd, state_home(os.environ, home)),
            injected_before=earlier_injections(cwd, log).of_session,
        )
        for notice in (*observer.start(epoch_ms()), *observer.feed([SessionSeen(session, str(cwd))], epoch_ms())):
            self._show(notice)
        observer.prewarm(prewarming_text(rules.rules_for(MAIN_AGENT).rules))
        # A relay serves one editor; few sessions are closed before it ends.
        freeze_live_objects()
        controller = Controller(driver, adapter, observer, rules.settings, DisplayRoots(cwd, home))
        self._open.append((rules, observer, controller))
        return controller

    def check(self, position: int) -> list[RunView]:
        """Reads rules again whose files changed."""
        views: list[RunView] = []
        for rules, observer, controller in self._open:
            if rules.has_changed(time.monotonic()):
                controller.settings = rules.settings
                views += observer.replace_rules(rules.rules_for, rules.settings, position)
        return views

    def _log(self, cwd: Path) -> EventLog:
        if not self._keeps_logs:
            return NullLog()
        path = new_session_log(cwd)
        try:
            log = TurnLog.open(path, new_header(path, self._source, workspace_root(cwd), epoch_ms()))
        except LogWriteError as error:
            self._no_log(str(error))
            return NullLog()
        return self._stack.enter_context(log)
