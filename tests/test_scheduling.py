"""The distribution of tests to processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

OPTIONS = ("-p", "xdist", "-p", "no:cacheprovider", "-W", "ignore", "--dist", "loadfile", "-q")
CONFTEST = """import faulthandler
from tests.deferred_collection import pytest_configure_node, pytest_pycollect_makemodule, pytest_runtest_protocol
from tests.scheduling import scheduler as pytest_xdist_make_scheduler
faulthandler.dump_traceback_later(240, exit=True)  # A run that hangs ends, and says where.
"""
CRASHES = "import os\n\ndef test_before(): pass\ndef test_ends_its_process(): os._exit(1)\ndef test_after(): pass\n"
PASSES = "def test_one(): pass\ndef test_two(): pass\ndef test_three(): pass\n"


def run(folder: Path, workers: int, *arguments: str) -> str:
    """The output of the tests in `folder`."""
    (folder / "conftest.py").write_text(CONFTEST)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, f"-n{workers}", *arguments],
        cwd=folder,
        # Of the plug-ins it needs this one only, and each process would import all.
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_test_that_kills_its_process_fails_once_and_all_others_run(tmp_path: Path, workers: int) -> None:
    for number in range(12):
        (tmp_path / f"test_{number:02}.py").write_text(CRASHES if number == 8 else PASSES)
    output = run(tmp_path, workers)
    assert "crashed while running 'test_08.py::test_ends_its_process'" in output, output
    assert re.search(r"^1 failed, 35 passed in ", output, re.MULTILINE), output


def test_each_file_is_imported_by_the_process_that_runs_it(tmp_path: Path) -> None:
    note = "with open('imported', 'a') as file: file.write(__name__ + '\\n')\n"
    for number in range(8):
        (tmp_path / f"test_{number}.py").write_text(note + PASSES)
    output = run(tmp_path, 2)
    assert re.search(r"^24 passed in ", output, re.MULTILINE), output
    assert "[100%]" in output
    assert sorted((tmp_path / "imported").read_text().split()) == [f"test_{number}" for number in range(8)]
    output = run(tmp_path, 1, "-k", "test_one")
    assert re.search(r"^8 passed in ", output, re.MULTILINE), output


def test_what_is_wrong_outside_of_a_test_fails_the_run_and_all_tests_run(tmp_path: Path) -> None:
    (tmp_path / "test_0_no_import.py").write_text("import no_such_module\n")
    (tmp_path / "test_1_ends.py").write_text("import os\n\nos._exit(1)\n")
    (tmp_path / "test_2_skipped.py").write_text("import pytest\n\npytest.skip('no', allow_module_level=True)\n")
    (tmp_path / "test_3.py").write_text(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef left():\n    yield\n    raise ValueError('no end')\n"
        f"\n{PASSES}def test_four(left): pass\n"
    )
    (tmp_path / "test_4.py").write_text(PASSES)
    output = run(tmp_path, 1)
    assert "ModuleNotFoundError: No module named 'no_such_module'" in output, output
    assert "crashed while running 'test_1_ends.py::tests'" in output, output
    assert "ValueError: no end" in output, output
    assert re.search(r"^1 failed, 7 passed, 1 skipped, 2 errors in ", output, re.MULTILINE), output


def test_files_of_one_unit_share_what_lasts_for_the_session(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "editors"
    folder.mkdir(parents=True)
    (folder / "conftest.py").write_text(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef program():\n    print('begins')\n    yield\n"
    )
    for name in ("vscode_a", "vscode_b", "other"):
        (folder / f"test_{name}.py").write_text("def test_one(program): pass\ndef test_two(program): pass\n")
    output = run(tmp_path, 2, "-rP")
    assert re.search(r"^6 passed in ", output, re.MULTILINE), output
    assert output.count("begins") == 2, output
