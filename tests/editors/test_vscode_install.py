"""A real VS Code on a machine without `ttsr-ls` installs the server that comes with it, or says what is missing."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.scene import Scene
from tests.editors.vscode_window import VsCode, Window, open_vscode

pytestmark = pytest.mark.editor

# What code-server itself needs.
_NEEDED = ("sh", "env", "node", "dirname", "basename", "readlink", "sed", "uname", "cat", "id")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The only folder on `PATH`."""
    folder = tmp_path_factory.mktemp("programs") / "bin"
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


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Takes what VS Code writes."""
    return tmp_path_factory.mktemp("vscode")


@pytest.fixture(scope="module")
def bare_vscode(scene: Scene, scratch: Path, programs: Path, vscode_cache: Path) -> Iterator[VsCode]:
    """A VS Code on a machine on which only these programs are installed. Its extension has to find its server."""
    environment = {**scene.environment, "PATH": str(programs), "SHELL": str(programs / "bash")}
    # Takes the projects of demonstrations, also of one that did not start.
    environment["TMPDIR"] = str(scratch)
    with open_vscode(vscode_cache, scratch, environment, None, is_restricted=True) as vscode:
        yield vscode


@pytest.fixture
def uvx(programs: Path) -> Iterator[Path]:
    """Stands for uv's: it takes the package that is named, and runs the program in it."""
    path = programs / "uvx"
    ours = f'PYTHONPATH="{Path(__file__).parents[2]}" exec "{sys.executable}" -m ttsr_ls'
    path.write_text(
        f'#!/bin/sh\ntest "$1" = --from && test -f "$2" && test "$3" = ttsr-ls || exit 9\nshift 3\n{ours} "$@"\n'
    )
    path.chmod(0o755)
    yield path
    path.unlink()


MISSING = "No ttsr-ls server was found. Install the one that comes with the extension?"


def toast(text: str) -> str:
    return f'.notification-toast:has-text("{text}")'


def test_the_server_is_run_by_uvx(bare_vscode: VsCode, scene: Scene, uvx: Path) -> None:
    assert uvx.exists()
    window = bare_vscode.window(scene.folder)
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
    for name, keys, selected in (("x", [], "what the agent must not write"), ("y", ["ArrowDown"], "print($$$)")):
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
        # VS Code puts a pair of parentheses around a selection.
        key = shown["text"].splitlines()[line][:start]
        window.look("press", keys="(")
        window.ask("shownText", wanted=[f"{key}('\n"])
        for typed in ("?", "i", ")"):
            window.look("press", keys=typed)
        window.ask("shownText", wanted=[f"{key}(?i)'\n"])
        (scene.folder / ".omp" / "rules" / f"{name}.md").unlink()


def find_offers_of_a_server(window: Window) -> None:
    """Finds the offer of a server wherever one is needed, and the one message of the start unchanged."""
    window.ask("command", name="ttsr.openPlayground")
    window.look("inFrame", selector="#summary:has-text('The playground needs the server, and none was found.')")
    window.look("inFrame", selector="#remedies button:has-text('Install server')")
    window.look("inFrame", selector="#answer[hidden]")
    window.ask("command", name="ttsr.showRuns")
    window.look("waitFor", selector='.pane-body .monaco-button:has-text("Install Server")')
    window.ask("command", name="workbench.view.testing.focus")
    window.look("waitFor", selector='.pane-body:has(.test-explorer) .monaco-button:has-text("Install Server")')
    # Nobody is asked what a text is, or told that a rule has no tests.
    for command, need in (("ttsr.testSelection", "A test"), ("ttsr.runRuleTests", "Running tests")):
        window.ask("command", name="workbench.action.focusFirstEditorGroup")
        window.ask("start_command", name=command)
        window.look("waitFor", selector=toast(f"{need} needs the server. {MISSING}"))
        # The earlier message, with the same buttons, is in the list of notifications.
        assert len(window.look("text", selector=toast("TTSR"))) == 1
        assert window.look("text", selector=".quick-input-widget .monaco-list-row") == []
        window.look("click", selector=f"{toast(need)} .codicon-notifications-clear")
        window.look("waitFor", selector=toast(need), state="detached")
    # VS Code shows an equal message in place of the first.
    window.ask("command", name="ttsr.restart")
    # The first fades out. VS Code also shows three messages in 0.8 seconds, and a fourth one in its list alone.
    time.sleep(1)
    assert len(window.look("text", selector=toast("TTSR"))) == 1


