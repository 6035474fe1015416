"""The rules that users silence in sessions, which several editor windows store at the same time."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ttsr_ls.store.files.file_lock import open_lock_file, try_lock
from ttsr_ls.store.log.session_dirs import session_file
from ttsr_ls.store.log.silenced_rules import FILE, read_silenced, store_silence


def new_log(folder: Path, name: str) -> Path:
    """An empty session log."""
    log = session_file(folder, 1_000, name)
    log.touch()
    return log


def test_windows_that_silence_at_once_keep_all_rules(tmp_path: Path) -> None:
    log = new_log(tmp_path, "a")
    names = [f"rule-{number}" for number in range(20)]

    def silence(name: str) -> None:
        store_silence(log, name, None, silent=True, lock_seconds=60.0)

    with ThreadPoolExecutor(4) as windows:
        list(windows.map(silence, names))
    assert read_silenced(tmp_path) == {log.name: frozenset((name, None) for name in names)}


def test_a_path_tells_rules_of_one_name_apart(tmp_path: Path) -> None:
    log = new_log(tmp_path, "a")
    for path in ("/p/.omp/rules/a.md", "/p/.pi/rules/a.md"):
        store_silence(log, "a", path, silent=True)
    store_silence(log, "a", "/p/.pi/rules/a.md", silent=False)
    assert read_silenced(tmp_path) == {log.name: {("a", "/p/.omp/rules/a.md")}}
    store_silence(log, "a", None, silent=False)
    assert read_silenced(tmp_path) == {}


def test_a_rule_is_heard_again_however_it_was_silenced(tmp_path: Path) -> None:
    log = new_log(tmp_path, "a")
    store_silence(log, "a", None, silent=True)
    store_silence(log, "b", None, silent=True)
    store_silence(log, "a", "/p/a.md", silent=False)
    assert read_silenced(tmp_path) == {log.name: {("b", None)}}


def test_rules_of_deleted_logs_are_dropped(tmp_path: Path) -> None:
    first, second = new_log(tmp_path, "a"), new_log(tmp_path, "b")
    store_silence(first, "a", None, silent=True)
    first.unlink()
    store_silence(second, "b", None, silent=True)
    assert read_silenced(tmp_path) == {second.name: {("b", None)}}
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "[", "[]", '{"a": 1}', '{"a": [["x"], [1, null], ["x", 2], "x"]}', "[" * 100_000])
def test_a_damaged_file_silences_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    assert read_silenced(tmp_path) == {}


def test_nothing_is_stored_while_another_window_holds_the_lock(tmp_path: Path) -> None:
    log = new_log(tmp_path, "a")
    descriptor = open_lock_file(tmp_path / "silenced.lock")
    try:
        assert try_lock(descriptor)
        with pytest.raises(TimeoutError, match="another editor window"):
            store_silence(log, "a", None, silent=True, lock_seconds=0.0)
    finally:
        os.close(descriptor)
    assert read_silenced(tmp_path) == {}
