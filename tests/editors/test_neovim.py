"""What a real Neovim shows."""

from __future__ import annotations

import pytest

from tests.editors.edited_file import check_marks_of_an_edit
from tests.editors.neovim import tried
from tests.editors.probed import Editor
from tests.editors.scene import BROKEN, FIRING, Scene, shown_in_bytes

pytestmark = pytest.mark.editor


def test_findings_are_those_of_check(neovim: Editor, scene: Scene) -> None:
    expected = scene.check(scene.broken)
    assert len(expected) >= 5
    neovim.ask("open", path=str(scene.broken))
    diagnostics = neovim.wait_for(scene.broken, lambda found: len(found) >= len(expected))
    assert shown_in_bytes(diagnostics, BROKEN) == expected
    assert {diagnostic["namespace"].endswith(".ttsr") for diagnostic in diagnostics} == {True}, "findings are pulled"


def test_leaves_other_markdown_alone(neovim: Editor, scene: Scene) -> None:
    readme = scene.folder / "README.md"
    readme.write_text("---\ntitle: x\n---\n# Hello\n")
    neovim.ask("open", path=str(readme))
    assert neovim.ask("hover", path=str(readme), line=1, character=2) is None
    assert neovim.wait_for(readme, lambda found: True) == []


def test_findings_follow_typed_text(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing))
    neovim.ask("set_lines", first=1, last=2, lines=["descripton: 😀"])
    found = neovim.wait_for(scene.firing, bool)
    assert [one["code"] for one in found] == ["unknown-key"]
    neovim.ask("set_lines", first=1, last=2, lines=["description: x"])
    assert neovim.wait_for(scene.firing, lambda found: not found) == []


def test_a_trigger_of_a_run_shows_and_goes_with_the_next_run(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.target))
    neovim.ask("open", path=str(scene.firing))
    neovim.ask("hover", path=str(scene.firing), line=2, character=2)
    scene.play(scene.recorded_run())
    on_rule = neovim.wait_for(scene.firing, bool)
    assert [one["code"] for one in on_rule] == ["triggered"]
    assert FIRING.splitlines()[on_rule[0]["byte_range"][0]].startswith("condition")
    assert on_rule[0]["related"][0]["path"] == str(scene.target)
    on_target = neovim.wait_for(scene.target, bool)
    assert [(one["code"], one["byte_range"]) for one in on_target] == [("triggered", [0, 7, 1, 0])]
    scene.play("")
    neovim.wait_for(scene.firing, lambda found: not found)
    neovim.wait_for(scene.target, lambda found: not found)


def test_a_trigger_is_marked_in_unsaved_text(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing))
    neovim.ask("open", path=str(scene.target))
    scene.play(scene.recorded_run())
    before = neovim.wait_for(scene.target, bool)
    assert before[0]["byte_range"] == [0, 7, 1, 0]
    neovim.ask("set_lines", first=0, last=0, lines=["// typed", "// and more"])
    neovim.wait_for(scene.target, lambda found: [one["byte_range"] for one in found] == [[2, 7, 2, 24]])


def test_an_edit_is_marked_where_the_agent_makes_it(neovim: Editor, scene: Scene) -> None:
    check_marks_of_an_edit(neovim, scene, lambda found: found["byte_range"][0])


def test_the_command_tries_the_rules_on_lines(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing))
    neovim.ask("open", path=str(scene.target))
    neovim.ask("keys", keys=":1TtsrTest<CR>")
    tried(neovim, "1 of 3 rules fires")
    neovim.ask("keys", keys=":3,4TtsrTest<CR>")
    tried(neovim, "None of 3 rules fires")


def test_the_name_of_a_rule_is_not_evaluated_in_the_status_line(neovim: Editor, scene: Scene) -> None:
    rule = scene.firing.with_name("%{execute('let g:owned = 1')}.md")
    rule.write_text("---\ncondition: zzz\n---\nbody\n")
    try:
        neovim.ask("open", path=str(rule))
        neovim.ask("keys", keys=":1TtsrTest<CR>")
        tried(neovim, "does not fire")
        neovim.ask("keys", keys="<C-w>j")
        shown = neovim.ask("evaluate", expression="nvim_eval_statusline(&l:statusline, {}).str")
        assert "%{execute(" in shown
        assert neovim.ask("evaluate", expression="exists('g:owned')") == 0
    finally:
        rule.unlink()


def test_the_health_check_finds_nothing_missing(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing))
    report = neovim.ask("run_command", command="checkhealth ttsr")
    assert "ERROR" not in report
    assert "WARNING" not in report
    assert f"running for {scene.folder}" in report
    assert "the program /" in report


@pytest.mark.parametrize(
    ("name", "root"),
    [("packages/.cursor/rules/web/a.mdc", "packages"), ("tools/.maestro/rules/a.md", "tools"), ("docs/web/a.md", ".")],
)
def test_works_in_the_nearest_folder_with_rules(neovim: Editor, scene: Scene, name: str, root: str) -> None:
    # A folder with rules further up, such as `.omp` in the home folder, must not win over the repository.
    (scene.folder.parent / ".agents").mkdir(exist_ok=True)
    path = scene.folder / name
    path.parent.mkdir(parents=True)
    path.write_text(FIRING)
    neovim.ask("open", path=str(path))
    found = neovim.ask("evaluate", expression="luaeval('vim.lsp.get_clients({bufnr=0})[1].root_dir')")
    assert found == str(scene.folder / root)
