"""The manual, and the project's configuration, in a real Neovim."""

from __future__ import annotations

import pytest

from tests.editors.probed import Editor
from tests.editors.scene import Scene

pytestmark = pytest.mark.editor

OFFERED = """
local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = 0, character = 15 } }
local found = vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 20000)
local _, answer = next(found)
return vim.tbl_map(function(item) return item.label end, answer.result.items or answer.result)
"""
BUFFER = "return { vim.bo.modifiable, vim.bo.filetype, vim.bo.buftype, #vim.api.nvim_list_wins() }"
RUN_ACTION = """
vim.lsp.buf.code_action({ apply = true, filter = function(action)
  return action.title == 'Open the documentation of unknown-key'
end })
"""


def test_documentation_and_configuration(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.broken))
    found = neovim.wait_for(scene.broken, bool)
    line = next(one["byte_range"][0] for one in found if one["code"] == "unknown-key")
    neovim.ask("keys", keys=f"{line + 1}G")
    neovim.ask("lua", code=RUN_ACTION)
    page = neovim.ask("shown_text", wanted=["# unknown-key", "## How to fix it"])
    assert page["name"] == "ttsr-docs:/findings/unknown-key.md"
    assert neovim.ask("lua", code=BUFFER) == [False, "markdown", "nofile", 2]

    neovim.ask("keys", keys="/^More:<CR>")
    neovim.ask("keys", keys="<CR>")
    linked = neovim.ask("shown_text", wanted=["# Rule"])
    assert "# unknown-key" not in linked["text"]
    neovim.ask("lua", code="vim.cmd('Ttsr docs inert-name')")
    neovim.ask("shown_text", wanted=["# inert-name"])
    assert neovim.ask("lua", code=BUFFER) == [False, "markdown", "nofile", 2], "the window is reused"
    neovim.ask("keys", keys="<C-o>")
    neovim.ask("shown_text", wanted=["# Rule"])
    neovim.ask("keys", keys="<C-o>")
    back = neovim.ask("shown_text", wanted=["# unknown-key"])
    assert back["text"].splitlines()[back["line"] - 1].startswith("More:"), "the cursor is on the link again"
    neovim.ask("lua", code="vim.cmd.edit()")
    neovim.ask("shown_text", wanted=["# unknown-key", "## How to fix it"])
    neovim.ask("keys", keys="q")
    assert neovim.ask("evaluate", expression="luaeval('#vim.lsp.get_clients()')") == 1, "a page is no file of a folder"
    assert neovim.ask("evaluate", expression="getcompletion('Ttsr docs inert-n', 'cmdline')") == ["inert-name"]
    neovim.ask("keys", keys=":Ttsr docs inert-nam<CR>")
    assert (
        neovim.ask("evaluate", expression="wait(100000, {-> execute('messages') =~ 'Did you mean .inert-name'})") == 0
    )

    configuration = scene.folder / "ttsr-ls.toml"
    configuration.write_text('ignore = ["inert-nam"]\n')
    try:
        neovim.ask("open", path=str(configuration))
        (mistake,) = neovim.wait_for(configuration, bool)
        assert (mistake["code"], mistake["byte_range"]) == ("invalid-configuration", [0, 10, 0, 21])
        assert '"inert-name"' in neovim.ask("lua", code=OFFERED)
        said = neovim.ask("hover", path=str(configuration), line=0, character=2)
        assert said["contents"]["value"].startswith("**`ignore`**")
    finally:
        configuration.unlink()
