"""What Neovim shows of a rule besides findings: hints, colours, the count of its matches; how it renames a rule."""

from __future__ import annotations

import pytest

from tests.editors.probed import Editor
from tests.editors.scene import Scene

pytestmark = pytest.mark.editor

WAIT = """
local function until_some(list)
  local found = {}
  vim.wait(20000, function()
    found = list()
    return #found > 0
  end, 20)
  return found
end
"""
HINTS = """
vim.lsp.inlay_hint.enable(true)
return until_some(function()
  return vim.tbl_map(function(each) return each.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
end)
"""
TOKENS = """
return until_some(function()
  return vim.tbl_map(function(each) return each.type end, vim.lsp.semantic_tokens.get_at_pos(0, 2, 30) or {})
end)
"""
COUNT = """
local lens = vim.lsp.codelens
-- Neovim 0.11 has no `enable`, and its lenses have no `lens` inside.
local function shown()
  if lens.enable == nil then
    lens.refresh({ bufnr = 0 })
    return lens.get(0)
  end
  lens.enable(true)
  return vim.tbl_map(function(each) return each.lens end, lens.get({ bufnr = 0 }))
end
local function is_count(each) return each.command ~= nil and vim.startswith(each.command.title, 'matches') end
local command = until_some(function() return vim.tbl_filter(is_count, shown()) end)[1].command
vim.lsp.get_clients({ bufnr = 0, name = 'ttsr_ls' })[1]:exec_cmd(command)
local listed = until_some(vim.fn.getqflist)
vim.cmd.cclose()
local title = vim.fn.getqflist({ title = 0 }).title
return { command.title, title, vim.fn.bufname(listed[1].bufnr), listed[1].lnum, listed[1].col }
"""
DEFINITION = """
vim.lsp.buf.definition()
return until_some(function()
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':t')
  return name ~= 'config.yml' and { name } or {}
end)
"""
RENAME = """
vim.lsp.buf.rename('successor')
local function is_renamed() return vim.endswith(vim.api.nvim_buf_get_name(0), 'successor.md') end
return until_some(function() return is_renamed() and { 'renamed' } or {} end)
"""

UNSAVED = """
local buf = vim.fn.bufadd(%r)
vim.fn.bufload(buf)
vim.api.nvim_buf_set_lines(buf, 0, 0, false, { '# New.', '' })
return vim.lsp.buf_is_attached(buf, vim.lsp.get_clients({ name = 'ttsr_ls' })[1].id)
"""
RENAME_AND_CHANGE = """
local client = vim.lsp.get_clients({ name = 'ttsr_ls' })[1]
local request = client.request
client.request = function(self, method, ...)
  local is_sent, id = request(self, method, ...)
  if method == 'textDocument/rename' then
    client.request = request
    vim.api.nvim_buf_set_lines(vim.fn.bufnr(%r), 0, 0, false, { '# Newer.' })
  end
  return is_sent, id
end
vim.lsp.buf.rename('other-name')
return until_some(function()
  return { vim.fn.execute('messages'):match('TTSR: rename again: marked.py has changed') }
end)
"""


def test_references_in_a_rule_and_to_its_name(neovim: Editor, scene: Scene) -> None:
    settings = scene.folder / ".omp" / "config.yml"
    settings.write_text("ttsr:\n  disabledRules: [no-deprecated-module]\n")
    tests = scene.firing.with_name("no-deprecated-module.test.yml")
    tests.write_text("invalid:\n  - 'import deprecated_module '\n")
    neovim.ask("open", path=str(scene.firing))
    assert neovim.ask("lua", code=WAIT + TOKENS) == ["class"]
    assert neovim.ask("lua", code=WAIT + HINTS) == ["dropped: no effect"]
    settings.write_text("ttsr:\n  disabledRules: [other, no-deprecated-module]\n")
    lens, title, file, line, column = neovim.ask("lua", code=WAIT + COUNT)
    assert (lens, title) == ("matches 1 place in 1 file", "TTSR: the rule matches 1 place")
    assert (file.rpartition("/")[2], line, column) == ("demo.py", 1, 8)

    neovim.ask("open", path=str(settings))
    neovim.ask("keys", keys="2G$h")
    assert neovim.ask("lua", code=WAIT + DEFINITION) == [scene.firing.name]
    neovim.ask("keys", keys="gg0")
    code = scene.folder / "marked.py"
    code.write_text("import deprecated_module  # ttsr-ls: ignore[no-deprecated-module]\nend\n")
    assert neovim.ask("lua", code=UNSAVED % str(code)) is False
    assert len(neovim.ask("lua", code=WAIT + RENAME_AND_CHANGE % str(code))) == 1, "edits of an old text are refused"
    assert scene.firing.exists()
    assert neovim.ask("lua", code=WAIT + RENAME) == ["renamed"]
    neovim.ask("lua", code="vim.cmd('silent wall')")
    assert not scene.firing.exists()
    assert not tests.exists()
    assert scene.firing.with_name("successor.test.yml").exists()
    assert code.read_text() == "# Newer.\n# New.\n\nimport deprecated_module  # ttsr-ls: ignore[successor]\nend\n"
    assert "[other, successor]" in settings.read_text()