def play_demonstration(window: Window, temporary: Path) -> None:
    """Plays the demonstration in a folder that is not trusted: it begins, and says so, once the person trusts it."""
    for button in ("Cancel", "Trust Folder"):
        assert window.look("text", selector=toast("the demonstration is in")) == []
        assert list(temporary.glob("ttsr-demo-*")) == []
        window.ask("start_command", name="ttsr.playDemo")
        window.look("click", selector=f'.monaco-dialog-box .monaco-button:has-text("{button}")')
        window.look("waitFor", selector=".monaco-dialog-box", state="detached")
    window.look("waitFor", selector=toast("the demonstration is in"))
    assert len(window.look("text", selector=toast("the demonstration is in"))) == 1
    window.ask("command", name="workbench.action.terminal.killAll")


def test_the_server_is_installed_from_the_extension(
    bare_vscode: VsCode, scene: Scene, programs: Path, scratch: Path, tmp_path: Path
) -> None:
    bare_window = bare_vscode.window(scene.folder)
    # The extension looks for its server as in a new window, whose start takes seconds.
    bare_window.ask("command", name="workbench.action.closeAllEditors")
    bare_window.ask("command", name="ttsr.restart")
    bare_window.ask("open", path=str(scene.broken))
    bare_window.look("waitFor", selector=toast(MISSING))
    bare_window.look("waitFor", selector=f"{toast(MISSING)} .codicon-warning")
    find_offers_of_a_server(bare_window)
    # A command that starts the extension is answered by one message.
    bare_window.ask("command", name="notifications.clearAll")
    for command in ("ttsr.restart", "ttsr.newRule"):
        bare_window.ask("start_command", name=command)
    bare_window.look("waitFor", selector=toast(f"A new rule needs the server. {MISSING}"))
    time.sleep(1)
    assert len(bare_window.look("text", selector=toast("TTSR"))) == 1
    bare_window.ask("command", name="notifications.clearAll")
    # The message of the start does not hide the answer to a command.
    bare_window.ask("start_command", name="ttsr.newRule", arguments=["never-again"])
    bare_window.look("waitFor", selector=toast(f"A new rule needs the server. {MISSING}"))
    bare_window.look("click", selector='.notification-toast .monaco-button:has-text("Install")')
    bare_window.look("waitFor", selector=toast("needs Python 3.11 or later, and there is none on your PATH"))
    # The message stays in the list of notifications, and does not block the next installation.
    bare_window.ask("command", name="notifications.hideToasts")
    (programs / "python3").symlink_to(os.path.realpath(sys.executable))
    # The server of an earlier build with the same version is not the one that the extension brings.
    storage = scratch / "user" / "User" / "globalStorage" / "ttsr-ls.ttsr-ls"
    older = storage / "server-0.1.0" / "bin" / "ttsr-ls"
    older.parent.mkdir(parents=True)
    older.write_text("#!/bin/sh\nexit 9\n")
    older.chmod(0o755)
    # As above, the next message is not a fourth one.
    time.sleep(1)
    bare_window.ask("start_command", name="ttsr.newRule", arguments=["never-again"])
    bare_window.look("waitFor", selector=toast("A new rule needs the server. The extension was updated"))
    # As the walkthrough does: the message with its own button stays open. The second command waits for the first.
    for _ in range(2):
        bare_window.ask("start_command", name="ttsr.install")
    deadline = time.monotonic() + 240
    while older.exists() or not list(storage.glob("server-*-*/bin/ttsr-ls")):
        assert time.monotonic() < deadline, "nothing was installed"
        time.sleep(0.1)
    expected = scene.check(scene.broken)
    bare_window.wait_for(scene.broken, lambda found: len(found) == len(expected))
    bare_window.look("waitFor", selector=toast("the server is installed"))
    bare_window.look("waitFor", selector=toast("The extension was updated"), state="detached")
    # The playground goes on by itself.
    bare_window.look("inFrame", selector="#answer:not([hidden]) #gates li")
    bare_window.look("inFrame", selector="#remedies:empty")
    # The rule that was wanted before there was a server.
    shown = bare_window.ask("shownText", wanted=["description: Never again.\n"])
    assert shown["uri"].endswith(".omp/rules/never-again.md")
    scene.firing.with_name("never-again.md").unlink()
    play_demonstration(bare_window, scratch)
    # What the view of runs says to type works in a terminal of this window.
    version = tmp_path / "version.txt"
    bare_window.ask("terminal", line=f"ttsr-ls --version > {version}")
    while not version.exists() or not version.read_text():
        assert time.monotonic() < deadline, "the terminal does not find the server"
        time.sleep(0.1)
    assert version.read_text().startswith("ttsr-ls ")
