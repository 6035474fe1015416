"""Neovim's own keys that docs/editors.md names, in a rule."""

from __future__ import annotations

import pytest

from tests.editors.probed import Editor
from tests.editors.scene import Scene

pytestmark = pytest.mark.editor

# The text of the float, as soon as there is one.
FLOAT = """
local text
local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')
      vim.api.nvim_win_close(window, true)
      return true
    end
  end
end
vim.wait(100000, float, 20)
return text
"""
# Answers the question for a name: while Neovim asks it itself, it answers nothing else.
ANSWER = """
vim.ui.input = function(options, answer)
  vim.g.asked = options.default
  answer('no-old-module')
end
"""


def wait_until(editor: Editor, expression: str) -> None:
    assert editor.ask("evaluate", expression=f"wait(100000, {{-> {expression}}})") == 0, expression


# Whether Neovim takes the snippets of whole rules, as it does when one is picked.
SNIPPETS = """
local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = 0, character = 0 } }
local _, answer = next(vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 20000))
return vim.tbl_map(function(item)
  vim.cmd('%delete | startinsert')
  vim.snippet.expand(item.textEdit.newText)
  return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] .. #vim.api.nvim_buf_get_lines(0, 0, -1, false)
end, answer.result.items or answer.result)
"""


def test_the_templates_are_snippets_that_neovim_expands(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.folder / ".omp" / "rules" / "fresh.md"))
    assert neovim.ask("lua", code=SNIPPETS) == ["---10", "---9", "---9"]


def test_the_keys_of_the_manual_work(neovim: Editor, scene: Scene) -> None:
    rule = scene.firing
    text = rule.read_text()
    config = scene.folder / ".omp" / "settings.json"
    config.write_text('{"ttsr": {"disabledRules": ["no-deprecated-module"]}}\n')
    try:
        neovim.ask("open", path=str(scene.broken))
        found = neovim.wait_for(scene.broken, bool)
        neovim.ask("keys", keys="1G]d")
        lines = sorted({one["byte_range"][0] + 1 for one in found})
        assert neovim.ask("evaluate", expression="line('.')") == lines[0]
        neovim.ask("keys", keys="<C-w>d")
        first = min(found, key=lambda one: one["byte_range"])
        assert first["message"].split()[0] in neovim.ask("lua", code=FLOAT)

        neovim.ask("open", path=str(rule))
        neovim.ask("keys", keys="3G")
        neovim.ask("keys", keys="K")
        assert "condition" in neovim.ask("lua", code=FLOAT)
        neovim.ask("keys", keys="grr")
        wait_until(neovim, "!empty(filter(getqflist(), {_, each -> bufname(each.bufnr) =~ 'settings.json'}))")
        neovim.ask("keys", keys=":cclose<CR>")
        neovim.ask("open", path=str(config))
        wait_until(neovim, "luaeval('#vim.lsp.get_clients({bufnr=0})') > 0")
        neovim.ask("keys", keys="gg0fnl<C-]>")
        assert neovim.ask("evaluate", expression="expand('%:p')") == str(rule)
        neovim.ask("keys", keys="<C-t>")
        assert neovim.ask("evaluate", expression="expand('%:t')") == "settings.json"

        neovim.ask("open", path=str(rule))
        neovim.ask("lua", code="vim.o.completeopt = 'menuone,noselect'")
        neovim.ask("type", keys="Ginter<Esc>2Gointerr<C-x><C-o>")
        wait_until(neovim, "!empty(filter(complete_info(['items']).items, {_, each -> each.word =~ 'interruptMode'}))")
        neovim.ask("type", keys="<C-e><Esc>:edit!<CR>3G")
        wait_until(neovim, "getline(3) =~ 'condition' && mode(1) == 'n'")
        neovim.ask("lua", code=ANSWER)
        neovim.ask("keys", keys="grn")
        wait_until(neovim, "expand('%:t') == 'no-old-module.md'")
        assert rule.with_name("no-old-module.md").read_text() == text
        assert neovim.ask("evaluate", expression="g:asked") == "no-deprecated-module"
    finally:
        config.unlink()
        rule.with_name("no-old-module.md").unlink(missing_ok=True)
        rule.write_text(text)


def test_a_condition_in_a_test_file_is_completed_with_its_quotes(neovim: Editor, scene: Scene) -> None:
    tests = scene.firing.with_suffix(".test.yml")
    tests.write_text("invalid:\n  - text: x\n    condition: ''\n")
    try:
        neovim.ask("open", path=str(tests))
        wait_until(neovim, "luaeval('#vim.lsp.get_clients({bufnr=0})') > 0")
        neovim.ask("lua", code="vim.o.completeopt = 'menuone,noselect'")
        neovim.ask("type", keys="3Gf'adep<C-x><C-o>")
        wait_until(neovim, "!empty(filter(complete_info(['items']).items, {_, each -> each.word =~ 'deprecated'}))")
        neovim.ask("type", keys="<C-n><C-y><Esc>")
        wait_until(neovim, "getline(3) ==# \"    condition: 'deprecated_module\\\\s'\"")
    finally:
        neovim.ask("keys", keys=":bwipeout!<CR>")
        tests.unlink()
