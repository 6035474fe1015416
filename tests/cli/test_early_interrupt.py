"""Ctrl-C while a command is still importing: the process ends without a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment

# Sends the signal when a module is imported for the first time; `argv` is the name of the module, and the command line.
_INTERRUPTING = """
import _signal, runpy, sys
signalled = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == signalled:
            _signal.raise_signal(_signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv[0] = "ttsr-ls"
runpy.run_module("ttsr_ls", run_name="__main__")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no status of a process that a signal ended")
@pytest.mark.parametrize("module", ["ttsr_ls.cli.main", "enum", "argparse", "msgspec", "ttsr_ls.cli.list.command"])
def test_an_interrupt_during_the_imports_prints_nothing(module: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _INTERRUPTING, module, "list"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode in (-signal.SIGINT, 130)


def test_a_process_that_ignores_interrupts_goes_on(tmp_path: Path) -> None:
    # A shell script starts programs in the background like this.
    ignoring = f"import _signal; _signal.signal(_signal.SIGINT, _signal.SIG_IGN)\n{_INTERRUPTING}"
    done = subprocess.run(
        [sys.executable, "-c", ignoring, "msgspec", "--version"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"ttsr-ls ")
