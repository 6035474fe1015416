"""The folds and the cursor of a transcript in a real Neovim, while the session goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.probed import Editor
from tests.editors.scene import Scene
from tests.lsp.logged_run import Run, trigger
from ttsr_ls.session.history.turn import ModelCall, ToolBatch
from ttsr_ls.session.history.turn_events import StepAppended, StepUpdated
from ttsr_ls.session.history.turn_output import CallDone, CallPending, ToolCall, ToolItem

pytestmark = pytest.mark.editor

# The lines that begin a closed fold in each window with the transcript, from above.
CLOSED = """
local found = {}
for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
  if vim.bo[vim.api.nvim_win_get_buf(window)].filetype == 'ttsr-transcript' then
    vim.api.nvim_win_call(window, function()
      local lines = {}
      for number = 1, vim.fn.line('$') do
        if vim.fn.foldclosed(number) == number then
          lines[#lines + 1] = vim.fn.getline(number)
        end
      end
      found[#found + 1] = lines
    end)
  end
end
return found
"""
# The text of the cursor's line, and whether it is the last one.
CURSOR = "return { vim.api.nvim_get_current_line(), vim.fn.line('.') == vim.fn.line('$') }"
READ, WRITTEN = "◂ result of read", "◂ result of write"


def test_folds_are_in_each_window_and_the_cursor_stays_on_a_trigger(neovim: Editor, scene: Scene) -> None:
    run = Run(Path(scene.environment["XDG_STATE_HOME"]).parent / "shop", 1_000)
    calls = (ToolCall("c0", "read", "{}"), ToolCall("c1", "write", "{}"))
    pending = tuple(ToolItem(call.id, call.tool, CallPending()) for call in calls)
    neovim.ask("open", path=str(scene.firing))
    run.log(trigger(scene.firing, scene.folder / "a.py", interrupts=True))
    run.log(StepAppended("t1", 0, ModelCall("main", "m", calls, complete=True)))
    run.log(StepAppended("t1", 1, ToolBatch("main", pending)))
    neovim.ask("run_command", command="Ttsr runs")
    neovim.ask("shown_text", wanted=["no-deprecated-module"])
    neovim.ask("keys", keys="gg/⚡<CR><CR>")
    neovim.ask("shown_text", wanted=["fired on write of a.py:"])
    line, is_last = neovim.ask("lua", code=CURSOR)
    assert (line.startswith("⚡"), is_last) == (True, True)
    neovim.ask("keys", keys=":split<CR>")
    run.log(StepUpdated("t1", 1, "c0", CallDone("a\nb")))
    neovim.ask("shown_text", wanted=[READ])
    assert neovim.ask("lua", code=CURSOR) == [line, False]
    assert neovim.ask("lua", code=CLOSED) == [[READ], [READ]]
    neovim.ask("keys", keys=f"gg/{READ}<CR>zoG")
    assert neovim.ask("lua", code=CLOSED) == [[], [READ]]
    # The outcome of the trigger is known now, so its line, above the folds, changes.
    run.log(StepUpdated("t1", 1, "c1", CallDone("c\nd")))
    neovim.ask("shown_text", wanted=[WRITTEN, "which would have been interrupted"])
    assert neovim.ask("lua", code=CLOSED) == [[WRITTEN], [READ, WRITTEN]]
    _, is_last = neovim.ask("lua", code=CURSOR)
    assert is_last
