"""Replays files of sessions, several at once. Each process reads the rules once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from threading import Lock, local
from weakref import finalize

from msgspec import Struct

from ttsr_ls.bridge.adapters.agents import SESSION_LOG, SOURCES
from ttsr_ls.bridge.adapters.detection import UTF16_MARKS, detect_source
from ttsr_ls.bridge.watch.agent_monitors import AgentMonitors
from ttsr_ls.bridge.watch.session_replay import ReplayedSession, replay_session
from ttsr_ls.cli.replay.chat_file import SUFFIX, chat_line
from ttsr_ls.cli.replay.revision import rules_of_revision
from ttsr_ls.errors import UsageError
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.output.agent_events import SubagentSeen
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.agent_environment import VARIABLES, AgentEnvironment
from ttsr_ls.store.agent_sessions import CLAUDE_SOURCE, kept_subagent
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.opencode.sessions import is_stored_session, session_events

_CHUNK = 1024 * 1024
_MAX_KINDS = 64
"""The most kinds of agents whose rules are kept."""


class RuleSource(Struct, frozen=True):
    """The source of rules: the folder of the project, the user's home, and folders that the user named.

    `commit` is that of the rules; None for the rules on the disk. `variables` are the environment variables that decide
    where rules are: a process on another machine must find the same ones.
    """

    cwd: Path
    home: Path
    variables: dict[str, str]
    named: tuple[Path, ...]
    commit: str | None = None

    @staticmethod
    def here(cwd: Path, paths: tuple[Path, ...]) -> RuleSource:
        """The rules of a folder as they are now."""
        variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        return RuleSource(cwd, Path.home(), variables, paths)


class ReplayedFile(Struct, frozen=True):
    """A file and its result; `problem` if it could not be read. `is_log`: it is a session log of ours."""

    path: Path
    session: ReplayedSession | None
    problem: str = ""
    is_log: bool = False


class _Worker:
    """The rules, read once in a process. Raises GitError where the revision cannot be read."""

    def __init__(self, source: RuleSource) -> None:
        with nullcontext(source.cwd) if source.commit is None else rules_of_revision(source.cwd, source.commit) as cwd:
            rules = rules_at(AgentEnvironment(cwd, source.home, source.variables), source.named)
            self._local = rules
            self._settings = rules.settings
        self._rules: dict[str, RulesByDialect] = {}
        """The rules of each kind of agent that was seen."""
        self._ast_search = AstProcess()
        self._of_thread = local()
        """The automata that the sessions of a thread share: building them takes most of the time."""
        # Another thread of this process may still use the worker when another source takes its place.
        self.close = finalize(self, self._ast_search.close)

    def replay(self, path: Path) -> ReplayedFile:
        if not hasattr(self._of_thread, "shared"):
            self._of_thread.shared = SharedMatching(shares_searches=False)
        matchers = MatcherCache(self._of_thread.shared)
        result = self._replayed(path, matchers)
        if matchers.has_disabled and matchers.reuses_automata:
            # Earlier sessions may have disabled conditions. The result of a file must depend on the file alone.
            result = self._replayed(path, MatcherCache())
        return result

    def _rules_for(self, kind: str) -> RulesByDialect:
        rules = self._rules.get(kind)
        if rules is None:
            rules = self._local.session_rules(kind)
            put_bounded(self._rules, kind, rules, _MAX_KINDS)
        return rules

    def _replayed(self, path: Path, matchers: MatcherCache) -> ReplayedFile:
        try:
            with _opened(path) as content:
                name, chunks = detect_source(content)
                head = next(chunks, b"")
                if head.startswith(UTF16_MARKS):
                    return ReplayedFile(path, None, "it is UTF-16; save it as UTF-8")
                if name is None:
                    return ReplayedFile(path, None, "it is not in the format of a known agent")
                monitors = self._of_thread.monitors = AgentMonitors(
                    self._rules_for, self._settings, Matching.STABLE, ast_search=self._ast_search, matchers=matchers
                )
                if name == CLAUDE_SOURCE and (subagent := kept_subagent(path)) is not None:
                    monitors.follow(SubagentSeen(*subagent))
                session = replay_session(chain((head,), chunks), SOURCES[name].make(None), monitors)
                return ReplayedFile(path, session, is_log=name == SESSION_LOG)
        except OSError as error:
            return ReplayedFile(path, None, error.strerror or "it cannot be read")


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[bytes]]:
    """The content of a session. Raises OSError."""
    if is_stored_session(path):
        with closing(session_events(path)) as events:
            yield events
        return
    if path.suffix == SUFFIX:
        yield iter((chat_line(path),))
        return
    with os.fdopen(open_regular(path), "rb") as file:
        yield iter(lambda: file.read(_CHUNK), b"")


_WORKER: dict[str, tuple[RuleSource, _Worker]] = {}
_STARTING = Lock()


def replay_file(source: RuleSource, path: Path) -> ReplayedFile:
    """Runs the rules over one recorded history. The process keeps them compiled for the next file that uses them."""
    with _STARTING:
        kept = _WORKER.get("last")
        if kept is None or kept[0] != source:
            kept = _WORKER["last"] = (source, _Worker(source))
    return kept[1].replay(path)


def replay_all(paths: Iterable[Path], source: RuleSource, processes: int) -> Iterator[ReplayedFile]:
    """Each file with its result, in the given order. Raises UsageError if a process of the replay is ended."""
    files = list(paths)
    if processes <= 1 or len(files) <= 1:
        worker = _Worker(source)
        try:
            yield from map(worker.replay, files)
        finally:
            worker.close()
        return
    # Forking a process that has threads is unsafe.
    with ProcessPoolExecutor(min(processes, len(files)), get_context("spawn")) as pool:
        try:
            yield from pool.map(partial(replay_file, source), files)
        except BrokenExecutor as error:
            raise UsageError(
                "a process that replays sessions was ended, perhaps for lack of memory; run fewer at once with --jobs"
            ) from error
