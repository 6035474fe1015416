"""The marks of cleared runs, which several editor windows store at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ttsr_ls.store.files.file_lock import open_lock_file, try_lock
from ttsr_ls.store.log.cleared_runs import ClearedMarks, mark_cleared, read_cleared
from ttsr_ls.store.log.session_dirs import session_file

MARKS = 25
"""The marks that one window stores."""
WINDOW = """
import sys
from pathlib import Path
from ttsr_ls.store.log.cleared_runs import ClearedMarks, mark_cleared

print("ready", flush=True)
sys.stdin.readline()
for name in sys.argv[2:]:
    mark_cleared(Path(sys.argv[1]), ClearedMarks(triggers={name: 3}), lock_seconds=60.0)
"""


def logs(folder: Path, window: str) -> list[str]:
    """The names of new session logs."""
    files = [session_file(folder, 1_000, f"{window}{number}") for number in range(MARKS)]
    for file in files:
        file.touch()
    return [file.name for file in files]


def test_two_windows_that_clear_at_once_keep_all_marks(tmp_path: Path) -> None:
    names = [logs(tmp_path, "a"), logs(tmp_path, "b")]
    windows = [
        subprocess.Popen(
            [sys.executable, "-c", WINDOW, str(tmp_path), *mine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for mine in names
    ]
    for window in windows:
        assert window.stdout is not None
        assert window.stdout.readline() == "ready\n"
    for window in windows:
        assert window.stdin is not None
        window.stdin.write("\n")
        window.stdin.flush()
    for window in windows:
        _, errors = window.communicate(timeout=60)
        assert (window.returncode, errors) == (0, "")
    assert read_cleared(tmp_path) == ClearedMarks(triggers=dict.fromkeys(sorted(names[0] + names[1]), 3))


def test_a_mark_is_not_stored_while_another_window_holds_the_lock(tmp_path: Path) -> None:
    first, second, *_ = logs(tmp_path, "a")
    mark_cleared(tmp_path, ClearedMarks(runs={first: 1}))
    descriptor = open_lock_file(tmp_path / "cleared.lock")
    try:
        assert try_lock(descriptor)
        with pytest.raises(TimeoutError, match="another editor window"):
            mark_cleared(tmp_path, ClearedMarks(runs={second: 2}), lock_seconds=0.0)
    finally:
        os.close(descriptor)
    assert read_cleared(tmp_path) == ClearedMarks(runs={first: 1})
    mark_cleared(tmp_path, ClearedMarks(runs={second: 2}))
    assert read_cleared(tmp_path) == ClearedMarks(runs={first: 1, second: 2})
