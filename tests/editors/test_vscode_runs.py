"""What a real VS Code shows of agents while they run."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.editors.live_agent import live_agent
from tests.editors.probed import PATIENCE, ROOT
from tests.editors.scene import Scene, make_scene
from tests.editors.vscode_window import BELOW_THE_TITLE, NOT_SHOWN, VsCode, Window

pytestmark = pytest.mark.editor

IS_FOR_MANUAL = bool(os.environ.get("TTSR_UPDATE_SCREENSHOT"))
NEUTRAL = Path("/home/me")
"""The folder of the picture's project. It must not exist."""
PICTURE = ROOT / "docs" / "images" / "runs.png"
FIRED = "⚡ rule 'no-deprecated-module' fired on write of demo.py: “import deprecated_module”"
WATCHED = FIRED.replace(":", ", which would have been interrupted:", 1)


def row(text: str) -> str:
    return f'.pane-body .monaco-list-row:has-text("{text}")'


@pytest.fixture(scope="module")
def scene(with_files: Callable[[Mapping[str, str]], Scene]) -> Scene:
    return with_files({})


def test_a_running_session_is_followed(vscode: Window, scene: Scene, tmp_path: Path) -> None:
    vscode.ask("open", path=str(scene.firing))
    vscode.ask("command", name="ttsr.showRuns")
    vscode.look("waitFor", selector='.pane-body:has-text("No agent has run here yet.")')
    # Somebody without an agent sees a run, too.
    vscode.look("waitFor", selector='.pane-body .monaco-button:has-text("Play Demonstration")')
    with live_agent(scene) as agent:
        agent.speak_until("print('he")
        vscode.look("waitFor", selector=row("a prompt that the agent does not print"))
        vscode.look("waitFor", selector=row("no-deprecated-module"))
        vscode.look("waitFor", selector='.notification-toast:has-text("fired on write of demo.py")')
        vscode.look("waitFor", selector='.notification-toast .monaco-button:has-text("Silence This Rule")')
        vscode.look("click", selector='.notification-toast .monaco-button:has-text("Show in Transcript")')
        # The answer is not on record yet: it is shown as far as it has come.
        early = vscode.ask("shownText", wanted=[FIRED, "  import deprecated_module", "print('he", "● text …"])
        assert early["uri"].startswith("ttsr-transcript://run/")
        # A folder that is not trusted has a box around each of these characters, if nobody forbids it.
        for kind in ("nonBasicASCII", "ambiguousCharacters"):
            assert vscode.ask("setting", name=f"editor.unicodeHighlight.{kind}", uri=early["uri"]) is False
        assert "the turn is completed" not in early["text"]
        agent.finish()
        grown = vscode.ask("shownText", wanted=["● text", "▸ Write", "hello from", "the turn is completed"])
        assert grown["uri"] == early["uri"]
        assert (grown["text"].count(FIRED), grown["text"].count(WATCHED)) == (0, 1)
        assert grown["text"].index("import deprecated_module") < grown["text"].index(WATCHED)
    vscode.look("waitFor", selector=row("ended"))
    # A turn begins with its time, before the first words of what is known of it. A trigger has its outcome also as its
    # icon, which is visible in a side bar of any width.
    vscode.look("waitFor", selector=f'{row("answer: ")} :text-matches("^[0-2][0-9]:[0-5][0-9] answer: ")')
    vscode.look("waitFor", selector=f"{row('would interrupt · deprecated_module')} .codicon-eye")
    vscode.look("click", selector=row("ended"), button="right")
    vscode.look("choose", selector='.monaco-menu .action-label:has-text("Open transcript")')
    # From the menu of the view; the transcript's text stays as it is, and its lens follows.
    vscode.look("click", selector=row("no-deprecated-module"), button="right")
    vscode.look("waitFor", selector='.monaco-menu .action-label:has-text("Open file")')
    vscode.look("waitFor", selector='.monaco-menu .action-label:has-text("Open rule")')
    vscode.look("choose", selector='.monaco-menu .action-label:has-text("Silence this rule for the session")')
    vscode.look("waitFor", selector='.codelens-decoration:has-text("Stop silencing this rule")')
    # The mark on the rule leads to the same commands.
    (mark,) = (item for item in vscode.wait_for(scene.firing, bool) if item["code"] == "triggered")
    line, character, *_ = mark["range"]
    offered = vscode.ask("actions", path=str(scene.firing), line=line, character=character)
    assert {"Show in transcript", "Stop silencing this rule", "Clear triggers"} <= set(offered)


