"""A program that looks whether a file is locked does not keep another one from locking it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from ttsr_ls.session.history.turn_events import SessionResumed
from ttsr_ls.store.files.file_lock import is_locked, open_lock_file
from ttsr_ls.store.hook_server_file import address_file
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.turn_log import LogBusyError, TurnLog
from ttsr_ls.store.open_hook_sessions import HookServerLock, OpenHookSession, open_hook_sessions

HEADER = Header("s", "agent", "/w", 0, "test")


@contextmanager
def looked_at(path: Path) -> Iterator[None]:
    """Another program looks at the lock, and is slow to close the file."""
    descriptor = open_lock_file(path)
    assert not is_locked(descriptor)
    timer = Timer(0.04, os.close, (descriptor,))
    timer.start()
    yield
    timer.join()


def test_a_log_is_opened_while_its_lock_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with looked_at(path), TurnLog.open(path, HEADER) as log:
        log.append(SessionResumed(), 0)
        with pytest.raises(LogBusyError):
            TurnLog.open(path, HEADER)


def test_a_hook_server_records_its_sessions_although_its_lock_was_looked_at(tmp_path: Path) -> None:
    session = OpenHookSession("claude", "a", "/shop")
    with looked_at(address_file(tmp_path).with_name("server.lock")):
        lock = HookServerLock(tmp_path)
        lock.record((session,))
        assert open_hook_sessions(tmp_path) == (session,)
        lock.release()
