"""Two windows of VS Code that install the server at once: both share the extension's folder."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.editors.vscode_extension import EXTENSION, build_extension

pytestmark = pytest.mark.editor

INSTALL = """
import {{ install }} from '{source}/install/environment.ts';
const print = (line) => console.log(line);
const signal = new AbortController().signal;
install({{ ...JSON.parse(process.argv[2]), log() {{}}, progress: print, signal }}).then(
  () => print('installed'),
  (error) => print(error.message),
);
"""
# Stands for Python: it makes an environment, in which installing waits for a line in a pipe.
PYTHON = """#!/bin/sh
case "$*" in
  -c*) echo 3.11 ;;
  "-m venv "*) echo made >> {scratch}/made; mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
  "-m pip "*) read -r _ < {scratch}/pipe; printf '#!/bin/sh\\n' > "${{0%/*}}/ttsr-ls"; chmod +x "${{0%/*}}/ttsr-ls" ;;
esac
"""
Window = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def window(tmp_path: Path, vscode_cache: Path) -> Iterator[Window]:
    """Starts a process that installs the server, as the extension does in a window; each prints its progress."""
    build_extension(vscode_cache)
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin" / "python3"
    python.write_text(PYTHON.format(scratch=tmp_path))
    python.chmod(0o755)
    os.mkfifo(tmp_path / "pipe")
    entry, bundle = tmp_path / "entry.ts", tmp_path / "bundle.mjs"
    entry.write_text(INSTALL.format(source=EXTENSION / "src"))
    esbuild = [str(EXTENSION / "node_modules" / ".bin" / "esbuild"), str(entry), "--bundle", "--platform=node"]
    subprocess.run([*esbuild, "--format=esm", f"--outfile={bundle}"], check=True, capture_output=True)
    given = {"folder": str(tmp_path / "own" / "server-1"), "wheel": "/w.whl", "platform": "linux"}
    given["environmentPath"] = str(tmp_path / "bin")
    started: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        command = ["node", str(bundle), json.dumps(given)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def printed(process: subprocess.Popen[str]) -> str:
    """The next line that a window prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_second_window_waits_for_the_installation_of_the_first(window: Window, tmp_path: Path) -> None:
    first = window()
    assert [printed(first), printed(first)] == ["making an environment", "installing the server"]
    second = window()
    assert printed(second) == "waiting for another window that installs the server"
    (tmp_path / "pipe").write_text("go\n")
    assert (printed(first), printed(second)) == ("installed", "installed")
    assert (tmp_path / "made").read_text() == "made\n"
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["server-1"]


def test_a_window_that_was_closed_meanwhile_is_not_waited_for(window: Window, tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as closed:
        closed.wait()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "installing-server-1").write_text(str(closed.pid))
    only = window()
    assert [printed(only), printed(only)] == ["making an environment", "installing the server"]
    (tmp_path / "pipe").write_text("go\n")
    assert printed(only) == "installed"
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["server-1"]
