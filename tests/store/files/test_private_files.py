"""Session logs are accessible to their owner only, for any umask and any earlier mode."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog

HEADER = Header("s", "a", "/w", 0, "test")


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_logs_and_their_new_folders_are_private(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "a" / "b" / "c" / "log.jsonl"
    TurnLog.open(path, HEADER).close()
    assert mode(path) == 0o600
    assert [mode(folder) for folder in list(path.parents)[:3]] == [0o700] * 3


@pytest.mark.parametrize("wide", [0o666, 0o644, 0o640, 0o604])
@pytest.mark.parametrize("is_empty", [True, False])
def test_opening_a_log_removes_the_permissions_of_others(tmp_path: Path, wide: int, is_empty: bool) -> None:
    path = tmp_path / "log.jsonl"
    if is_empty:
        path.touch()
    else:
        TurnLog.open(path, HEADER).close()
    path.chmod(wide)
    TurnLog.open(path, HEADER).close()
    assert mode(path) == 0o600


def test_a_file_that_is_no_log_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("notes\n")
    path.chmod(0o664)
    with pytest.raises(LogWriteError, match="not a session log"):
        TurnLog.open(path, HEADER)
    assert mode(path) == 0o664
    assert path.read_text() == "notes\n"


def test_a_log_whose_mode_cannot_be_changed_is_refused_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    TurnLog.open(path, HEADER).close()
    path.chmod(0o666)

    def refuse(descriptor: int, wanted: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchmod", refuse)
    with pytest.raises(LogWriteError, match="chmod 600"):
        TurnLog.open(path, HEADER)
