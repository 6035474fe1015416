"""Many rules fire at once in a real VS Code: few messages, lenses that count, and no trigger that was cleared."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.bridge.adapters.claude_stream import answer, init, prompt, prose, result
from tests.editors.live_agent import live_agent
from tests.editors.scene import Scene, make_scene
from tests.editors.vscode_window import VsCode, Window

pytestmark = pytest.mark.editor

COUNT = 50
RULE = "---\ncondition: 'word{:02}'\nscope: text\ninterruptMode: always\n---\nSay something else.\n"
TOAST = ".notification-toast:has-text('fired')"
MESSAGE = ".notifications-center .notification-list-item-message:has-text('fired')"
ROW = ".pane-body .monaco-list-row"


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, vscode_home: Path) -> Scene:
    """A workspace, whose runs no other test sees, with fifty rules that each fire at a word of their own."""
    made = make_scene(tmp_path_factory.mktemp("fifty").resolve(), vscode_home)
    for number in range(COUNT):
        made.firing.with_name(f"rule-{number:02}.md").write_text(RULE.format(number))
    return made


def speech(scene: Scene) -> str:
    """An agent's reply that breaks each rule, one with each delta."""
    deltas = [f"word{number:02} " for number in range(COUNT)]
    lines = [init(str(scene.folder)), prompt("go"), *answer(prose("text", deltas)), result()]
    return "".join(json.dumps(line) + "\n" for line in lines)


def triggers_named(message: str) -> int:
    """The number of triggers that a message is about."""
    counted = re.search(r"fired (\d+) times", message)
    return int(counted[1]) if counted else 1


def test_fifty_triggers_in_a_moment_make_two_messages(vscode: Window, scene: Scene) -> None:
    rule = scene.firing.with_name("rule-00.md")
    vscode.ask("open", path=str(rule))
    vscode.ask("command", name="ttsr.showRuns")
    vscode.look("waitFor", selector=".pane-body:has-text('No agent has run here yet.')")
    # VS Code asks for the lenses of a text when it has had the focus for a moment.
    vscode.ask("command", name="workbench.action.focusActiveEditorGroup")
    vscode.look("waitFor", selector=".codelens-decoration:has-text('Playground')")
    vscode.ask("hold_pauses")
    with live_agent(scene, speech(scene)) as agent:
        agent.speak_until("word00")
        vscode.look("waitFor", selector=TOAST)
        # A lens that was there before a rule fired counts along.
        vscode.look("waitFor", selector=".codelens-decoration:has-text('fired 1×')")
        agent.finish()
    vscode.look("waitFor", selector=f"{ROW}:has-text('{COUNT} triggers')")
    vscode.ask("release_pauses")
    # The list has also messages that are not on the screen any more.
    vscode.ask("command", name="notifications.showList")
    vscode.look("waitFor", selector=f"{MESSAGE} >> nth=1")
    messages = vscode.look("text", selector=MESSAGE)
    assert sorted(triggers_named(message) for message in messages) == [1, COUNT - 1], messages
    marked = [vscode.wait_for(scene.firing.with_name(f"rule-{number:02}.md"), bool) for number in range(COUNT)]
    assert {found["code"] for shown in marked for found in shown} == {"triggered"}


def test_cleared_triggers_stay_cleared_in_another_window(vscode: Window, vscode_program: VsCode, scene: Scene) -> None:
    scene.play(speech(scene))
    rules = [scene.firing.with_name(f"rule-{number:02}.md") for number in range(COUNT)]
    for rule in rules:
        vscode.wait_for(rule, bool)
    vscode.ask("command", name="ttsr.clearTriggers")
    for rule in rules:
        vscode.wait_for(rule, lambda shown: not shown)
    vscode.ask("command", name="ttsr.showRuns")
    vscode.look("waitFor", selector=f"{ROW}:has-text('ended')")
    vscode.ask("command", name="ttsr.clearFinishedRuns")
    vscode.look("waitFor", selector=".pane-body:has-text('All finished runs were cleared.')")
    vscode_program.close()
    window = vscode_program.window(scene.folder)
    window.ask("open", path=str(rules[0]))
    window.ask("command", name="ttsr.showRuns")
    window.look("waitFor", selector=".pane-body:has-text('All finished runs were cleared.')")
    # The next run shows, and is all that shows.
    scene.play(scene.recorded_run())
    assert [one["code"] for one in window.wait_for(scene.firing, bool)] == ["triggered"]
    window.look("waitFor", selector=f"{ROW}:has-text('no-deprecated-module')")
    assert window.look("text", selector=f"{ROW}:has-text('rule-')") == []
    for rule in rules:
        assert window.wait_for(rule, lambda _: True) == []
    # A window that opens later counts the triggers that it shows.
    vscode_program.close()
    window = vscode_program.window(scene.folder)
    window.look("waitFor", selector=".statusbar-item[aria-label*='1 trigger in this run']")