def test_agents_at_the_same_time_stand_side_by_side(vscode: Window, scene: Scene) -> None:
    scene.play(scene.recorded_run())
    vscode.ask("command", name="ttsr.showRuns")
    vscode.look("waitFor", selector=row("ended"))
    vscode.ask("command", name="ttsr.clearFinishedRuns")
    vscode.look("waitFor", selector=row("ended"), state="detached")
    # What was cleared stays so when the server starts anew.
    vscode.ask("command", name="ttsr.restart")
    vscode.look("waitFor", selector='.pane-body:has-text("All finished runs were cleared.")')
    assert vscode.look("text", selector=row("ended")) == []
    with live_agent(scene) as first, live_agent(scene) as second:
        first.speak_until("print('he")
        second.speak_until("print('he")
        vscode.look("waitFor", selector=f"{row('no-deprecated-module')} >> nth=1")
        first.finish()
        vscode.look("waitFor", selector=row("ended"))
        second.finish()
        vscode.look("waitFor", selector=f"{row('ended')} >> nth=1")


def test_names_make_no_links(vscode: Window, scene: Scene) -> None:
    rule = scene.firing.with_name("[x](command:workbench.action.closeAllEditors) $(zap) <a href=x>.md")
    rule.write_text(scene.firing.read_text())
    vscode.ask("command", name="ttsr.showRuns")
    try:
        with live_agent(scene) as agent:
            agent.speak_until("print('he")
            vscode.look("waitFor", selector=row("$(zap) <a href=x>"))
            vscode.look("waitFor", selector='.notification-toast:has-text("closeAllEditors")')
            assert vscode.look("text", selector=".notification-list-item-message a") == []
            assert vscode.look("text", selector=".notification-list-item-message .codicon") == []
            agent.finish()
    finally:
        rule.unlink()


def test_the_demonstration_makes_a_project_and_offers_to_open_it(vscode: Window, scene: Scene) -> None:
    vscode.ask("command", name="notifications.clearAll")
    vscode.ask("start_command", name="ttsr.playDemo")
    toast = '.notification-toast:has-text("the demonstration is in")'
    vscode.look("waitFor", selector=f"{toast} .monaco-button:has-text('Open in New Window')")
    [made] = re.findall(r"is in (\S+ttsr-demo-\w+)\.", vscode.look("text", selector=toast)[0])
    rules = Path(made) / ".omp" / "rules"
    deadline = time.monotonic() + PATIENCE
    while not list(rules.glob("py-no-bare-except.md")):
        assert time.monotonic() < deadline, "the demonstration made no rules"
        time.sleep(0.1)
    vscode.ask("command", name="workbench.action.terminal.killAll")
    vscode.ask("command", name="notifications.clearAll")
    vscode.ask("command", name="workbench.action.closePanel")
    shutil.rmtree(made)


@pytest.fixture
def pictured(scene: Scene, vscode_home: Path) -> Iterator[Scene]:
    """The scene; for the manual in a folder with a neutral path, because a transcript shows paths."""
    if not IS_FOR_MANUAL:
        yield scene
        return
    NEUTRAL.mkdir()
    try:
        yield make_scene(NEUTRAL, vscode_home)
    finally:
        shutil.rmtree(NEUTRAL)


def test_looks_as_the_manual_shows_it(vscode_program: VsCode, pictured: Scene, tmp_path: Path) -> None:
    picture = PICTURE if IS_FOR_MANUAL else tmp_path / "runs.png"
    vscode, scene = vscode_program.window(pictured.folder), pictured
    for command in ("workbench.action.closeAllEditors", "workbench.action.closeAuxiliaryBar", "ttsr.showRuns"):
        vscode.ask("command", name=command)
    with live_agent(scene) as agent:
        agent.speak_until('"message_stop"')
        vscode.look("waitFor", selector=".codicon-sync.codicon-modifier-spin")
        vscode.look("click", selector=row("no-deprecated-module"))
        transcript = vscode.ask("shownText", wanted=["▸ Write", WATCHED])["text"]
        assert transcript.startswith(f"claude in {scene.folder}\n")
        vscode.look("waitFor", selector='.codelens-decoration:has-text("Silence this rule for the session")')
        vscode.look("waitFor", selector='.notification-toast:has-text("fired")')
        vscode.look("style", css=NOT_SHOWN)
        vscode.look("screenshot", path=str(picture), clip=BELOW_THE_TITLE, scale="css")
        assert picture.read_bytes().startswith(b"\x89PNG")
        agent.finish()
