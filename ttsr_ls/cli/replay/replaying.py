"""Replays files of sessions, several at once. Each process reads the rules once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.detection import detect
from ttsr_ls.bridge.watch.no_log import NoLog
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.replayed import ReplayedSession, replayed
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.store.files.bounded_file import open_regular

_CHUNK = 1024 * 1024


class RuleSource(Struct, frozen=True):
    """The source of rules: the folder of the project, and folders that the user named."""

    cwd: Path
    named: tuple[Path, ...]


class ReplayedFile(Struct, frozen=True):
    """A file and its result; `problem` if it could not be read."""

    path: Path
    session: ReplayedSession | None
    problem: str = ""


class _Worker:
    """The rules, read once in a process."""

    def __init__(self, source: RuleSource) -> None:
        here = rules_at(AgentEnvironment(source.cwd, Path.home(), os.environ), source.named)
        self._settings = here.settings
        self._rules = here.session_rules(MAIN_AGENT)
        self._ast_search = AstProcess()

    def replay(self, path: Path) -> ReplayedFile:
        try:
            with os.fdopen(open_regular(path), "rb") as file:
                name, chunks = detect(iter(lambda: file.read(_CHUNK), b""))
                if name is None:
                    return ReplayedFile(path, None, "it is of no agent that is known")
                observer = Observer(
                    lambda _: self._rules,
                    NoLog(),
                    settings=self._settings,
                    matching=Matching.STABLE,
                    ast_search=self._ast_search,
                )
                return ReplayedFile(path, replayed(chunks, SOURCES[name].make(None), observer))
        except OSError as error:
            return ReplayedFile(path, None, error.strerror or "it cannot be read")

    def close(self) -> None:
        self._ast_search.close()


_WORKER: list[_Worker] = []


def _start(source: RuleSource) -> None:
    _WORKER[:] = [_Worker(source)]


def _replay(path: Path) -> ReplayedFile:
    return _WORKER[0].replay(path)


def replay_all(paths: Iterable[Path], source: RuleSource, processes: int) -> Iterator[ReplayedFile]:
    """Each file with its result, in the given order."""
    files = list(paths)
    if processes <= 1 or len(files) <= 1:
        worker = _Worker(source)
        try:
            yield from map(worker.replay, files)
        finally:
            worker.close()
        return
    # Forking a process that has threads is unsafe, so each begins anew.
    context = get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(files)), context, initializer=_start, initargs=(source,)) as pool:
        yield from pool.map(_replay, files)
