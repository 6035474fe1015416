"""The commands of the plugin in a real Neovim: what they clear, list, and say, and rules that others change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.neovim import tried
from tests.editors.probed import Editor
from tests.editors.scene import FIRING, TARGET, Scene, make_scene
from tests.editors.test_neovim_playground import facts

pytestmark = pytest.mark.editor


def said(editor: Editor, pattern: str) -> bool:
    """Whether a message of this pattern comes."""
    return bool(editor.ask("evaluate", expression=f"wait(20000, {{-> execute('messages') =~ '{pattern}'}})") == 0)


def test_a_playground_on_a_small_screen_shows_the_failing_gate(editor: Editor) -> None:
    editor.ask("keys", keys=":Ttsr playground text<CR>")
    editor.ask("set_lines", first=0, last=-1, lines=["import deprecated_module"])
    shown = facts(editor, "✗ in scope", "✓").splitlines()
    assert [line.startswith("✗") for line in shown[:2]] == [False, True], "behind the result"
    above, width = editor.ask("evaluate", expression="[win_screenpos(0)[0], winwidth(0)]")
    assert (above, width) == (1, 80), "the sample is above the rule"


def test_a_playground_takes_a_tool_and_a_file_of_the_rule(editor: Editor) -> None:
    editor.ask("keys", keys=":Ttsr playground write<CR>")
    editor.ask("set_lines", first=0, last=-1, lines=["import deprecated_module", ""])
    facts(editor, "'no-deprecated-module' fires on this write of file.py.")
    editor.ask("keys", keys=":Ttsr playground tool Write 4<CR>")
    facts(editor, "fires on this Write of file.py.", "of 4 characters")
    editor.ask("keys", keys=":Ttsr playground tool<CR>")
    assert said(editor, "name the tool")


def test_in_a_file_that_is_no_rule_the_rules_are_offered(editor: Editor, scene: Scene) -> None:
    unwritten = scene.folder / "src" / "new.ts"
    editor.ask("open", path=str(unwritten))
    editor.ask("keys", keys=":Ttsr test<CR>")
    assert said(editor, "new.ts. is no rule: .:Ttsr test all. runs")
    editor.ask("lua", code=CHOOSE % scene.firing.name)
    editor.ask("keys", keys=":Ttsr playground write 4<CR>")
    editor.ask("set_lines", first=0, last=-1, lines=["import deprecated_module", ""])
    facts(editor, "'no-deprecated-module' fires on this write of file.py.", "of 4 characters")
    assert (
        editor.ask("evaluate", expression="luaeval('_G.prompted')")
        == "TTSR: 'new.ts' is no rule. For which rule is the playground?"
    )


def test_the_window_of_runs_has_the_tests_of_its_workspace(editor: Editor) -> None:
    editor.ask("run_command", command="Ttsr runs")
    assert editor.ask("evaluate", expression="bufname('%')") == "ttsr-runs://"
    editor.ask("keys", keys=":Ttsr test all<CR>")
    assert said(editor, "there are no tests: write NAME.test.yml")
    editor.ask("keys", keys=":Ttsr test<CR>")
    assert said(editor, "this text is no rule: .:Ttsr test all. runs")


# Chooses the rule of a name where rules are offered.
CHOOSE = """
vim.ui.select = function(items, options, chosen)
  _G.prompted = options.prompt
  chosen(vim.iter(items):find(function(item) return options.format_item(item) == '%s' end))
