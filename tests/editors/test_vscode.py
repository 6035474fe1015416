"""What a real VS Code shows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.editors.edited_file import check_marks_of_an_edit
from tests.editors.probed import ROOT
from tests.editors.scene import FIRING, Scene, shown
from tests.editors.vscode_window import BELOW_THE_TITLE, NOT_SHOWN, Window

pytestmark = pytest.mark.editor

SCREENSHOT = ROOT / "docs" / "images" / "vscode.png"


def test_findings_are_those_of_check(vscode: Window, scene: Scene, tmp_path: Path) -> None:
    expected = scene.check(scene.broken)
    assert len(expected) >= 5
    vscode.ask("open", path=str(scene.broken))
    diagnostics = vscode.wait_for(scene.broken, lambda found: len(found) >= len(expected))
    assert shown(diagnostics) == expected
    assert all(diagnostic["href"] for diagnostic in diagnostics)


def test_problems_of_rules_that_are_not_open_are_listed(vscode: Window, scene: Scene) -> None:
    path = scene.broken.with_name("closed.md")
    path.write_text("---\nconditon: x\ncondition: zzz\n---\nno\n")
    try:
        found = vscode.wait_for(path, bool)
        assert [one["code"] for one in found] == ["unknown-key"]
    finally:
        path.unlink()
    vscode.wait_for(path, lambda found: not found)


def test_a_trigger_of_a_run_shows_and_goes_with_the_next_run(vscode: Window, scene: Scene) -> None:
    vscode.ask("open", path=str(scene.target))
    vscode.ask("open", path=str(scene.firing))
    assert vscode.ask("hover", path=str(scene.firing), line=2, character=2)
    scene.play(scene.recorded_run())
    on_rule = vscode.wait_for(scene.firing, bool)
    assert [one["code"] for one in on_rule] == ["triggered"]
    assert FIRING.splitlines()[on_rule[0]["range"][0]].startswith("condition")
    assert on_rule[0]["related"][0]["path"] == str(scene.target)
    on_target = vscode.wait_for(scene.target, bool)
    assert [(one["code"], one["range"]) for one in on_target] == [("triggered", [0, 7, 1, 0])]
    scene.play("")
    vscode.wait_for(scene.firing, lambda found: not found)
    vscode.wait_for(scene.target, lambda found: not found)


def test_an_edit_is_marked_where_the_agent_makes_it(vscode: Window, scene: Scene) -> None:
    check_marks_of_an_edit(vscode, scene, lambda found: found["range"][0])


def test_documentation_of_a_finding_opens_rendered(vscode: Window, scene: Scene) -> None:
    vscode.ask("open", path=str(scene.broken))
    found = vscode.wait_for(scene.broken, bool)
    line = next(one["range"][0] for one in found if one["code"] == "unknown-key")
    title = "Open the documentation of unknown-key"
    assert title in vscode.ask("actions", path=str(scene.broken), line=line, run=title)
    rendered = {"uri": "ttsr-docs:/findings/unknown-key.md", "view": "vscode.markdown.preview.editor"}
    assert vscode.ask("tab") == rendered
    assert "What happens" in vscode.look("inFrame", selector="h2#what-happens")
    # The link of the code in the list of problems, and a link in the page, lead to rendered pages too.
    other = next(one for one in found if one["code"] != "unknown-key")
    vscode.ask("open_uri", uri=other["href"])
    assert vscode.ask("tab") == {**rendered, "uri": f"ttsr-docs:/findings/{other['code']}.md"}
    vscode.ask("command", name="workbench.action.closeAllEditors")


def test_configuration_is_checked_and_completed(vscode: Window, scene: Scene) -> None:
    configuration = scene.folder / "ttsr-ls.toml"
    configuration.write_text('ignore = ["inert-nam"]\n')
    try:
        vscode.ask("open", path=str(configuration))
        (found,) = vscode.wait_for(configuration, bool)
        assert (found["code"], found["range"]) == ("invalid-configuration", [0, 10, 0, 21])
        assert '"inert-name"' in vscode.ask("complete", path=str(configuration), line=0, character=15)
        (said,) = vscode.ask("hover", path=str(configuration), line=0, character=2)
        assert said[0].startswith("**`ignore`**")
    finally:
        configuration.unlink()
        vscode.ask("command", name="workbench.action.closeAllEditors")


def test_looks_as_the_readme_shows_it(vscode: Window, scene: Scene, tmp_path: Path) -> None:
    picture = SCREENSHOT if os.environ.get("TTSR_UPDATE_SCREENSHOT") else tmp_path / "vscode.png"
    # The extension host keeps a document of a closed tab for minutes; its findings must go with its file.
    vscode.ask("command", name="workbench.action.closeAllEditors")
    scene.broken.unlink()
    vscode.wait_for(scene.broken, lambda found: not found)
    (scene.folder / "STATUS.md").write_text("The import is done, and all tests pass")
    expected = scene.check(scene.showcase)
    for command in ("closeSidebar", "closeAuxiliaryBar"):
        vscode.ask("command", name=f"workbench.action.{command}")
    vscode.ask("open", path=str(scene.showcase), line=3)
    vscode.wait_for(scene.showcase, lambda found: len(found) == len(expected))
    vscode.ask("command", name="workbench.actions.view.problems")
    vscode.ask("command", name="list.clear")
    vscode.ask("command", name="workbench.action.focusActiveEditorGroup")
    vscode.look("waitFor", selector=f".markers-panel .monaco-list-row >> nth={len(expected)}")
    vscode.look("waitFor", selector=".squiggly-error")
    vscode.look("waitFor", selector='.view-line:has-text("ttsr:")')
    vscode.look("waitFor", selector='.codelens-decoration:has-text("matches 1 place")')
    vscode.ask("command", name="notifications.clearAll")
    vscode.look("waitFor", selector=".notifications-toasts", state="hidden")
    vscode.look("style", css=NOT_SHOWN)
    picture.parent.mkdir(parents=True, exist_ok=True)
    vscode.look("screenshot", path=str(picture), clip=BELOW_THE_TITLE, scale="css")
    assert picture.read_bytes().startswith(b"\x89PNG")
