"""Where windows of the plugin open in a real Neovim, on small screens and beside quickfix lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.neovim import tried
from tests.editors.probed import Editor
from tests.editors.scene import TARGET, Scene
from tests.lsp.logged_run import Run, trigger

pytestmark = pytest.mark.editor


WINDOWS = """
return vim.tbl_map(function(window)
  return { vim.bo[vim.api.nvim_win_get_buf(window)].filetype, vim.api.nvim_win_get_width(window),
    vim.api.nvim_win_get_height(window) }
end, vim.api.nvim_tabpage_list_wins(0))
"""


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 12)])
def test_every_window_can_be_read_on_a_small_screen(editor: Editor, scene: Scene, columns: int, lines: int) -> None:
    editor.ask("lua", code=f"vim.o.columns, vim.o.lines = {columns}, {lines}")
    for command in ("Ttsr runs", "TtsrTest", "Ttsr playground", "Ttsr docs inert-name", "Ttsr messages"):
        editor.ask("run_command", command=command)
        shown = editor.ask("lua", code=WINDOWS)
        assert len(shown) == 2, command
        assert all(width >= 39 and height >= 3 for _, width, height in shown), f"{command}: {shown}"
        editor.ask("lua", code="vim.cmd('botright new | only!')")
        editor.ask("open", path=str(scene.firing))
    # Many windows at once never fail for want of room.
    for command in ("Ttsr runs", "wincmd p", "TtsrTest", "Ttsr docs inert-name", "wincmd p", "Ttsr messages"):
        editor.ask("lua", code=f"vim.cmd('{command}')")
        editor.ask("lua", code="vim.wait(100)")
    assert "E36" not in editor.ask("evaluate", expression="execute('messages')")


def test_long_lines_are_broken_between_words(editor: Editor, scene: Scene) -> None:
    # People who write code often have this.
    editor.ask("lua", code="vim.o.wrap, vim.o.columns = false, 40")
    for command in ("Ttsr runs", "TtsrTest write", "Ttsr docs inert-name", "Ttsr messages"):
        editor.ask("run_command", command=command)
        assert editor.ask("lua", code=BROKEN_LINES) == [[True, True, True]], command
        if "Test" in command:
            title = editor.ask("lua", code=RESULT_TITLE)
            assert title.startswith("TTSR: 'no-deprecated-module' does not"), "the beginning is what counts"
        editor.ask("lua", code="vim.cmd('botright new | only!')")
        editor.ask("open", path=str(scene.firing))
    assert editor.ask("evaluate", expression="[&wrap, &linebreak]") == [0, 0], "files are as they were"
    editor.ask("lua", code="vim.o.wrap = true")


# How each window of the plugin shows long lines.
BROKEN_LINES = """
return vim.iter(vim.api.nvim_tabpage_list_wins(0)):filter(function(window)
  return vim.startswith(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)), 'ttsr')
end):map(function(window)
  return { vim.wo[window].wrap, vim.wo[window].linebreak, vim.wo[window].breakindent }
end):totable()
"""
RESULT_TITLE = """
local window = vim.fn.bufwinid('^ttsr://test$')
return vim.api.nvim_eval_statusline(vim.wo[window].statusline, { winid = window, maxwidth = 40 }).str
"""


def test_the_runs_keep_their_window(editor: Editor, scene: Scene) -> None:
    run = Run(Path(scene.environment["XDG_STATE_HOME"]).parent / "shop", 1_000)
    run.log(trigger(scene.firing, scene.folder / "denied.py"))
    run.log(trigger(scene.firing, scene.target))
    scene.target.write_text("const a = 1\nconst b = a as any;\n")
    editor.ask("run_command", command="Ttsr runs")
    shown = editor.ask("shown_text", wanted=["2 triggers"])["text"]
    assert "⚡ no-deprecated-module  as any;" in shown, "no blanks before an excerpt"
    editor.ask("run_command", command="Ttsr quickfix")
    denied, written = editor.ask("lua", code=LIST)
    assert written.startswith("demo.py|2 ")
    assert denied.startswith("transcript of claude, "), "no file was written"
    assert "://" not in denied
    editor.ask("keys", keys="G<CR>")
    assert editor.ask("evaluate", expression="expand('%:t')") == "demo.py"
    assert "ttsr-runs" in [filetype for filetype, *_ in editor.ask("lua", code=WINDOWS)]
    editor.ask("keys", keys="<C-w>bgg<CR>")
    assert editor.ask("shown_text", wanted=["⚡ rule 'no-deprecated-module' fired"])["name"].startswith(
        "ttsr-transcript:"
    )
    windows = len(editor.ask("lua", code=WINDOWS))
    editor.ask("keys", keys="<C-w>bgg<CR>")
    assert len(editor.ask("lua", code=WINDOWS)) == windows, "the window with the transcript is taken again"
    assert editor.ask("evaluate", expression=STATUS).startswith("Transcript of claude, ")
    editor.ask("lua", code="vim.cmd.cclose() vim.cmd.wincmd('t') vim.cmd('only!')")
    assert editor.ask("evaluate", expression="&filetype") == "ttsr-runs"
    editor.ask("keys", keys="gg/⚡<CR><CR>")
    editor.ask("shown_text", wanted=["fired on"])
    assert len(editor.ask("lua", code=WINDOWS)) == 2, "the transcript has a window of its own"
    editor.ask("lua", code="vim.cmd.wincmd('t') vim.cmd('only!')")
    assert editor.ask("evaluate", expression="&filetype") == "ttsr-runs"
    editor.ask("keys", keys="q")
    assert editor.ask("evaluate", expression="[bufname(), &stl =~ 'silence']") == ["", 0], "the last window stays"


STATUS = "nvim_eval_statusline(&l:statusline, {}).str"
# The lines of the list as they are shown.
LIST = """
vim.cmd.wincmd('b')
assert(vim.bo.buftype == 'quickfix')
return vim.api.nvim_buf_get_lines(0, 0, -1, false)
"""


def test_the_result_of_a_test_is_closed_with_its_marks(editor: Editor, scene: Scene) -> None:
    scene.target.write_text(TARGET)
    editor.ask("open", path=str(scene.target))
    marks = "luaeval('#vim.api.nvim_buf_get_extmarks(vim.fn.bufnr(''demo.py''), -1, 0, -1, {type = ''sign''})')"
    offered = editor.ask("evaluate", expression="getcompletion('Ttsr clear', 'cmdline')")
    assert offered == ["clear-runs", "clear-test", "clear-triggers"]
    for cleared in ("<C-w>bq", ":Ttsr clear-test<CR>"):
        editor.ask("keys", keys=":TtsrTest write<CR>")
        tried(editor, "1 of 3 rules fires")
        assert editor.ask("evaluate", expression=f"wait(100000, {{-> {marks} > 0}})") == 0
        editor.ask("keys", keys=cleared)
        assert editor.ask("evaluate", expression=marks) == 0