end
"""


def test_the_window_of_a_test_is_closed_with_it_and_tests_again(editor: Editor, scene: Scene) -> None:
    scene.target.write_text(TARGET)
    editor.ask("open", path=str(scene.target))
    editor.ask("keys", keys=":TtsrTest write<CR>")
    tried(editor, "1 of 3 rules fires")
    editor.ask("lua", code="vim.ui.select = function(_, _, chosen) chosen('text') end")
    editor.ask("keys", keys="<C-w>b:TtsrTest!<CR>")
    tried(editor, "of 3 rules fires on this reply text")
    editor.ask("keys", keys=":Ttsr clear-test<CR>")
    assert editor.ask("evaluate", expression="bufexists('ttsr://test')") == 0
    editor.ask("keys", keys=":Ttsr clear-test<CR>")
    assert said(editor, "there is no test to clear")


def test_commands_about_runs_report_the_cleared_runs(editor: Editor, scene: Scene) -> None:
    scene.target.write_text(TARGET)
    scene.play(scene.recorded_run())
    status = "luaeval('require(''ttsr'').status()')"
    assert editor.ask("evaluate", expression=f"wait(20000, {{-> {status} ==# 'TTSR ⚡ 1'}})") == 0
    editor.wait_for(scene.firing, lambda found: "triggered" in [one["code"] for one in found])
    editor.ask("keys", keys=":Ttsr latest<CR>")
    assert editor.ask("evaluate", expression="wait(20000, {-> expand('%:t') ==# 'demo.py' && line('.') == 1})") == 0
    editor.ask("keys", keys=":Ttsr clear-triggers<CR>")
    assert said(editor, "marks are cleared: [12]; runs stay until")
    assert editor.ask("evaluate", expression=status) == "TTSR"
    editor.ask("keys", keys=":Ttsr clear-runs<CR>")
    assert said(editor, "finished runs are cleared: 1; none is at work")
    assert editor.ask("evaluate", expression=f"wait(20000, {{-> {status} ==# 'TTSR'}})") == 0


def test_the_findings_of_all_rules_are_listed(editor: Editor, scene: Scene) -> None:
    editor.ask("keys", keys=":Ttsr check<CR>")
    assert said(editor, "findings in 2 of")
    listed = editor.ask("evaluate", expression="map(getqflist(), {_, item -> [bufname(item.bufnr), item.text]})")
    assert {name.rpartition("/")[2] for name, _ in listed} == {scene.broken.name, scene.showcase.name}
    assert any("[unknown-key]" in text for _, text in listed)
    assert editor.ask("evaluate", expression="&buftype") == "quickfix"
    other = make_scene(scene.folder.parent / "other")
    other.showcase.unlink()
    other.broken.write_text("---\nconditon: x\ncondition: x_y\nscope: text\n---\nNo x_y.\n")
    editor.ask("open", path=str(other.firing))
    editor.ask("keys", keys=":Ttsr check<CR>")
    assert said(editor, "TTSR: 1 finding in 1 of 2 files")
    (line,) = editor.ask("evaluate", expression="getbufline('%', 1, '$')")
    assert "broken.md|2 col 1-9 warning| Rules have no key" in line, "no number, which would mean nothing"


def test_a_rule_that_another_program_changes_is_noticed(editor: Editor, scene: Scene) -> None:
    editor.ask("lua", code=TOLD)
    for name in ("other.md", "other.test.yml", "other.test.yaml"):
        other = scene.firing.with_name(name)
        for kind, change in ((1, lambda path: path.write_text(FIRING)), (3, Path.unlink)):
            change(other)
            told = f"wait(20000, {{-> luaeval('_G.told[''{name}''] == {kind}')}})"
            assert editor.ask("evaluate", expression=told) == 0


def test_a_configuration_that_another_program_changes_is_applied(editor: Editor, scene: Scene) -> None:
    editor.ask("open", path=str(scene.broken))
    editor.wait_for(scene.broken, lambda found: "unknown-key" in [one["code"] for one in found])
    configuration = scene.folder / "ttsr-ls.toml"
    configuration.write_text('ignore = ["unknown-key"]\n')
    editor.wait_for(scene.broken, lambda found: bool(found) and "unknown-key" not in [one["code"] for one in found])
    configuration.unlink()
    editor.wait_for(scene.broken, lambda found: "unknown-key" in [one["code"] for one in found])


# Keeps what the server is told of files that changed.
TOLD = """
local client = vim.lsp.get_clients({ name = 'ttsr_ls' })[1]
local notify = client.notify
_G.told = {}
client.notify = function(self, method, params)
  for _, change in ipairs(method == 'workspace/didChangeWatchedFiles' and params.changes or {}) do
    _G.told[vim.fs.basename(vim.uri_to_fname(change.uri))] = change.type
  end
  return notify(self, method, params)
end
"""


def test_a_file_that_is_older_than_its_project_gets_the_server_of_it(editor: Editor, scene: Scene) -> None:
    rule = scene.folder / "inner" / ".omp" / "rules" / "new.md"
    editor.ask("open", path=str(rule))
    editor.ask("set_lines", first=0, last=-1, lines=FIRING.splitlines())
    editor.ask("keys", keys=":w<CR>")
    roots = "luaeval('vim.tbl_map(function(one) return one.root_dir end, vim.lsp.get_clients({bufnr = 0}))')"
    expected = [str(scene.folder / "inner")]
    assert editor.ask("evaluate", expression=f"wait(20000, {{-> {roots} == {expected}}})") == 0


def test_checkhealth_explains_how_to_enable_the_server(editor: Editor, scene: Scene) -> None:
    shown = editor.ask("lua", code=NOT_ENABLED)
    assert "the server is not enabled" in shown
    assert "vim.lsp.enable('ttsr_ls')" in shown
    assert said(editor, "add vim.lsp.enable")


# The last test of the module: the server ends.
NOT_ENABLED = """
vim.lsp.enable('ttsr_ls', false)
vim.wait(20000, function() return #vim.lsp.get_clients({ name = 'ttsr_ls' }) == 0 end, 20)
vim.cmd('Ttsr runs')
vim.cmd('checkhealth ttsr')
return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')
"""
