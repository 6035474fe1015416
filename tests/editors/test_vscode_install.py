"""A real VS Code on a machine without `ttsr-ls` installs the server that it brings along, or says what is missing."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.scene import Scene
from tests.editors.vscode_window import Window, open_vscode

pytestmark = pytest.mark.editor

# What code-server itself needs.
_NEEDED = ("sh", "env", "node", "dirname", "basename", "readlink", "sed", "uname", "cat", "id")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The only folder on `PATH`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in _NEEDED:
        found = shutil.which(name)
        if found is not None:
            (folder / name).symlink_to(os.path.realpath(found))
    # VS Code asks the login shell for its PATH, and a profile would add to it.
    shell = folder / "bash"
    shell.write_text(f'#!/bin/sh\nexec {shutil.which("bash")} --noprofile --norc "$@"\n')
    shell.chmod(0o755)
    return folder


def bare_environment(scene: Scene, programs: Path) -> dict[str, str]:
    """The environment of a machine on which only these programs are installed."""
    return {**scene.environment, "PATH": str(programs), "SHELL": str(programs / "bash")}


@pytest.fixture
def bare_window(scene: Scene, tmp_path: Path, programs: Path, vscode_cache: Path) -> Iterator[Window]:
    """A window whose extension has to find its server."""
    scratch = tmp_path / "vscode"
    scratch.mkdir()
    with open_vscode(vscode_cache, scratch, bare_environment(scene, programs), None) as vscode:
        yield vscode.window(scene.folder)


def toast(text: str) -> str:
    return f'.notification-toast:has-text("{text}")'


def test_the_server_is_installed_from_the_extension(
    bare_window: Window, scene: Scene, programs: Path, tmp_path: Path
) -> None:
    bare_window.ask("open", path=str(scene.broken))
    bare_window.look("waitFor", selector=toast("the server 'ttsr-ls' was not found"))
    bare_window.look("click", selector='.notification-toast .monaco-button:has-text("Install")')
    bare_window.look("waitFor", selector=toast("needs Python 3.11 or later, and there is none on your PATH"))
    bare_window.ask("command", name="notifications.clearAll")
    (programs / "python3").symlink_to(os.path.realpath(sys.executable))
    # The server of an earlier build with the same version is not the one that the extension brings.
    storage = tmp_path / "vscode" / "user" / "User" / "globalStorage" / "ttsr-ls.ttsr-ls"
    older = storage / "server-0.1.0" / "bin" / "ttsr-ls"
    older.parent.mkdir(parents=True)
    older.write_text("#!/bin/sh\nexit 9\n")
    older.chmod(0o755)
    bare_window.ask("command", name="ttsr.restart")
    bare_window.look("waitFor", selector=toast("the server 'ttsr-ls' was not found"))
    # As the walkthrough does: the message with its own button stays open.
    bare_window.ask("start_command", name="ttsr.install")
    deadline = time.monotonic() + 240
    while older.exists() or not list(storage.glob("server-*-*/bin/ttsr-ls")):
        assert time.monotonic() < deadline, "nothing was installed"
        time.sleep(0.5)
    expected = scene.check(scene.broken)
    bare_window.wait_for(scene.broken, lambda found: len(found) == len(expected))
    bare_window.look("waitFor", selector=toast("the server is installed"))
    bare_window.look("waitFor", selector=toast("was not found"), state="detached")
    # What the view of runs says to type works in a terminal of this window.
    version = tmp_path / "version.txt"
    bare_window.ask("terminal", line=f"ttsr-ls --version > {version}")
    while not version.exists() or not version.read_text():
        assert time.monotonic() < deadline, "the terminal does not find the server"
        time.sleep(0.1)
    assert version.read_text().startswith("ttsr-ls ")


def test_the_server_is_run_by_uvx(scene: Scene, tmp_path: Path, programs: Path, vscode_cache: Path) -> None:
    ours = f'PYTHONPATH="{Path(__file__).parents[2]}" exec "{sys.executable}" -m ttsr_ls'
    uvx = programs / "uvx"
    # Stands for uv's: it takes the package that is named, and runs the program in it.
    uvx.write_text(
        f'#!/bin/sh\ntest "$1" = --from && test -f "$2" && test "$3" = ttsr-ls || exit 9\nshift 3\n{ours} "$@"\n'
    )
    uvx.chmod(0o755)
    scratch = tmp_path / "vscode"
    scratch.mkdir()
    with open_vscode(vscode_cache, scratch, bare_environment(scene, programs), None) as vscode:
        window = vscode.window(scene.folder)
        window.ask("open", path=str(scene.broken))
        window.wait_for(scene.broken, bool)
        window.ask("command", name="ttsr.newRule", arguments=["never-say-never"])
        shown = window.ask("shownText", wanted=["condition:"])
        assert shown["uri"].endswith(".omp/rules/never-say-never.md")
        # What is typed next is the condition.
        start, end = (window.ask("active")["selection"][:2], window.ask("active")["selection"][2:])
        line = shown["text"].splitlines()[start[0]]
        assert start[0] == end[0]
        assert line[: start[1]] + line[end[1] :] == "condition: ''"
        (scene.folder / ".omp" / "rules" / "never-say-never.md").unlink()
        choose_template(window, scene)


def choose_template(window: Window, scene: Scene) -> None:
    """Makes a new rule from the first template, with Enter, and from the second one."""
    for name, keys, selected in (("x", [], "what the agent must not write"), ("y", ["ArrowDown"], "console.log($$$)")):
        window.ask("start_command", name="ttsr.newRule")
        row = ".quick-input-widget .monaco-list-row"
        window.look("waitFor", selector=f'{row}.focused:has-text("a regular expression")')
        assert len(window.look("text", selector=row)) == 4
        for key in (*keys, "Enter"):
            window.look("press", keys=key)
        window.look("waitFor", selector='.quick-input-widget:has-text("What is the rule called?")')
        for key in (name, "Enter"):
            window.look("press", keys=key)
        shown = window.ask("shownText", wanted=[selected, f"description: {name.upper()}.\n"])
        assert shown["uri"].endswith(f".omp/rules/{name}.md")
        line, start, _, end = window.ask("active")["selection"]
        assert shown["text"].splitlines()[line][start:end] == selected
        (scene.folder / ".omp" / "rules" / f"{name}.md").unlink()
