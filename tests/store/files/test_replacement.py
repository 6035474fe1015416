"""Replacing a file: whole or not at all, with its permissions, by one function in the whole package."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import ttsr_ls
from ttsr_ls.store.files.replacement import create_file, replace_file
from ttsr_ls.store.settings.baseline import BaselineError, write_baseline

PACKAGE = Path(ttsr_ls.__file__).parent


def test_only_one_module_makes_temporary_files() -> None:
    users = [
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if "mkstemp" in file.read_text(encoding="utf-8")
    ]
    assert users == ["store/files/replacement.py"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_permissions_are_kept_or_given(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    replace_file(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", mode)
    replace_file(path, b"newer", 0o640)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_gets_the_permissions_of_new_files(tmp_path: Path) -> None:
    usual, path = tmp_path / "usual", tmp_path / "file"
    usual.touch()
    replace_file(path, b"new")
    assert path.stat().st_mode == usual.stat().st_mode


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("failing", ["fsync", "chmod", "replace"])
def test_a_failure_changes_nothing(failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if failing == "fsync" else Path, failing, fail)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]


def test_a_file_is_not_created_over_another(tmp_path: Path) -> None:
    path = tmp_path / "file"
    create_file(path, b"first", 0o644)
    with pytest.raises(FileExistsError):
        create_file(path, b"second", 0o644)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"first")]


def test_a_failing_disk_leaves_the_old_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [])
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(BaselineError, match="No space left"):
        write_baseline(path, [])
    assert path.read_bytes() == before


def test_a_baseline_does_not_wait_for_a_reader_of_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(BaselineError, match="not a file"):
        write_baseline(path, [])
