"""Writing a rule in a real VS Code: completion, hovers, fixes, and symbols."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.editors.probed import Diagnostic
from tests.editors.scene import Scene
from tests.editors.vscode_window import Window, until

pytestmark = pytest.mark.editor

HOVERED = """\
---
description: Nothing is called done before its tests have passed.
condition: '(?i)\\b(?:done|(?<x>finished))\\b'
scope: thinking, tool:edit(*.py)
globs: '*.py'
interruptMode: always
agents: reviewer
astCondition: print($X)
---

Run the tests.
"""
FIX_ON_SAVE = {"editor.codeActionsOnSave": {"source.fixAll.ttsr-ls": "explicit"}}
SUGGESTED = ".suggest-widget.visible .monaco-list-row"
ROW = ".quick-input-widget .monaco-list-row"
# Two keys are fixed safely; what `edti` means is a guess.
FIXABLE = """\
---
Description: Nothing is called done before its tests have passed.
condition: '\\bdone\\b'
scope: tool:edti(*.py)
interrupt_mode: always
---

Run the tests.
"""
FIXED = FIXABLE.replace("Description", "description").replace("interrupt_mode", "interruptMode")


@pytest.fixture(scope="module")
def scene(with_files: Callable[[Mapping[str, str]], Scene]) -> Scene:
    """A workspace with an empty rule file, a rule with each kind of value, and one with mistakes."""
    return with_files(
        {
            ".omp/rules/empty.md": "",
            ".omp/rules/hovered.md": HOVERED,
            ".omp/rules/fixable.md": FIXABLE,
        }
    )


@contextmanager
def opened(vscode: Window, scene: Scene, name: str) -> Iterator[str]:
    """Shows a rule file alone, and undoes what becomes of its text. Gives its path."""
    path = scene.firing.with_name(name)
    text = path.read_text()
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("open", path=str(path))
    vscode.ask("command", name="workbench.action.focusActiveEditorGroup")
    try:
        yield str(path)
    finally:
        # The other way round, VS Code would read the file again in the midst of the next test.
        path.write_text(text)
        vscode.ask("command", name="workbench.action.files.revert")


def test_an_empty_file_is_completed_by_a_whole_rule(vscode: Window, scene: Scene) -> None:
    with opened(vscode, scene, "empty.md") as path:
        # The first list is complete when the server has answered, and not before.
        assert vscode.ask("complete", path=path, line=0, character=0)[0] == "rule: a regular expression"
        vscode.ask("command", name="editor.action.triggerSuggest")
        vscode.look(
            "waitFor", selector=".suggest-widget .monaco-list-row.focused:has-text('rule: a regular expression')"
        )
        vscode.ask("command", name="acceptSelectedSuggestion")
        shown = vscode.ask("shownText", wanted=["description: Empty.\n", "condition: '", "\n---\n"])["text"]
        assert shown.startswith("---\n")
        # What is typed next is the description.
        line, start, _, end = vscode.ask("active")["selection"]
        assert shown.splitlines()[line][start:end] == "Empty."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["condition", "scope", "interruptMode"]),
        ("scope: ", ["text", "thinking", "tool:edit", "tool:bash"]),
        ("scope: tool:edit(", ["*.py"]),
        ("globs: ", ["*.py"]),
        ("condition: '\\", ["\\b", "\\d", "\\w"]),
        ("interruptMode: ", ["never", "prose-only", "tool-only", "always"]),
        ("agents: ", ["main", "sub"]),
        ("enabled: ", ["true", "false"]),
    ],
)
def test_each_key_and_its_values_are_completed(vscode: Window, scene: Scene, text: str, expected: list[str]) -> None:
    with opened(vscode, scene, "empty.md") as path:
        vscode.ask("edit", at=[0, 0], text=f"---\ndescription: D.\n{text}")
        offered = vscode.ask("complete", path=path, line=2, character=len(text))
        assert set(expected) <= set(offered), offered


def test_keys_are_suggested_while_they_are_typed_and_then_their_values(vscode: Window, scene: Scene) -> None:
    with opened(vscode, scene, "empty.md"):
        vscode.ask("edit", at=[0, 0], text="---\ncondition: x\n")
        for letter in "int":
            vscode.look("press", keys=letter)
        vscode.look("waitFor", selector=f"{SUGGESTED}.focused:has-text('interruptMode')")
        vscode.ask("command", name="acceptSelectedSuggestion")
        vscode.look("waitFor", selector=f"{SUGGESTED}:has-text('prose-only')")
        vscode.look("press", keys="Escape")
        assert vscode.ask("active")["text"].endswith("\ninterruptMode: ")
        # In the body, a letter is a letter.
        vscode.ask("edit", at=[2, len("interruptMode: ")], text="\n---\n")
        vscode.ask("select", start=[4, 0], end=[4, 0])
        vscode.look("press", keys="s")
        vscode.ask("shownText", wanted=["\n---\ns"])
        time.sleep(1)
        assert vscode.look("text", selector=SUGGESTED) == []


def test_an_escaped_bracket_gets_no_closing_one(vscode: Window, scene: Scene) -> None:
    with opened(vscode, scene, "empty.md"):
        vscode.ask("edit", at=[0, 0], text="---\n")
        for letter in r"condition: '\(a[b]\{\\(":
            before = vscode.ask("active")["text"]
            vscode.look("press", keys=letter)
            if letter != "]":
                # A key may get lost on a busy machine. A typed `]` replaces the added one, which changes nothing.
                until(lambda: vscode.ask("active")["text"] != before)  # noqa: B023 - called in this turn of the loop
        # An escaped backslash escapes no bracket.
        until(lambda: vscode.ask("active")["text"] == "---\ncondition: '\\(a[b]\\{\\\\()")


def test_a_condition_on_one_line_has_the_colours_of_the_grammar(vscode: Window, scene: Scene) -> None:
    with opened(vscode, scene, "empty.md"):
        # The server has no tokens for a condition that does not compile.
        vscode.ask("edit", at=[0, 0], text="---\ncondition: '\\bx('\n---\nNo.\n")
        vscode.look("waitFor", selector=r".view-line:has-text('condition:') > span > span:text-is('\\b')")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("description", "**`description`**"),
        ("called", "the rule has a trigger, so this line is in no prompt"),
        ("condition", "**`condition`**"),
        ("inished", "**Here:** `(?<x>finished)` group 1, named x"),
        ("scope", "**`scope`**"),
        ("thinking", "the agent's thinking"),
        ("edit(", "the arguments of the tool `edit`, on files that match `*.py`"),
        ("py'", "**1 file of the workspace matches**: `demo.py`"),
        ("always", "The rule interrupts all output that it fires on."),
        ("reviewer", "agents with this name"),
        ("print", "an ast-grep pattern"),
    ],
)
def test_each_key_and_value_is_explained(vscode: Window, scene: Scene, word: str, expected: str) -> None:
    path = scene.firing.with_name("hovered.md")
    before = HOVERED[: HOVERED.index(word)]
    at = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
    said = vscode.ask("hover", path=str(path), **at)
    assert any(expected in part for parts in said for part in parts), said


def test_a_hover_shows_the_parts_of_a_condition_as_a_list(vscode: Window, scene: Scene) -> None:
    with opened(vscode, scene, "hovered.md"):
        vscode.ask("select", start=[2, 20], end=[2, 20])
        vscode.ask("command", name="editor.action.showHover")
        vscode.look("waitFor", selector=".monaco-hover .hover-row ul ul li:has-text('group 1, named x')")


@contextmanager
def opened_with_findings(vscode: Window, scene: Scene) -> Iterator[list[Diagnostic]]:
    """Shows the rule with mistakes, and gives its findings. Before the server shows them, VS Code asks nobody for
    fixes: it saves the file as it is."""
    with opened(vscode, scene, "fixable.md") as path:
        # Until the server has read this text, those of the fixed text before may be shown.
        yield vscode.wait_for(Path(path), lambda shown: {"unknown-tool", "unknown-key"} <= set(codes(shown)))


def test_everything_safe_is_fixed_by_one_command(vscode: Window, scene: Scene) -> None:
    with opened_with_findings(vscode, scene):
        vscode.ask("start_command", name="editor.action.fixAll")
        assert vscode.ask("shownText", wanted=["interruptMode: always"])["text"] == FIXED


def test_a_rule_is_fixed_when_it_is_saved(vscode: Window, scene: Scene) -> None:
    path = scene.firing.with_name("fixable.md")
    with opened_with_findings(vscode, scene):
        vscode.ask("settings", values=FIX_ON_SAVE)
        try:
            vscode.ask("edit", at=[7, 0], text="First: ")
            vscode.ask("command", name="workbench.action.files.save")
        finally:
            vscode.ask("settings", values=dict.fromkeys(FIX_ON_SAVE))
        assert path.read_text() == FIXED.replace("Run", "First: Run")


def test_a_finding_is_ignored_where_it_is(vscode: Window, scene: Scene) -> None:
    path = scene.firing.with_name("fixable.md")
    with opened_with_findings(vscode, scene) as found:
        line, character, *_ = next(one["range"] for one in found if one["code"] == "unknown-tool")
        vscode.ask("actions", path=str(path), line=line, character=character, run="Ignore unknown-tool here")
        left = vscode.wait_for(path, lambda shown: "unknown-tool" not in codes(shown))
        assert codes(left) == [code for code in codes(found) if code != "unknown-tool"]
        assert "ttsr-ls: ignore[unknown-tool]" in vscode.ask("active")["text"]


def codes(shown: list[Diagnostic]) -> list[str]:
    return sorted(one["code"] for one in shown)


def test_the_outline_has_the_keys_of_the_rule(vscode: Window, scene: Scene) -> None:
    with opened(vscode, scene, "hovered.md"):
        vscode.ask("start_command", name="workbench.action.gotoSymbol")
        for name in ("description", "condition", "scope", "interruptMode", "astCondition"):
            vscode.look("waitFor", selector=f"{ROW}[aria-label*='{name}']")
        vscode.look("press", keys="Escape")


def test_rules_are_found_by_name_in_the_workspace(vscode: Window, scene: Scene) -> None:
    with opened(vscode, scene, "hovered.md"):
        vscode.ask("start_command", name="workbench.action.quickOpen", arguments=["#no-depr"])
        vscode.look("waitFor", selector=f"{ROW}.focused[aria-label*='no-deprecated-module']")
        vscode.look("press", keys="Enter")
        assert vscode.ask("shownText", wanted=["deprecated_module"])["uri"].endswith("no-deprecated-module.md")
