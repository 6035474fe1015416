"""The tree of runs shows the newest trigger in a real Neovim, unless a person reads in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.probed import Editor
from tests.editors.scene import Scene
from tests.lsp.logged_run import Run, trigger

pytestmark = pytest.mark.editor

# The window of the runs, when it has a number of triggers: the words of its cursor's line, and whether that is in view.
FOLLOWED = """
local window = vim.iter(vim.api.nvim_list_wins()):find(function(each)
  return vim.bo[vim.api.nvim_win_get_buf(each)].filetype == 'ttsr-runs'
end)
local buf = vim.api.nvim_win_get_buf(window)
local function count()
  return #vim.tbl_filter(function(line) return line:find('⚡') end, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
end
assert(vim.wait(100000, function() return count() == COUNT end, 20), 'not all triggers')
local line = vim.api.nvim_win_get_cursor(window)[1]
vim.cmd.redraw()
local first, last = vim.fn.line('w0', window), vim.fn.line('w$', window)
local text = vim.api.nvim_buf_get_lines(buf, line - 1, line, false)[1]
return { text:match('of (%S+)$') or text:match('%S+'), first <= line and line <= last }
"""


def test_the_runs_follow_the_newest_trigger(editor: Editor, scene: Scene) -> None:
    editor.ask("lua", code="vim.o.columns, vim.o.lines = 80, 24")
    run = Run(Path(scene.environment["XDG_STATE_HOME"]).parent / "shop", 1_000)

    def tell(numbers: range) -> None:
        for number in numbers:
            run.log(trigger(scene.firing, scene.folder / f"file-{number}.py"))

    def followed(count: int) -> object:
        return editor.ask("lua", code=FOLLOWED.replace("COUNT", str(count)))

    tell(range(20))
    editor.ask("run_command", command="Ttsr runs")
    assert followed(20) == ["file-19.py", True], "opened at the newest one"
    tell(range(20, 30))
    assert followed(30) == ["file-29.py", True]
    editor.ask("keys", keys="gg")
    tell(range(30, 40))
    assert followed(40) == ["shop", True], "a person reads there"
    editor.ask("keys", keys="<C-w>p")
    tell(range(40, 50))
    assert followed(50) == ["file-49.py", True]
