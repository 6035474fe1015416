"""The distribution of tests to processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scheduling import rotated

OPTIONS = ("-p", "xdist", "-p", "no:cacheprovider", "-W", "ignore", "--dist", "loadfile", "-q")
CONFTEST = """import faulthandler
from tests.scheduling import scheduler as pytest_xdist_make_scheduler
faulthandler.dump_traceback_later(240, exit=True)  # A run that hangs ends, and says where.
"""
CRASHES = "import os\n\ndef test_before(): pass\ndef test_ends_its_process(): os._exit(1)\ndef test_after(): pass\n"
PASSES = "def test_one(): pass\ndef test_two(): pass\ndef test_three(): pass\n"


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_test_that_kills_its_process_fails_once_and_all_others_run(tmp_path: Path, workers: int) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for number in range(12):
        (tmp_path / f"test_{number:02}.py").write_text(CRASHES if number == 8 else PASSES)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, f"-n{workers}"],
        cwd=tmp_path,
        # Of the plug-ins it needs this one only, and each process would import all.
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "crashed while running 'test_08.py::test_ends_its_process'" in done.stdout, done.stdout + done.stderr
    assert re.search(r"^1 failed, 35 passed in ", done.stdout, re.MULTILINE), done.stdout + done.stderr


def test_each_process_collects_all_folders_and_begins_with_its_part() -> None:
    sizes = {"a": 4, "b": 1, "c": 5, "d": 6}
    orders = [rotated(sizes, position, 4) for position in range(4)]
    assert ["".join(order) for order in orders] == ["abcd", "bcda", "cdab", "dabc"]
    assert rotated(sizes, 5, 4) == orders[1]
    assert ["".join(rotated({"a": 1}, position, 2)) for position in range(2)] == ["a", "a"]
