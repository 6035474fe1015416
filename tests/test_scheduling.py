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
PASSES = "def test_one(): pass\ndef test_two(): pass\ndef test_three(): pass\n"
CRASHES = "import os\n\ndef test_before(): pass\ndef test_ends_its_process(): os._exit(1)\ndef test_after(): pass\n"
NOTE = "with open('imported', 'a') as file: file.write(__name__ + '\\n')\n"
FIXTURE = "import pytest\n\n@pytest.fixture(scope='session')\n"
SHARES = f"{NOTE}def test_one(program): pass\ndef test_two(program): pass\n"
FILES = {
    **{f"test_{number:02}.py": NOTE + PASSES for number in range(12)},
    "test_07.py": f"{NOTE}def test_one(request):\n    names = {{item.name for item in request.session.items}}\n"
    "    assert {'test_one', 'test_two'} <= names\n    assert 'test_three' not in names\n\ndef test_two(): pass\n",
    "test_08.py": CRASHES,
    "test_12_no_import.py": "import no_such_module\n",
    "test_13_ends.py": "import os\n\nos._exit(1)\n",
    "test_14_skipped.py": "import pytest\n\npytest.skip('no', allow_module_level=True)\n",
    "test_15_left.py": f"{FIXTURE}def left():\n    yield\n    raise ValueError('no end')\n\ndef test_it(left): pass\n",
    "tests/editors/conftest.py": f"{FIXTURE}def program():\n    print('begins')\n",
    "tests/editors/test_vscode_a.py": SHARES,
    "tests/editors/test_vscode_b.py": SHARES,
}


def run(folder: Path, workers: int, *arguments: str) -> str:
    """The output of the tests in `folder`, which has `FILES` but for those that are there."""
    (folder / "tests" / "editors").mkdir(parents=True)
    for name, text in {"conftest.py": CONFTEST, **FILES}.items():
        if not (folder / name).exists():
            (folder / name).write_text(text)
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
def test_all_tests_run_whatever_happens_to_a_file_or_its_process(tmp_path: Path, workers: int) -> None:
    output = run(tmp_path, workers, "-rP")
    assert "crashed while running 'test_08.py::test_ends_its_process'" in output, output
    assert "crashed while running 'test_13_ends.py::tests'" in output, output
    assert "ModuleNotFoundError: No module named 'no_such_module'" in output, output
    assert "ValueError: no end" in output, output
    assert re.search(r"^2 failed, 39 passed, 1 skipped, 2 errors in ", output, re.MULTILINE), output
    imported = (tmp_path / "imported").read_text().split()
    assert len(imported) == len({*imported}) == 13, "each file is imported once"
    assert output.count("begins") == 1, "the files of VS Code share what lasts for the session"


def test_a_selection_is_one_of_tests_and_not_of_files(tmp_path: Path) -> None:
    for name in ("test_08.py", "test_12_no_import.py", "test_13_ends.py"):
        (tmp_path / name).touch()
    output = run(tmp_path, 1, "-k", "test_two")
    assert re.search(r"^13 passed, 1 skipped in ", output, re.MULTILINE), output
