"""The open hook sessions of all agents: opened at their first call, and closed as the least recently used ones."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

from msgspec import Struct

from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS
from ttsr_ls.bridge.agent_hooks.copilot_transcript import with_last_answer
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, HookAnswer, HookCall, HookKind
from ttsr_ls.bridge.agent_hooks.hook_judge import HookJudge
from ttsr_ls.bridge.agent_hooks.hook_project import HookProject
from ttsr_ls.bridge.agent_hooks.hook_session import HookSession
from ttsr_ls.bridge.agent_hooks.proxy_warning import proxy_warning
from ttsr_ls.bridge.agent_hooks.session_recording import SessionRecording
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.bridge.watch.notifying_log import NotifyingLog
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.prewarming import prewarming_text
from ttsr_ls.bridge.watch.session_noise import session_noise, session_noise_gate
from ttsr_ls.errors import UsageError
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.collector import SessionFreezer
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.hooks.contract import PendingInjection
from ttsr_ls.session.lifecycle.noise_budget import NoiseBudget
from ttsr_ls.store.files.bounded_file import read_edited_text
from ttsr_ls.store.log.session_dirs import state_home, workspace_root
from ttsr_ls.store.open_hook_sessions import OpenHookSession

_Key = tuple[str, str, str]
"""The agent, its session, and its folder."""

MAX_SESSIONS = 200
"""The most sessions that are open at once. Beyond it the least recently used one is closed."""
_RECENT = 60.0
"""How long rule files are checked between calls after the last call of a project, in seconds."""
_MAX_KEPT = 4
"""How many projects keep the state that their sessions share after the last one is closed."""


class HookResult(Struct, frozen=True):
    """The answer to a hook call, and the message for the user."""

    answer: HookAnswer
    notices: list[Notice]
    warning: str = ""


class _Open(Struct, eq=False):
    """An open session."""

    session: HookSession
    rules: ReloadingRules
    version: int
    """The version of the rules that the session has."""
    recording: SessionRecording
    judge: HookJudge | None
    workspace: str
    is_proxy_checked: bool = False


class _Slot(Struct, eq=False):
    """A session from its first call on, also while it is being opened. Guarded by the lock of the project."""

    project: HookProject
    opened: _Open | None = None
    is_closed: bool = False


class HookSessions:
    """All open sessions. `report` is called with a message for the user if a session cannot be opened."""

    def __init__(
        self, agents: frozenset[str], report: Callable[[str], None], check_after: float, judge: Judge | None = None
    ) -> None:
        self._judge = judge
        self._check_after = check_after
        self._agents = agents
        self._report = report
        self._home = Path.home()
        self._sessions: OrderedDict[_Key, _Slot] = OrderedDict()
        self._projects: WeakValueDictionary[str, HookProject] = WeakValueDictionary()
        """The projects of open sessions, and recent ones, by folder."""
        self._recent: deque[HookProject] = deque(maxlen=_MAX_KEPT)
        self._lock = threading.Lock()
        """Guards the tables. Never held while a session is opened or called, so that other projects do not wait."""
        self._freezer = SessionFreezer()
        self._ast_search = AstProcess()
        self.on_change: Callable[[tuple[OpenHookSession, ...]], None] = lambda _: None
        """Called with all open sessions when one was opened or closed; not when all are closed at the end."""

    def __len__(self) -> int:
        return len(self._sessions)

    def decide(self, agent: str, call: HookCall) -> HookResult:
        """Returns the answer to a hook call of `agent`. Raises UsageError for a call without a session or folder."""
        call = with_last_answer(call)
        if call.kind is HookKind.SESSION_ENDED and self._key(agent, call) not in self._sessions:
            return HookResult(Allowed(), [])  # Hooks that are installed twice end a session twice.
        with self._held(agent, call) as (opened, project):
            now = epoch_ms()
            notices: list[Notice] = []
            project.called = time.monotonic()
            project.reload(at_once=False)
            if opened.version != opened.rules.version:
                opened.version = opened.rules.version
                if opened.judge is not None:
                    opened.judge.replace_rules(opened.rules)
                notices += opened.session.replace_rules(opened.rules.rules_for, opened.rules.settings, now)
                self._freezer.count_discarded()
            warning = ""
            if call.kind is HookKind.BEFORE_TOOL and not opened.is_proxy_checked:
                opened.is_proxy_checked = True
                warning = proxy_warning(agent, call.session, opened.workspace)
            answer, more = opened.session.decide(call, now)
            opened.recording.sync()
            warning = " ".join(filter(None, [warning, opened.recording.take_problem()]))
        if call.kind is HookKind.SESSION_ENDED:
            self._close(self._key(agent, call))
        return HookResult(answer, [*notices, *more], warning)

    def check_rules(self) -> bool:
        """Reloads changed rule files of projects with recent calls, so that their next calls need not check the disk.
        Returns whether there are such projects."""
        now = time.monotonic()
        with self._lock:
            recent = [project for project in self._projects.values() if now - project.called < _RECENT]
        for project in recent:
            # A call that holds the lock has just checked the disk, or the next call does.
            if project.lock.acquire(blocking=False):
                try:
                    project.reload(at_once=True)
                finally:
                    project.lock.release()
        return bool(recent)

    async def judge(self, agent: str, call: HookCall) -> str:
        """Returns the message that wakes the agent after the judge found a rule broken by a call's output; else blank.

        Raises UsageError for a call without a session or folder.
        """
        judge = await asyncio.to_thread(self._judge_of, agent, call)
        if judge is None:
            return ""

        def commit(injection: PendingInjection) -> bool:
            with self._held(agent, call) as (opened, _):
                is_recorded = opened.session.warn(injection, epoch_ms())
                opened.recording.sync()
                return is_recorded

        return await judge.warning(call, commit)

    def _judge_of(self, agent: str, call: HookCall) -> HookJudge | None:
        with self._held(agent, call) as (opened, _):
            return opened.judge

    def close(self) -> None:
        """Closes all sessions."""
        self.on_change = lambda _: None
        for key in list(self._sessions):
            self._close(key)
        self._ast_search.close()

    @contextmanager
    def _held(self, agent: str, call: HookCall) -> Iterator[tuple[_Open, HookProject]]:
        """Opens the session of a call if needed, and holds the lock of its project."""
        while True:
            slot = self._slot(agent, call)
            with slot.project.lock:
                if slot.is_closed:  # Another thread closed it meanwhile, because too many sessions were open.
                    continue
                if slot.opened is None:
                    slot.opened = self._open(agent, call, slot.project)
                    with self._lock:
                        self._changed()
                yield slot.opened, slot.project
                return

    def _key(self, agent: str, call: HookCall) -> _Key:
        if agent not in self._agents:
            raise UsageError(f"no agent is called {agent}")
        if not call.session or not Path(call.cwd).is_absolute():
            raise UsageError("the call names no session, or no absolute folder")
        return (agent, call.session, call.cwd)

    def _slot(self, agent: str, call: HookCall) -> _Slot:
        key = self._key(agent, call)
        with self._lock:
            slot = self._sessions.get(key)
            if slot is None:
                slot = self._sessions[key] = _Slot(self._project(call.cwd))
            self._sessions.move_to_end(key)
            oldest = next(iter(self._sessions)) if len(self._sessions) > MAX_SESSIONS else None
        if oldest is not None:
            self._close(oldest)
        return slot

    def _project(self, folder: str) -> HookProject:
        project = self._projects.get(folder)
        if project is None:
            project = self._projects[folder] = HookProject()
            self._recent.append(project)
        return project

    def _close(self, key: _Key) -> None:
        with self._lock:
            slot = self._sessions.pop(key, None)
            if slot is None:
                return
            self._freezer.count_discarded()
            self._changed()
        with slot.project.lock:
            slot.is_closed = True
            if slot.opened is not None:
                slot.opened.session.close(epoch_ms())
                slot.opened.recording.close()

    def _changed(self) -> None:
        sessions = [
            OpenHookSession(key[0], key[1], slot.opened.workspace)
            for key, slot in self._sessions.items()
            if slot.opened is not None
        ]
        try:
            self.on_change(tuple(sessions))
        except OSError as error:
            self._report(f"editors do not see which sessions are open: {error}")

    def _open(self, agent: str, call: HookCall, project: HookProject) -> _Open:
        cwd = Path(call.cwd)
        rules = self._rules_of(project, cwd)
        recording = SessionRecording(agent, call.session, cwd, state_home(os.environ, self._home))
        log = recording.log
        judge, budget = None, NoiseBudget()
        if self._judge is not None:
            gate = session_noise_gate(log, cwd, self._home, epoch_ms, budget, (call.session,))
            judge = HookJudge(self._judge, rules, cwd, self._home, self._report, self._ast_search, gate)
        observer = Observer(
            rules.rules_for,
            recording if judge is None else NotifyingLog(recording, judge.evolve),
            settings=rules.settings,
            matching=Matching.STABLE,
            ast_search=self._ast_search,
            matchers=MatcherCache(project.matching),
            file_text=partial(read_edited_text, cwd),
            noise_limits=session_noise(log, cwd, state_home(os.environ, self._home)),
            budget=budget,
        )
        for fired_agent, fired_rules in recording.fired_before.items():
            observer.mark_injected(fired_rules, fired_agent)
        observer.prewarm(prewarming_text(rules.rules_for(MAIN_AGENT).rules))
        self._freezer.freeze(len(self._sessions))
        can_ask = CONTRACTS[agent].can_ask
        session = HookSession(observer, call.session, cwd, self._home, rules.settings, can_ask=can_ask, budget=budget)
        return _Open(session, rules, rules.version, recording, judge, str(workspace_root(cwd)))

    def _rules_of(self, project: HookProject, cwd: Path) -> ReloadingRules:
        if project.rules is None:
            project.rules = ReloadingRules(cwd, self._home, os.environ, time.monotonic(), self._check_after)
        else:
            project.reload(at_once=True)
        return project.rules
