"""A server that ends again and again in a real VS Code: each view offers to start it, and goes on once it runs."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.editors.probed import ROOT
from tests.editors.scene import Scene
from tests.editors.vscode_window import VsCode, Window, until

pytestmark = pytest.mark.editor

RUNNING = ".statusbar-item[aria-label*='The TTSR server is running']"
RULE = "---\ncondition: 'as any'\nscope: tool:edit(*.ts)\n---\nNo.\n\n```ts ttsr:fires\nx as any\n```\n"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds the server's process id, `broken` while the server cannot start, and `hanging` while it never answers."""
    return tmp_path_factory.mktemp("ended")


@pytest.fixture(scope="module")
def scene(with_files: Callable[[Mapping[str, str]], Scene], scratch: Path) -> Scene:
    """A workspace with a server of its own."""
    program = scratch / "ttsr-ls"
    folder = shlex.quote(str(scratch))
    ours = f"PYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -m ttsr_ls"
    program.write_text(
        f"#!/bin/sh\n[ ! -e {folder}/broken ] || exit 3\n[ ! -e {folder}/hanging ] || cat >{folder}/hanging\n"
        f'[ "$1" != serve ] || echo $$ > {folder}/pid\n{ours} "$@"\n'
    )
    program.chmod(0o755)
    return with_files(
        {
            ".omp/rules/no-any.md": RULE,
            "cart.ts": "let a = b as any;\n",
            ".vscode/settings.json": json.dumps({"ttsr.path": str(program)}),
        }
    )


def test_a_new_program_replaces_the_server_without_an_error_in_the_log(
    vscode: Window, scene: Scene, scratch: Path, vscode_program: VsCode
) -> None:
    vscode.ask("open", path=str(scene.firing))
    vscode.look("waitFor", selector=RUNNING)
    settings = scene.folder / ".vscode" / "settings.json"
    before, first = vscode_program.extension_log(), settings.read_text()

    def new_log() -> str:
        return vscode_program.extension_log().removeprefix(before)

    other = (scratch / "ttsr-ls").rename(scratch / "other")
    other.with_name("ttsr-ls").symlink_to(other)
    for starts, text in enumerate((json.dumps({"ttsr.path": str(other), "ttsr.lenses": False}), first), start=1):
        settings.write_text(text)
        until(lambda: new_log().count("[info] starting ") == starts)  # noqa: B023 - called in this turn of the loop
        # The status item may still show the server before. It had ended before this one was started.
        until(lambda: vscode.ask("hover", path=str(scene.firing), line=2, character=2))
        vscode.look("waitFor", selector=RUNNING)
    assert f"starting {other} (from setting)" in new_log()
    assert "[error]" not in new_log()
    assert "[warning]" not in new_log()


def kill(vscode: Window, scratch: Path) -> None:
    """Ends the server once it answers, and waits until the window shows that."""
    vscode.look("waitFor", selector=RUNNING)
    os.kill(int((scratch / "pid").read_text()), signal.SIGKILL)
    vscode.look("waitFor", selector=RUNNING, state="detached")


def toast(text: str) -> str:
    """The button of a message that starts the server."""
    return f".notification-toast:has-text('{text}') .monaco-button:has-text('Start Server')"


def test_each_view_offers_to_start_a_server_that_ended_too_often(vscode: Window, scene: Scene, scratch: Path) -> None:
    vscode.ask("open", path=str(scene.firing.with_name("no-any.md")))
    vscode.ask("command", name="ttsr.openPlayground")
    vscode.look("inFrame", selector="#answer:not([hidden]) #gates li")
    (scratch / "broken").touch()
    kill(vscode, scratch)
    vscode.look("waitFor", selector=toast("the server ended, and could not be started again"))
    assert len(vscode.look("text", selector=".notification-toast")) == 1
    vscode.look("inFrame", selector="#summary:has-text('The playground needs the server, which is not running.')")
    vscode.look("inFrame", selector="#remedies button:has-text('Start server')")
    vscode.look("waitFor", selector=".statusbar-item[aria-label*='is not running. Click to start it']")
    vscode.ask("command", name="ttsr.showRuns")
    vscode.look("waitFor", selector=".pane-body .monaco-button:has-text('Start Server')")
    (scratch / "broken").unlink()
    vscode.look("inFrame", selector="#remedies button:has-text('Start server')", action="click")
    vscode.look("inFrame", selector="#answer:not([hidden]) #gates li")
    vscode.look("inFrame", selector="#remedies:empty")
    vscode.look("waitFor", selector=".pane-body .monaco-button:has-text('Start Server')", state="hidden")


