"""The open hook sessions of all agents. A session is opened at its first call and closed when it is long unused."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from ttsr_ls import __version__
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS
from ttsr_ls.bridge.agent_hooks.hook_call import HookAnswer, HookCall, HookKind
from ttsr_ls.bridge.agent_hooks.hook_judge import HookJudge
from ttsr_ls.bridge.agent_hooks.hook_session import HookSession
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.bridge.watch.notifying_log import NotifyingLog
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.prewarming import prewarming_text
from ttsr_ls.bridge.watch.session_noise import session_noise, session_noise_gate
from ttsr_ls.errors import UsageError
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.collector import SessionFreezer
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.hooks.contract import PendingInjection
from ttsr_ls.session.lifecycle.noise_budget import NoiseBudget
from ttsr_ls.store.files.bounded_file import read_edited_text
from ttsr_ls.store.log.reader import Header
from ttsr_ls.store.log.session_dirs import (
    is_being_written,
    session_file,
    session_files,
    state_home,
    workspace_folder,
    workspace_root,
)
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog
from ttsr_ls.store.open_hook_sessions import OpenHookSession
from ttsr_ls.store.proxied_sessions import PROXY_VARIABLE

MAX_SESSIONS = 200
"""How many sessions are open at once; of more, the one that was unused for longest is closed."""


def _ignore(_: tuple[OpenHookSession, ...]) -> None:
    """Nobody is told."""


class HookResult(Struct, frozen=True):
    """The answer to a hook call, and the message for the user."""

    answer: HookAnswer
    notices: list[Notice]
    warning: str = ""


class _Open:
    """An open session. Its lock makes calls of one session follow each other."""

    __slots__ = ("is_proxy_checked", "judge", "lock", "log", "logs", "rules", "session", "workspace")

    def __init__(
        self,
        session: HookSession,
        rules: ReloadingRules,
        log: TurnLog | NullLog,
        judge: HookJudge | None,
        workspace: str,
    ) -> None:
        self.workspace = workspace
        self.logs = workspace_folder(state_home(os.environ, Path.home()), Path(workspace))
        self.is_proxy_checked = False
        self.judge = judge
        self.session = session
        self.rules = rules
        self.log = log
        self.lock = threading.Lock()


class HookSessions:
    """All open sessions. `told` is called with a message for the user if a session cannot be opened."""

    def __init__(
        self, agents: frozenset[str], report: Callable[[str], None], check_after: float, judge: Judge | None = None
    ) -> None:
        self._judge = judge
        self._check_after = check_after
        self._agents = agents
        self._report = report
        self._home = Path.home()
        self._sessions: OrderedDict[tuple[str, str, str], _Open] = OrderedDict()
        self._lock = threading.Lock()
        self._freezer = SessionFreezer()
        self._ast_search = AstProcess()
        self.on_change: Callable[[tuple[OpenHookSession, ...]], None] = _ignore
        """Called with all open sessions when one was opened or closed; not when all are closed at the end."""

    def __len__(self) -> int:
        return len(self._sessions)

    def decide(self, agent: str, call: HookCall) -> HookResult:
        """Returns the answer to a hook call of `agent`. Raises UsageError for a call without a session or folder."""
        session = self._opened(agent, call)
        now = time.time_ns() // 1_000_000
        with session.lock:
            notices: list[Notice] = []
            if session.rules.has_changed(time.monotonic()):
                if session.judge is not None:
                    session.judge.replace_rules(session.rules)
                notices += session.session.replace_rules(session.rules.rules_for, session.rules.settings, now)
                self._freezer.add_unneeded()
            warning = _proxy_warning(session, agent, call)
            answer, more = session.session.decide(call, now)
        if call.kind is HookKind.SESSION_ENDED:
            self._close((agent, call.session, call.cwd))
        return HookResult(answer, [*notices, *more], warning)

    async def judge(self, agent: str, call: HookCall) -> str:
        """Returns the message that wakes the agent after the judge found a rule broken by a call's output; else blank.

        Raises UsageError for a call without a session or folder.
        """
        session = await asyncio.to_thread(self._opened, agent, call)
        if session.judge is None:
            return ""

        def commit(injection: PendingInjection) -> bool:
            with session.lock:
                return session.session.warn(injection, time.time_ns() // 1_000_000)

        return await session.judge.warning(call, commit)

    def close(self) -> None:
        """Closes all sessions."""
        self.on_change = _ignore
        for key in list(self._sessions):
            self._close(key)
        self._ast_search.close()

    def _opened(self, agent: str, call: HookCall) -> _Open:
        if agent not in self._agents:
            raise UsageError(f"no agent is called {agent}")
        if not call.session or not Path(call.cwd).is_absolute():
            raise UsageError("the call names no session, or no absolute folder")
        key = (agent, call.session, call.cwd)
        with self._lock:
            session = self._sessions.get(key)
            if session is None:
                session = self._sessions[key] = self._open(agent, call)
                self._changed()
            self._sessions.move_to_end(key)
            oldest = next(iter(self._sessions)) if len(self._sessions) > MAX_SESSIONS else None
        if oldest is not None:
            self._close(oldest)
        return session

    def _close(self, key: tuple[str, str, str]) -> None:
        with self._lock:
            session = self._sessions.pop(key, None)
            if session is None:
                return
            self._freezer.add_unneeded()
            self._changed()
        with session.lock:
            session.session.close(time.time_ns() // 1_000_000)
            if isinstance(session.log, TurnLog):
                session.log.close()

    def _changed(self) -> None:
        sessions = (OpenHookSession(key[0], key[1], session.workspace) for key, session in self._sessions.items())
        try:
            self.on_change(tuple(sessions))
        except OSError as error:
            self._report(f"editors do not see which sessions are open: {error}")

    def _open(self, agent: str, call: HookCall) -> _Open:
        cwd = Path(call.cwd)
        rules = ReloadingRules(cwd, self._home, os.environ, time.monotonic(), self._check_after)
        log = self._log(agent, call.session, cwd)
        judge, budget = None, NoiseBudget()
        if self._judge is not None:
            gate = session_noise_gate(
                log, cwd, self._home, lambda: time.time_ns() // 1_000_000, budget, (call.session,)
            )
            judge = HookJudge(self._judge, rules, cwd, self._home, self._report, self._ast_search, gate)
        observer = Observer(
            rules.rules_for,
            log if judge is None else NotifyingLog(log, judge.evolve),
            settings=rules.settings,
            matching=Matching.STABLE,
            ast_search=self._ast_search,
            file_text=partial(read_edited_text, cwd),
            noise_limits=session_noise(log, cwd, state_home(os.environ, self._home)),
            budget=budget,
        )
        open_session = rules.rules_for(MAIN_AGENT)
        observer.prewarm(prewarming_text(open_session.rules))
        self._freezer.freeze(len(self._sessions))
        can_ask = CONTRACTS[agent].can_ask
        session = HookSession(observer, call.session, cwd, self._home, rules.settings, can_ask=can_ask, budget=budget)
        return _Open(session, rules, log, judge, str(workspace_root(cwd)))

    def _log(self, agent: str, session: str, cwd: Path) -> TurnLog | NullLog:
        now = time.time_ns() // 1_000_000
        workspace = workspace_root(cwd)
        path = session_file(workspace_folder(state_home(os.environ, self._home), workspace), now, session)
        try:
            return TurnLog.open(path, Header(path.stem, agent, str(workspace), now, f"ttsr-ls {__version__}"))
        except LogWriteError as error:
            self._report(f"session {session} of {agent} is not recorded: {error}")
            return NullLog()


def _proxy_warning(session: _Open, agent: str, call: HookCall) -> str:
    """Returns a warning at the first tool call if a proxy enforces rules in the session, too; else blank."""
    if session.is_proxy_checked or call.kind is not HookKind.BEFORE_TOOL:
        return ""
    session.is_proxy_checked = True
    # The log of the proxy has the name that `proxy.serving.open_sessions` gives it.
    suffix = session_file(session.logs, 0, f"proxy-{call.session}").name.partition("-")[2]
    if not any(
        path.name.partition("-")[2] == suffix and is_being_written(path) for path in session_files(session.logs)
    ):
        return ""
    return (
        "a proxy enforces rules in this session as well, so they count twice; set "
        f"{PROXY_VARIABLE}={agent} in the environment of the agent"
    )
