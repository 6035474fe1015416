"""Editors say that the hook server ended while an agent's session of their workspace was open, and that it is back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.talk import Starter
from ttsr_ls.lsp.runs.hook_server_watch import MAX_AGE
from ttsr_ls.store.open_hook_sessions import (
    HookServerLock,
    OpenHookSession,
    forget_open_sessions,
    is_hook_server_running,
    open_hook_sessions,
    sessions_file,
)


def of_folder(folder: Path) -> OpenHookSession:
    return OpenHookSession("claude", "s1", str(folder))


@pytest.mark.parametrize("is_there_before", [True, False])
async def test_a_dead_hook_server_is_reported_once_and_its_restart_too(
    start: Starter, folder: Path, is_there_before: bool
) -> None:
    state = folder.parent / "state"
    lock = HookServerLock(state)
    lock.record((of_folder(folder),))
    if not is_there_before:
        lock.release()
    talk = await start("vscode")
    messages = talk.client.messages
    if is_there_before:
        lock.release()
    await talk.until(lambda: len(messages) > 0)
    again = HookServerLock(state)
    await talk.until(lambda: len(messages) > 1)
    warning, back = messages
    assert warning.type is types.MessageType.Warning
    assert "Rules are off in claude: run `ttsr-ls hooks ensure`. The hook server ended" in warning.message
    assert (back.type, "The hook server runs again" in back.message) == (types.MessageType.Info, True)
    again.release()


async def test_other_workspaces_old_sessions_and_a_stopped_server_are_not_reported(
    start: Starter, folder: Path
) -> None:
    state = folder.parent / "state"
    lock = HookServerLock(state)
    lock.record((of_folder(folder.parent / "other"),))
    lock.release()
    talk = await start("vscode")
    lock = HookServerLock(state)
    lock.record((of_folder(folder),))
    old = sessions_file(state).stat().st_mtime - 2 * MAX_AGE
    os.utime(sessions_file(state), (old, old))
    lock.release()
    lock = HookServerLock(state)  # Starts without sessions, and ends without one.
    lock.release()
    await talk.run("ttsr.test", {"text": ""})
    # Something that is reported says that the rest was looked at.
    lock = HookServerLock(state)
    lock.record((of_folder(folder),))
    lock.release()
    await talk.until(lambda: bool(talk.client.messages))
    assert len(talk.client.messages) == 1


def test_a_second_server_leaves_the_record_to_the_first(tmp_path: Path) -> None:
    first, second = HookServerLock(tmp_path), HookServerLock(tmp_path)
    first.record((of_folder(tmp_path),))
    second.record(())
    second.release()
    assert is_hook_server_running(tmp_path)
    first.release()
    assert not is_hook_server_running(tmp_path)
    assert open_hook_sessions(tmp_path) == (of_folder(tmp_path),)
    forget_open_sessions(tmp_path)
    assert open_hook_sessions(tmp_path) == ()


@pytest.mark.parametrize("content", [b"", b"{", b'[{"agent": 1}]', b"[" * 100_000, b"\xff"])
def test_a_record_that_cannot_be_read_has_no_sessions(tmp_path: Path, content: bytes) -> None:
    HookServerLock(tmp_path).release()
    sessions_file(tmp_path).write_bytes(content)
    assert open_hook_sessions(tmp_path) == ()