def test_a_server_that_does_not_answer_is_replaced_by_a_restart(vscode: Window, scene: Scene, scratch: Path) -> None:
    vscode.look("waitFor", selector=RUNNING)
    hanging = scratch / "hanging"
    hanging.touch()
    vscode.ask("start_command", name="ttsr.restart")
    until(lambda: hanging.stat().st_size)
    vscode.look("waitFor", selector=".statusbar-item[aria-label*='The TTSR server is starting']")
    hanging.unlink()
    vscode.ask("command", name="ttsr.restart")
    vscode.look("waitFor", selector=RUNNING)
    assert vscode.look("text", selector=".notification-toast:has-text('did not start')") == []


def test_a_program_that_is_no_server_is_named(vscode: Window, scene: Scene, scratch: Path) -> None:
    vscode.look("waitFor", selector=RUNNING)
    (scratch / "broken").touch()
    vscode.ask("command", name="ttsr.restart")
    message = (
        f".notification-toast:has-text(\"did not start: {scratch / 'ttsr-ls'}, which the setting 'ttsr.path' names\")"
    )
    vscode.look("waitFor", selector=message)
    (scratch / "broken").unlink()
    # In a browser, the setting is one of the remote machine.
    vscode.look("click", selector=f"{message} .monaco-button:has-text('Open Setting')")
    vscode.look("waitFor", selector=".setting-item:has-text('The ttsr-ls program')")
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("command", name="ttsr.restart")
    vscode.look("waitFor", selector=RUNNING)


def test_the_walkthrough_marks_steps_done_that_were_taken_before(vscode: Window, scene: Scene) -> None:
    vscode.look("waitFor", selector=RUNNING)
    vscode.ask("command", name="ttsr.newRule", arguments=["never-again"])
    vscode.ask("command", name="workbench.action.openWalkthrough", arguments=["ttsr-ls.ttsr-ls#ttsr.start", False])
    vscode.look("waitFor", selector="[data-done-step-id$='#serverRuns'][aria-checked='true']")
    assert vscode.look("text", selector="[data-done-step-id$='#server']") == []
    vscode.look("waitFor", selector="[data-done-step-id$='#rule'][aria-checked='true']")


def test_the_walkthrough_leads_to_a_new_rule(vscode: Window, scene: Scene) -> None:
    vscode.look("waitFor", selector=RUNNING)
    vscode.ask("command", name="workbench.action.openWalkthrough", arguments=["ttsr-ls.ttsr-ls#ttsr.start", False])
    vscode.look("click", selector=".getting-started-step:has-text('Write a rule')")
    vscode.look("click", selector=".getting-started-step .monaco-button:has-text('New Rule')")
    # The page may take the focus, so the boxes are clicked; they stay open all the same.
    vscode.look("click", selector=".quick-input-widget .monaco-list-row.focused:has-text('a regular expression')")
    vscode.look("waitFor", selector=".quick-input-widget:has-text('What is the rule called?')")
    vscode.look("click", selector=".quick-input-widget .quick-input-box input")
    for key in (*"no-three", "Enter"):
        vscode.look("press", keys=key)
    assert vscode.ask("shownText", wanted=["description: No three.\n"])["uri"].endswith(".omp/rules/no-three.md")


def test_a_server_that_keeps_ending_is_started_by_the_message(vscode: Window, scene: Scene, scratch: Path) -> None:
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("open", path=str(scene.folder / "cart.ts"))
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    vscode.look("inFrame", selector="section.fires")
    for _ in range(4):
        kill(vscode, scratch)
    kill(vscode, scratch)
    vscode.look("waitFor", selector=toast("the server ended five times within three minutes"))
    vscode.look("inFrame", selector="#noServer:has-text('A test needs the server, which is not running.')")
    vscode.look("click", selector=toast("the server ended five times within three minutes"))
    vscode.look("waitFor", selector=RUNNING)
    vscode.look("untilGone", selector="#noServer")
