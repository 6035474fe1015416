"""A rule with its tests and matches in a real VS Code: findings, Test Explorer, lenses, hints, colours, its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.editors.scene import Scene
from tests.editors.vscode_window import Window, until

pytestmark = pytest.mark.editor

RULE = """\
---
condition: 'as any'
scope: tool:edit(*.ts)
---

No.

```ts ttsr:fires
const x = y as any;
```
"""
# Patterns that the extension's grammar colours, too, and one that it does not know.
PATTERN = r"(?im)^(?:a|\bb[c-e\]\d]+?)\.x{2,3}(?=y)\w.*$"
COLOURED = (
    f"---\ncondition:\n  - '{PATTERN}'\n  - |-\n    {PATTERN}\nastCondition: run($META)\nscope: tool:edit\n---\nNo.\n"
)
TESTS = "valid:\n  - const x = 1\n  - const y = z as any\ninvalid:\n  - text: x as any\n    line: 1\n"


@pytest.fixture(scope="module")
def scene(with_files: Callable[[Mapping[str, str]], Scene]) -> Scene:
    """A workspace with a rule that has four tests, one of which fails."""
    return with_files(
        {
            ".omp/rules/no-any.md": RULE,
            ".omp/rules/no-any.test.yml": TESTS,
            ".omp/rules/coloured.md": COLOURED,
            "cart.ts": "let a = b as any;\n",
            ".omp/settings.json": '{"ttsr": {"disabledRules": ["other", "no-any"]}}\n',
        }
    )


def test_a_test_file_has_findings_while_it_is_typed(vscode: Window, scene: Scene) -> None:
    path = scene.firing.with_name("no-any.test.yml")
    vscode.ask("open", path=str(path))
    (found,) = vscode.wait_for(path, bool)
    assert (found["code"], found["range"][:2]) == ("failing-rule-test", [2, 4])
    vscode.ask("edit", at=[2, 20], text="un")
    vscode.ask("edit", at=[2, 4], text="'")
    vscode.wait_for(path, lambda shown: [one["code"] for one in shown] == ["invalid-rule-test"])
    for _ in range(2):
        vscode.ask("command", name="undo")
    vscode.wait_for(path, lambda shown: [one["code"] for one in shown] == ["failing-rule-test"])


def test_a_condition_and_a_path_are_completed_with_their_quotes(vscode: Window, scene: Scene) -> None:
    path = scene.firing.with_name("no-any.test.yml")
    vscode.ask("open", path=str(path))
    vscode.ask("command", name="workbench.action.focusActiveEditorGroup")
    end = TESTS.count("\n")
    vscode.ask("edit", at=[end, 0], text="    condition: 'a b'\n    path: ca\n")
    suggested = ".suggest-widget .monaco-list-row"
    for line, column, offered, written in (
        (end, len("    condition: 'a"), "as any", "    condition: 'as any'\n    path: ca\n"),
        (end + 1, len("    path: ca"), "cart.ts", "    path: cart.ts\n"),
    ):
        vscode.ask("select", start=[line, column], end=[line, column])
        vscode.ask("command", name="editor.action.triggerSuggest")
        vscode.look("waitFor", selector=f"{suggested}.focused:has-text('{offered}')")
        vscode.ask("command", name="acceptSelectedSuggestion")
        vscode.ask("shownText", wanted=[written])
    vscode.ask("command", name="workbench.action.files.revert")


def test_the_test_explorer_runs_the_tests_of_a_rule(vscode: Window, scene: Scene) -> None:
    vscode.ask("open", path=str(scene.firing.with_name("no-any.md")))
    vscode.ask("command", name="workbench.view.testing.focus")
    row = ".test-explorer .monaco-list-row"
    vscode.look("waitFor", selector=f"{row}:has-text('no-any')")
    # A test file without its rule is listed with the reason.
    scene.firing.with_name("gone.test.yml").write_text(TESTS)
    vscode.look("waitFor", selector=f"{row}:has-text('gone')")
    vscode.look("hover", selector=f"{row}:has-text('gone')")
    vscode.look("waitFor", selector=":text('There is no rule file gone.md beside gone.test.yml')")
    scene.firing.with_name("gone.test.yml").unlink()
    vscode.look("waitFor", selector=f"{row}:has-text('gone')", state="detached")
    vscode.ask("command", name="ttsr.runRuleTests")
    vscode.look("waitFor", selector=f"{row}[aria-label*='no-any'][aria-label*='Failed']")
    vscode.look("unfold", selector=f"{row}[aria-label*='no-any'][aria-label*='Failed']")
    for name, state in (
        ("silent: const x = 1", "Passed"),
        ("silent: const y = z as any", "Failed"),
        ("fires: x as any", "Passed"),
        ("fires: const x = y as any;", "Passed"),
    ):
        vscode.look("waitFor", selector=f"{row}[aria-label^='{name}'][aria-label*='{state}']")
    # The failure stands beside its case, also in a file that is opened later.
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("open", path=str(scene.firing.with_name("no-any.test.yml")))
    vscode.look("waitFor", selector=".test-error-content-widget:has-text('The rule must be silent on this text')")
    vscode.look("waitFor", selector=".codicon-testing-failed-icon.testing-run-glyph")


def test_a_lens_of_the_rule_runs_its_tests(vscode: Window, scene: Scene) -> None:
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("command", name="workbench.view.testing.focus")
    vscode.ask("open", path=str(scene.firing.with_name("no-any.md")))
    vscode.look("click", selector=".codelens-decoration a:has-text('Test (4 tests, 1 in the body)')")
    vscode.look("waitFor", selector=".testing-progress-ui-message:has-text('3/4'), .test-explorer :text('3/4')")
    vscode.look("click", selector=".codelens-decoration a:has-text('Playground')")
    assert "no-any" in str(vscode.look("inFrame", selector="#rule:has-text('no-any')"))


def test_a_lens_counts_the_matches_in_the_workspace_and_lists_them(vscode: Window, scene: Scene) -> None:
    rule, code = scene.firing.with_name("no-any.md"), scene.folder / "cart.ts"
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("open", path=str(rule))
    vscode.look("waitFor", selector=".codelens-decoration a:has-text('matches 1 place in 1 file')")
    # An agent, or a person elsewhere, writes to a file that is not open.
    code.write_text("let a = b as any;\nlet c = d as any;\n")
    vscode.look("click", selector=".codelens-decoration a:has-text('matches 2 places in 1 file')")
    vscode.look("waitFor", selector=".peekview-widget :text('cart.ts')")
    vscode.ask("command", name="closeReferenceSearch")


def test_hints_stand_in_the_rule_unless_they_are_switched_off(vscode: Window, scene: Scene) -> None:
    vscode.ask("open", path=str(scene.firing))
    files = sum(path.is_file() for path in scene.folder.rglob("*"))
    shown = [0, f"ttsr: write · 1 of {files} files"]
    until(lambda: shown in vscode.ask("hints", path=str(scene.firing)))
    vscode.look("waitFor", selector=".view-line:has-text('ttsr: write')")
    vscode.ask("settings", values={"ttsr.inlayHints": False})
    vscode.look("waitFor", selector=".view-line:has-text('ttsr: write')", state="hidden")
    assert vscode.ask("hints", path=str(scene.firing)) == []
    vscode.ask("settings", values={"ttsr.inlayHints": None})
    vscode.look("waitFor", selector=".view-line:has-text('ttsr: write')")


def test_semantic_tokens_only_add_colours_to_the_grammar(vscode: Window, scene: Scene) -> None:
    vscode.ask("settings", values={"editor.inlayHints.enabled": "off"})
    vscode.ask("open", path=str(scene.firing.with_name("coloured.md")))
    vscode.look("waitFor", selector=QUOTED)
    until(lambda: colour_of(vscode, AST, "$") != colour_of(vscode, AST, "("))
    until(lambda: all(len({colour for _, colour in colours(vscode, line)}) > 3 for line in (QUOTED, BLOCK)))
    quoted, block = colours(vscode, QUOTED), colours(vscode, BLOCK)
    vscode.ask("settings", values={"editor.semanticHighlighting.enabled": False})
    until(lambda: colour_of(vscode, AST, "$") == colour_of(vscode, AST, "("))
    for line, by_tokens in ((QUOTED, quoted), (BLOCK, block)):
        until(lambda line=line: len(colours(vscode, line)) > 3)  # type: ignore[misc]
        assert [pair for pair in zip(by_tokens, colours(vscode, line), strict=True) if pair[0] != pair[1]] == []
    vscode.ask("settings", values={"editor.semanticHighlighting.enabled": None, "editor.inlayHints.enabled": None})


def test_a_rule_is_renamed_with_its_tests_and_in_the_settings(vscode: Window, scene: Scene) -> None:
    rule = scene.firing.with_name("no-any.md")
    settings = scene.folder / ".omp" / "settings.json"
    vscode.ask("open", path=str(settings))
    until(lambda: vscode.ask("locations", name="Definition", path=str(settings), line=0, character=42))
    assert vscode.ask("locations", name="Definition", path=str(settings), line=0, character=42) == [[str(rule), 0, 0]]
    vscode.ask("open", path=str(rule))
    found = vscode.ask("locations", name="Reference", path=str(rule), line=0, character=0)
    assert [str(settings), 0, 38] in found
    assert [str(rule.with_name("no-any.test.yml")), 0, 0] in found
    vscode.ask("rename", path=str(rule), line=0, character=0, name="banned")
    until(lambda: not rule.exists())
    assert rule.with_name("banned.md").exists()
    assert rule.with_name("banned.test.yml").exists()
    until(lambda: '["other", "banned"]' in settings.read_text())


def test_tests_and_mentions_follow_a_rule_that_is_renamed_in_the_explorer(vscode: Window, scene: Scene) -> None:
    rule, new = scene.firing.with_name("no-var.md"), scene.firing.with_name("prefer-const.md")
    tests, code = rule.with_name("no-var.test.yml"), scene.folder / "legacy.ts"
    mention = "var a; // ttsr-ls: ignore[no-var] old\n"
    rule.write_text(RULE.replace("as any", "var "))
    tests.write_text("invalid:\n  - var a\n")
    code.write_text(mention)
    # As on a desktop. In a browser, VS Code saves what was changed.
    vscode.ask("settings", values={"files.autoSave": "off"})
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("open", path=str(rule))
    vscode.look("waitFor", selector=".codelens-decoration a:has-text('Test (')")
    changed = ".tab.dirty:has-text('legacy.ts')"
    rename_in_explorer(vscode, rule.name, new.name)
    until(lambda: new.exists() and tests.with_name("prefer-const.test.yml").exists())
    assert not rule.exists()
    assert not tests.exists()
    # The file with the mention is open, and not saved. So undoing the rename undoes all.
    vscode.look("waitFor", selector=changed)
    assert code.read_text() == mention
    vscode.ask("open", path=str(code))
    vscode.ask("shownText", wanted=["ignore[prefer-const] old"])
    vscode.ask("command", name="workbench.files.action.focusFilesExplorer")
    vscode.look("press", keys="Control+Z")
    until(lambda: rule.exists() and tests.exists())
    vscode.look("waitFor", selector=changed, state="detached")
    assert not new.exists()
    vscode.ask("settings", values={"files.autoSave": None})


def rename_in_explorer(vscode: Window, name: str, new: str) -> None:
    """Renames the file of the active editor as a person does, with the changes that the extension wants to make."""
    vscode.ask("command", name="workbench.files.action.showActiveFileInExplorer")
    vscode.look("click", selector=f".explorer-folders-view .monaco-list-row:has-text('{name}')")
    vscode.look("press", keys="F2")
    vscode.look("inFrame", selector=".explorer-item-edited input", action="fill", value=new)
    vscode.look("press", keys="Enter")
    vscode.look("click", selector=".monaco-dialog-box:has-text('refactoring changes') .monaco-button:has-text('OK')")


QUOTED = '.view-line:has-text("\'(?im)")'
AST = ".view-line:has-text('run($META)')"
BLOCK = ".view-line:has-text('(?im)'):not(:has-text(\"'\"))"


def colours(vscode: Window, line: str) -> list[tuple[str, str]]:
    """The characters of a line, without blanks, each with its colour."""
    told = vscode.look("colours", selector=f"{line} > span > span")
    return [(character, colour) for text, colour in told for character in text if character.strip()]


def colour_of(vscode: Window, line: str, character: str) -> str:
    """The colour of the first of some character in a line."""
    return next(colour for each_colour, colour in colours(vscode, line) if each_colour == character)


def test_labels_of_rules_of_one_name_in_two_packages_have_their_folders(vscode: Window, scene: Scene) -> None:
    # The last test of the module: VS Code closes the document of the other rule only some time after its editor.
    name, folders = "of-two-packages.md", (".omp/rules", "packages/shop/.omp/rules")
    rules = [scene.folder / folder / name for folder in folders]
    vscode.ask("command", name="workbench.view.testing.focus")
    for rule in rules:
        rule.parent.mkdir(parents=True, exist_ok=True)
        rule.write_text(RULE)
        rule.with_suffix(".test.yml").write_text(TESTS)
        vscode.ask("open", path=str(rule))
    for folder in folders:
        row = f".test-explorer .monaco-list-row[aria-label^='of-two-packages ({folder})']"
        vscode.look("waitFor", selector=row)
    vscode.ask("command", name="workbench.action.closeAllEditors")
    for rule in rules:
        rule.with_suffix(".test.yml").unlink()
        rule.unlink()
