"""The tests of rules in a real VS Code: live findings of test files, and the Test Explorer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.scene import Scene, make_scene
from tests.editors.vscode_window import Window

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
TESTS = "valid:\n  - const x = 1\n  - const y = z as any\ninvalid:\n  - text: x as any\n    line: 1\n"


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, vscode_home: Path) -> Scene:
    """A workspace with a rule that has four tests, one of which fails."""
    made = make_scene(tmp_path_factory.mktemp("rule-tests").resolve(), vscode_home)
    made.broken.unlink()
    made.firing.with_name("no-any.md").write_text(RULE)
    made.firing.with_name("no-any.test.yml").write_text(TESTS)
    return made


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


def test_the_test_explorer_runs_the_tests_of_a_rule(vscode: Window, scene: Scene) -> None:
    vscode.ask("open", path=str(scene.firing.with_name("no-any.md")))
    vscode.ask("command", name="workbench.view.testing.focus")
    row = ".test-explorer .monaco-list-row"
    vscode.look("waitFor", selector=f"{row}:has-text('no-any')")
    vscode.ask("command", name="ttsr.runRuleTests")
    vscode.look("waitFor", selector=f"{row}[aria-label*='no-any'][aria-label*='Failed']")
    vscode.look("click", selector=f"{row}:has-text('no-any') .monaco-tl-twistie")
    for name, state in (
        ("valid 1", "Passed"),
        ("valid 2", "Failed"),
        ("invalid 1", "Passed"),
        ("example invalid 1", "Passed"),
    ):
        vscode.look("waitFor", selector=f"{row}[aria-label^='{name}'][aria-label*='{state}']")


def test_a_lens_of_the_rule_runs_its_tests(vscode: Window, scene: Scene) -> None:
    vscode.ask("command", name="workbench.action.closeAllEditors")
    vscode.ask("open", path=str(scene.firing.with_name("no-any.md")))
    vscode.look("click", selector=".codelens-decoration a:has-text('Test (4 tests, 1 in the body)')")
    vscode.look("waitFor", selector=".testing-progress-ui-message:has-text('3/4'), .test-explorer :text('3/4')")
    vscode.look("click", selector=".codelens-decoration a:has-text('Playground')")
    assert "no-any" in str(vscode.look("inFrame", selector="#rule:has-text('no-any')"))
