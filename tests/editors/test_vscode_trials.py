"""Trying rules on a text in a real VS Code: marks in the text, and the panel with the result."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.editors.probed import ROOT
from tests.editors.scene import Scene
from tests.editors.vscode_window import BELOW_THE_TITLE, NOT_SHOWN, Window

pytestmark = pytest.mark.editor

IMAGES = ROOT / "docs" / "images"

TODO = """\
---
description: Open points are tickets.
condition:
  - '\\bTODO\\b(?: \\((?<who>\\w+)\\))?'
  - 'FIXME'
scope: tool:edit(*.ts), tool:write(*.ts)
---

Write a ticket, and name its number.
"""

RATE = """\
---
description: Rates stand in the configuration.
condition: 'rate = [\\d.]+'
scope: thinking
---

Read the rate from the configuration.
"""

CODE = """\
export function total(prices: number[]): number {
  // TODO (ann) rounding
  return prices.reduce((sum, price) => sum + price, 0);
}

// FIXME: taxes
export const rate = 0.2; // TODO
"""


@pytest.fixture(scope="module")
def scene(with_files: Callable[[Mapping[str, str]], Scene]) -> Scene:
    """A workspace in which a rule matches three times in a file."""
    return with_files(
        {
            ".omp/rules/no-todo.md": TODO,
            ".omp/rules/no-fixed-rate.md": RATE,
            "prices.ts": CODE,
            # An answer takes longer than an edit.
            "long.ts": "const a = 1;\n" * 5_000 + "// TODO\n",
            "NOTES.md": "# Notes\n\nA TODO in prose.\n",
        }
    )


@pytest.fixture
def code(vscode: Window, scene: Scene) -> Path:
    """The file, open and alone."""
    for command in ("revertAndCloseActiveEditor", "closeAllEditors", "closeSidebar"):
        vscode.ask("command", name=f"workbench.action.{command}")
    vscode.look("untilGone", selector="main#view")
    path = scene.folder / "prices.ts"
    vscode.ask("open", path=str(path))
    return path


def hover(vscode: Window, line: int, character: int, has: str) -> str:
    """What the editor shows in a hover over the text of the first group."""
    vscode.ask("command", name="workbench.action.focusFirstEditorGroup")
    vscode.ask("select", start=[line, character], end=[line, character])
    vscode.ask("command", name="editor.action.showHover")
    shown = f".monaco-hover .hover-row:has-text('{has}')"
    vscode.look("waitFor", selector=shown)
    return str(vscode.look("text", selector=shown)[0])


def test_the_whole_file_is_tried_as_the_chosen_kind(vscode: Window, code: Path, tmp_path: Path) -> None:
    vscode.ask("start_command", name="ttsr.testSelection")
    vscode.look("waitFor", selector=".quick-input-widget .monaco-list-row:has-text('Edit of this file')")
    vscode.look("press", keys="Enter")
    assert "1 of 4 rules fires on this edit of prices.ts: no-todo." in vscode.look("inFrame", selector="h1")
    section = vscode.look("inFrame", selector="section.fires")
    assert "TODO (ann) by" in section
    assert "Streamed in deltas of 16 characters, it fires with delta 4, after 60 characters" in section
    assert "as in oh-my-pi (reference matching), it fires with delta 4, after 64 characters." in section
    # One mark a line with a match.
    vscode.look("waitFor", selector=".margin .cgmr.codicon, .margin [class*='ced-'] >> nth=2")
    shown = hover(vscode, 1, 7, "fires here")
    assert "no-todo fires here" in shown
    assert 'who = "ann"' in shown.replace("\xa0", " ")
    vscode.look("waitFor", selector=".monaco-hover a[data-href$='no-todo.md#L4']")
    # The kind is remembered: nobody is asked again.
    vscode.ask("command", name="workbench.action.focusFirstEditorGroup")
    vscode.ask("command", name="ttsr.testSelection")


def test_a_silent_rule_that_matches_names_the_gate_that_stops_it(vscode: Window, code: Path) -> None:
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    section = vscode.look("inFrame", selector="section.silent")
    assert "no-fixed-rate" in section
    assert "Gate “in scope”" in section
    assert "The gate “in scope” stops it." in hover(vscode, 6, 14, "stops it")
    # The title of a gate alone would say the opposite.
    assert "✗ " in vscode.look("inFrame", selector="td:has-text('✗')")


def test_marks_and_result_follow_the_edits(vscode: Window, code: Path) -> None:
    vscode.ask("select", start=[1, 0], end=[1, 24])
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    assert "line 2" in vscode.look("inFrame", selector="section.fires:has-text('line 2')")
    vscode.ask("edit", at=[0, 0], text="// new\n")
    assert "line 3" in vscode.look("inFrame", selector="section.fires:has-text('line 3')")
    vscode.ask("edit", at=[2, 5], text="x")
    assert "None of 4 rules fires" in vscode.look("inFrame", selector="h1:has-text('None of 4')")
    vscode.ask("command", name="ttsr.clearTest")


def test_a_result_shows_though_the_text_is_edited_before_the_answer(vscode: Window, code: Path, scene: Scene) -> None:
    vscode.ask("open", path=str(scene.folder / "long.ts"))
    vscode.ask("start_command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    vscode.ask("edit", at=[0, 0], text="// new\n")
    assert "long.ts, the whole file" in vscode.look("inFrame", selector="main:has-text('line 5002')")
    vscode.ask("command", name="undo")


def test_the_selection_of_the_editor_behind_a_page_is_tried(vscode: Window, code: Path) -> None:
    vscode.ask("select", start=[1, 0], end=[1, 24])
    vscode.ask("command", name="workbench.action.openWalkthrough", arguments=["ttsr-ls.ttsr-ls#ttsr.start", False])
    vscode.look("waitFor", selector=".gettingStartedContainer")
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    vscode.look("inFrame", selector="main:has-text('prices.ts, line 2')")
    assert "line 2" in vscode.look("inFrame", selector="section.fires:has-text('line 2')")


def test_a_selection_of_whole_lines_does_not_count_the_next_line(vscode: Window, code: Path) -> None:
    for end, lines in ((3, "lines 2 to 3"), (2, "line 2")):
        vscode.ask("command", name="workbench.action.focusFirstEditorGroup")
        vscode.ask("select", start=[1, 0], end=[end, 0])
        vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
        vscode.look("inFrame", selector=f"main:has-text('prices.ts, {lines} Try as')")


def test_the_result_does_not_cover_the_text(vscode: Window, code: Path) -> None:
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    vscode.look("inFrame", selector="section.fires:has-text('line 7')")
    vscode.ask("command", name="workbench.action.focusFirstEditorGroup")
    vscode.ask("command", name="workbench.action.moveEditorToNextGroup")
    vscode.look("untilGone", selector="main#view")
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    vscode.look("inFrame", selector="section.fires:has-text('line 7')")
    vscode.look("waitFor", selector=".tab.active[aria-label^='prices.ts']")


def test_a_link_of_the_result_leads_to_the_match_and_to_the_condition(vscode: Window, code: Path, scene: Scene) -> None:
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    vscode.look("inFrame", selector="section.fires button:has-text('line 6')", action="click")
    vscode.ask("until_selected", selection=[5, 3, 5, 8])
    vscode.look("inFrame", selector="section.fires button.code:has-text('FIXME')", action="click")
    vscode.ask("until_selected", selection=[4, 0, 4, 0])
    assert vscode.ask("active")["path"].endswith("no-todo.md")


def test_prose_is_offered_as_a_reply_first(vscode: Window, scene: Scene, code: Path) -> None:
    vscode.ask("open", path=str(scene.folder / "NOTES.md"))
    vscode.ask("start_command", name="ttsr.testSelectionAs")
    vscode.look("waitFor", selector=".quick-input-widget .monaco-list-row.focused:has-text('Reply text')")
    vscode.look("press", keys="Escape")


def test_looks_as_the_documentation_shows_it(vscode: Window, code: Path, tmp_path: Path) -> None:
    picture = (IMAGES if os.environ.get("TTSR_UPDATE_SCREENSHOT") else tmp_path) / "vscode-test.png"
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    vscode.look("inFrame", selector="section.fires:has-text('line 7')")
    vscode.ask("command", name="workbench.action.focusFirstEditorGroup")
    vscode.ask("select", start=[1, 7], end=[1, 7])
    vscode.ask("command", name="notifications.clearAll")
    vscode.ask("command", name="editor.action.showHover")
    vscode.look("waitFor", selector=".monaco-hover:has-text('fires here')")
    vscode.look("style", css=NOT_SHOWN)
    vscode.look("screenshot", path=str(picture), clip=BELOW_THE_TITLE, scale="css")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size < 150_000


def test_rules_are_listed_in_the_order_in_which_they_fire(vscode: Window, code: Path, scene: Scene) -> None:
    late = "---\ndescription: Late.\ncondition: 'FIXME'\nscope: tool:edit(*.ts)\n---\n\nDo it now.\n"
    scene.firing.with_name("a-late.md").write_text(late)
    vscode.ask("command", name="ttsr.restart")
    vscode.ask("command", name="ttsr.testSelection", arguments=[{"kind": "edit"}])
    summary = vscode.look("inFrame", selector="h1:has-text('a-late')")
    assert "no-todo, a-late" in summary
    vscode.look("inFrame", selector="section.fires:has-text('no-todo') + section.fires:has-text('a-late')")
