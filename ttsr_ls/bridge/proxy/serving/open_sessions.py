"""The sessions behind the proxy, opened at their first request: rules, session log, and ledger."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.proxy.ledger.ledger import Ledger
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import ProtectionFailed, ProxyNotice, ProxyRulesReplaced
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.serving.redacting_log import RedactingLog
from ttsr_ls.bridge.proxy.serving.session_features import session_features
from ttsr_ls.bridge.proxy.serving.shared_state import SharedState
from ttsr_ls.bridge.proxy.serving.stored_ledger import entries_of, entries_of_workspace
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.bridge.watch.notices import RulesReplacedNotice
from ttsr_ls.bridge.watch.notifying_log import NotifyingLog
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.prewarming import prewarming_text
from ttsr_ls.bridge.watch.session_noise import session_noise, session_noise_gate
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.collector import SessionFreezer
from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.history.turn_events import InjectionCommitted, ReminderFolded, TurnEvent
from ttsr_ls.session.lifecycle.noise_budget import NoiseBudget
from ttsr_ls.session.lifecycle.rule_state import recorded_rules
from ttsr_ls.store.log.header import new_header
from ttsr_ls.store.log.session_dirs import files_of_session, session_file, state_home, workspace_folder, workspace_root
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog

_Result = TypeVar("_Result")

MAX_SESSIONS = 500
"""The most sessions that are open at once. Beyond it the least recently used one is closed."""


class ProxyWorkspace(Struct, frozen=True):
    """The agent's name and folder, and the options of its sessions. Without `has_log`, nothing is written.

    `named` are folders with further rules; `shared` is the address of the state that several processes share. `judge`
    is the provider's name of the judge model. Without `keeps_content`, no text of a conversation is written.
    """

    agent: str
    cwd: Path
    has_log: bool = True
    named: tuple[Path, ...] = ()
    shared: str | None = None
    judge: str | None = None
    keeps_content: bool = True


class _Matching:
    """The state that the sessions of a workspace share to match their rules."""

    __slots__ = ("lock", "needs_thread", "shared")

    def __init__(self) -> None:
        self.shared = SharedMatching(shares_searches=True)
        self.lock = threading.Lock()
        """Held by a thread that matches. On the event loop, only to open a session or to replace its rules."""
        self.needs_thread = False
        """True once some session had AST conditions. From then on all sessions match in threads: what they share must
        not be used on the event loop meanwhile."""


class OpenProxySession:
    """An open session. `lock` is held during each call that uses the session, as matching may run in a thread."""

    __slots__ = ("_matching", "_rules", "_version", "lock", "log", "session")

    def __init__(
        self, session: ProxySession, rules: ReloadingRules, log: TurnLog | NullLog, matching: _Matching
    ) -> None:
        self.session = session
        self._rules = rules
        self._version = rules.version
        self._matching = matching
        self.log = log
        self.lock = threading.Lock()

    @property
    def needs_thread(self) -> bool:
        """True if matching may wait for another process, as AST conditions do, or for another session that matches."""
        matching = self._matching
        matching.needs_thread = matching.needs_thread or any(rule.ast_conditions for rule in self.session.rules)
        return matching.needs_thread

    def match(self, call: Callable[[], _Result]) -> _Result:
        """Runs a call that matches output in a thread, while no other session matches."""
        with self.lock, self._matching.lock:
            return call()

    def refresh(self, now: int) -> bool:
        """Reloads changed rules; returns whether there were any. `now` is in milliseconds since the Unix epoch."""
        with self.lock:
            if self._rules.has_changed(time.monotonic()):
                with self._matching.lock:
                    self._matching.shared.drop_unused()
            has_changed = self._version != self._rules.version
            if has_changed:
                with self._matching.lock:
                    self._replace_rules(now)
            self.session.read_shared_entries()
        return has_changed

    def _replace_rules(self, now: int) -> None:
        self._version = self._rules.version
        notices = self.session.observer.replace_rules(self._rules.rules_for, self._rules.settings, now)
        self.session.report(notices)
        for replaced in (notice for notice in notices if isinstance(notice, RulesReplacedNotice)):
            self.session.show(ProxyRulesReplaced(replaced.changes.text))
        self.session.replace_rules(self._rules.rules_for, self._rules.settings)


class ProxySessions:
    """All sessions of a workspace.

    `show` is called with each notice for the user. Without `judge`, no question is asked.
    `on_record` is called with each event that is recorded.
    """

    def __init__(
        self,
        workspace: ProxyWorkspace,
        limits: ProxyLimits,
        show: Callable[[ProxyNotice], None],
        check_after: float,
        judge: Judge | None = None,
        on_record: Callable[[TurnEvent], None] = lambda _: None,
        *,
        refuses_unparsed: bool = False,
    ) -> None:
        self._refuses_unparsed = refuses_unparsed
        self._judge = judge
        self._on_record = on_record
        self._workspace = workspace
        self._limits = limits
        self._show = show
        self._check_after = check_after
        self._home = Path.home()
        self._folder = workspace_folder(state_home(os.environ, self._home), workspace_root(workspace.cwd))
        self._sessions: OrderedDict[str, OpenProxySession] = OrderedDict()
        self._ast_search = AstProcess()
        self._matching = _Matching()
        self._rules: ReloadingRules | None = None
        self._freezer = SessionFreezer()
        self._shared = None if workspace.shared is None else SharedState(workspace.shared, self._folder.name)

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def rules(self) -> ReloadingRules:
        """The rules of the workspace, as they are now. All sessions share them."""
        workspace, now = self._workspace, time.monotonic()
        if self._rules is None:
            self._rules = ReloadingRules(workspace.cwd, self._home, os.environ, now, self._check_after, workspace.named)
        elif self._rules.has_changed(now, at_once=True):
            self._matching.shared.drop_unused()
        return self._rules

    def get_or_open(self, session: str, now: int) -> OpenProxySession:
        """Returns the session with this id and opens it if needed. `now` is in milliseconds since the Unix epoch."""
        open_proxy_session = self._sessions.get(session)
        if open_proxy_session is None:
            open_proxy_session = self._sessions[session] = self._open(session, now)
            if len(self._sessions) > MAX_SESSIONS:
                self._close(next(iter(self._sessions)))
        self._sessions.move_to_end(session)
        if open_proxy_session.refresh(now):
            self._freezer.count_discarded()
        return open_proxy_session

    def find(self, session: str) -> OpenProxySession | None:
        """Returns the open session with this id; None if it is not open."""
        return self._sessions.get(session)

    def close(self) -> None:
        """Closes all sessions."""
        for session in list(self._sessions):
            self._close(session)
        self._ast_search.close()
        if self._shared is not None:
            self._shared.close()

    def _close(self, session: str) -> None:
        open_proxy_session = self._sessions.pop(session)
        self._freezer.count_discarded()
        with open_proxy_session.lock:
            open_proxy_session.session.close(epoch_ms())
            if isinstance(open_proxy_session.log, TurnLog):
                open_proxy_session.log.close()

    def _open(self, session: str, now: int) -> OpenProxySession:
        rules, budget = self.rules, NoiseBudget()
        log, events = self._log(session, now) if self._workspace.has_log else (NullLog(), ())
        features = session_features(
            self._workspace.cwd,
            self._home,
            self._judge,
            rules,
            self._ast_search,
            lambda agent: proxy_session.kind_of(agent),  # noqa: PLW0108 - the session is created below
            lambda message: self._show(ProtectionFailed(message)),
            session_noise_gate(log, self._workspace.cwd, self._home, epoch_ms, budget, (session,)),
            keeps_content=self._workspace.keeps_content,
        )
        kept_log = log if self._workspace.keeps_content else RedactingLog(log)
        notifying_log = NotifyingLog(kept_log, self._on_record)
        observer = Observer(
            rules.rules_for,
            notifying_log if features is None else NotifyingLog(notifying_log, features.evolve),
            settings=rules.settings,
            matching=Matching.STABLE,
            ast_search=self._ast_search,
            matchers=MatcherCache(self._matching.shared),
            noise_limits=session_noise(log, self._workspace.cwd, state_home(os.environ, self._home)),
            budget=budget,
        )
        observer.resume(events)
        for event in events:
            if isinstance(event, InjectionCommitted):
                observer.mark_injected(recorded_rules(event.rules, event.rule_paths), event.injection.agent)
            elif isinstance(event, ReminderFolded):
                observer.mark_injected(recorded_rules(event.rules, event.rule_paths))
        with self._matching.lock:
            observer.prewarm(prewarming_text(rules.rules_for(MAIN_AGENT).rules))
        self._freezer.freeze(len(self._sessions))
        ledger = Ledger()
        path = log.path if isinstance(log, TurnLog) else None
        ledger.add_recorded(entries_of_workspace(self._folder, path), is_own=False)
        ledger.add_recorded(entries_of(events), is_own=True)
        shared = None if self._shared is None else self._shared.entries(session)
        proxy_session = ProxySession(
            observer,
            rules.rules_for,
            rules.settings,
            ledger,
            self._workspace.cwd,
            self._home,
            self._limits,
            self._show,
            shared=shared,
            features=features,
            refuses_unparsed=self._refuses_unparsed,
            keeps_content=self._workspace.keeps_content,
        )
        if features is not None:
            features.resume(events)
        proxy_session.start(session, now)
        return OpenProxySession(proxy_session, rules, log, self._matching)

    def _log(self, session: str, now: int) -> tuple[TurnLog | NullLog, tuple[TurnEvent, ...]]:
        """Opens the log of the session. An existing log is resumed."""
        # The hook server may write a log of the same session, so this one has a name of its own.
        name = f"proxy-{session}"
        for path in [*files_of_session(self._folder, name)[-1:], session_file(self._folder, now, name)]:
            root = str(workspace_root(self._workspace.cwd))
            header = new_header(path, self._workspace.agent, root, now)
            try:
                log, content = TurnLog.open_with_content(path, header)
            except LogWriteError as error:
                problem = error
                continue
            return log, tuple(record.event for record in content.records)
        self._show(
            ProtectionFailed(f"The session is not recorded, and its edits are lost with this program: {problem}.")
        )
        return NullLog(), ()
