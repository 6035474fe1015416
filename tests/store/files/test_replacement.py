"""Files are replaced atomically, with their permissions, by one function of the package."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import ttsr_ls
from ttsr_ls.store.files.replacement import create_file, replace_file
from ttsr_ls.store.settings.baseline import BaselineError, write_baseline

PACKAGE = Path(ttsr_ls.__file__).parent


def test_only_one_module_creates_temporary_files() -> None:
    users = [
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if "mkstemp" in file.read_text(encoding="utf-8")
    ]
    assert users == ["store/files/replacement.py"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_replacing_a_file_keeps_or_sets_its_permissions(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    replace_file(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", mode)
    replace_file(path, b"newer", 0o640)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_default_permissions(tmp_path: Path) -> None:
    usual, path = tmp_path / "usual", tmp_path / "file"
    usual.touch()
    replace_file(path, b"new")
    assert path.stat().st_mode == usual.stat().st_mode


def test_a_file_with_the_longest_name_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("failing", ["fsync", "chmod", "replace"])
def test_a_failed_replacement_changes_nothing(failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if failing == "fsync" else Path, failing, fail)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]


def test_creating_a_file_fails_if_it_exists(tmp_path: Path) -> None:
    path = tmp_path / "file"
    create_file(path, b"first", 0o644)
    with pytest.raises(FileExistsError):
        create_file(path, b"second", 0o644)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"first")]


def test_a_disk_failure_keeps_the_old_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [])
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(BaselineError, match="No space left"):
        write_baseline(path, [])
    assert path.read_bytes() == before


def test_writing_a_baseline_to_a_pipe_does_not_block(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(BaselineError, match="not a file"):
        write_baseline(path, [])
