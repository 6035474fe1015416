"""Trying rules on a text in a real Neovim: marks, the quickfix list, the result window, and the float."""

from __future__ import annotations

from typing import Any

import pytest

from tests.editors.neovim import tried
from tests.editors.probed import Editor
from tests.editors.scene import Scene, make_scene
from tests.editors.vscode_window import until

pytestmark = pytest.mark.editor

TODO = """\
---
condition: ['\\bTODO\\b(?: \\((?<who>\\w+)\\))?', 'FIXME']
scope: tool:edit(*.py)
---
Write a ticket.
"""
PROSE = "---\ncondition: done\nscope: text\n---\nNo.\n"
CODE = "# 😀 TODO (ann)\nx = 'done'\n# FIXME TODO\n"


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A workspace in which one rule matches three times in a file, and another one once."""
    made = make_scene(tmp_path_factory.mktemp("trials").resolve())
    for rule in (made.broken, made.firing, made.showcase):
        rule.unlink()
    (made.firing.parent / "no-todo.md").write_text(TODO)
    (made.firing.parent / "not-done.md").write_text(PROSE)
    made.target.write_text(CODE)
    return made


@pytest.fixture
def code(neovim: Editor, scene: Scene) -> Editor:
    """Neovim on the file, with the server running."""
    neovim.ask("open", path=str(scene.firing.parent / "no-todo.md"))
    neovim.ask("open", path=str(scene.target))
    return neovim


def marks(editor: Editor) -> list[tuple[Any, ...]]:
    found = editor.ask(
        "lua",
        code="""
        local buf = vim.fn.bufnr('demo.py')
        local space = vim.api.nvim_get_namespaces()['ttsr.trial']
        return vim.tbl_map(function(mark)
          return { mark[2], mark[3], mark[4].end_row, mark[4].end_col, mark[4].hl_group, vim.trim(mark[4].sign_text) }
        end, vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true }))
    """,
    )
    return sorted(tuple(item) for item in found)


def test_all_matches_are_marked_and_listed(code: Editor) -> None:
    code.ask("keys", keys=":TtsrTest<CR>")
    report = tried(code, "1 of 2 rules fires on this edit of demo.py: no-todo.")
    assert "The gate “in scope” stops it." in report
    fires = ("TtsrFires", "!")
    assert marks(code) == [
        (0, 7, 0, 17, *fires),
        (1, 5, 1, 9, "TtsrSilent", "·"),
        (2, 2, 2, 7, *fires),
        (2, 8, 2, 12, *fires),
    ]
    listed = code.ask("evaluate", expression="map(getqflist(), {_, each -> [each.lnum, each.col, each.type]})")
    assert listed == [[1, 8, "W"], [2, 6, "I"], [3, 3, "W"], [3, 9, "W"]]
    texts = code.ask("evaluate", expression="map(getqflist(), 'v:val.text')")
    assert texts[:3] == [
        "no-todo fires: \\bTODO\\b(?: \\((?<who>\\w+)\\))?",
        "not-done silent (“in scope” stops it): done",
        "no-todo fires: FIXME",
    ]
    assert "TTSR: 1 of 2" in code.ask("evaluate", expression="getqflist({'title': 0}).title")


def test_a_selection_by_characters_is_tried_alone(code: Editor) -> None:
    code.ask("keys", keys="gg02lv2l:TtsrTest edit<CR>")
    tried(code, "None of 2 rules fires")
    assert marks(code) == []
    code.ask("keys", keys="gg04lv3l:TtsrTest edit<CR>")
    tried(code, "1 of 2 rules fires")
    assert [mark[:4] for mark in marks(code)] == [(0, 7, 0, 11)]


def test_the_chosen_kind_of_a_text_is_remembered(code: Editor) -> None:
    code.ask("keys", keys=":2TtsrTest text<CR>")
    tried(code, "1 of 2 rules fires on this reply text: not-done.")
    code.ask("keys", keys=":TtsrTest<CR>")
    tried(code, "on this reply text", "matches 2 times")
    windows = "len(filter(getwininfo(), {_, each -> bufname(each.bufnr) == 'ttsr://test'}))"
    assert code.ask("evaluate", expression=windows) == 1


def test_marks_follow_the_edits(code: Editor) -> None:
    code.ask("keys", keys=":3TtsrTest edit<CR>")
    tried(code, "1 of 2 rules fires")
    code.ask("keys", keys="ggO# a line<Esc>")
    code.ask("keys", keys="G0fFcwnothing<Esc>")
    code.ask(
        "lua",
        code="""
        assert(vim.wait(100000, function()
          local items = vim.fn.getqflist()
          return #items == 1 and items[1].lnum == 4
        end, 20), vim.inspect(vim.fn.getqflist()))
    """,
    )
    assert [mark[:4] for mark in marks(code)] == [(3, 10, 3, 14)]
    code.ask("keys", keys=":TtsrClearTest<CR>")
    assert marks(code) == []


def test_an_answer_that_comes_after_clearing_marks_nothing(code: Editor) -> None:
    code.ask("keys", keys=":TtsrTest edit<CR>")
    tried(code, "1 of 2 rules fires")
    code.ask(
        "lua",
        code="""
        local client = assert(vim.lsp.get_clients({ name = 'ttsr_ls' })[1])
        local send = client.request
        client.request = function(self, method, params, handler, ...)
          local function held(...)
            _G.answer = vim.F.pack_len(handler, ...)
          end
          return send(self, method, params, method == 'ttsr/testText' and held or handler, ...)
        end
        vim.cmd('TtsrTest edit')
        assert(vim.wait(100000, function() return _G.answer ~= nil end, 20), 'no answer')
        client.request = send
        vim.cmd.TtsrClearTest()
        _G.answer[1](unpack(_G.answer, 2, _G.answer.n))
    """,
    )
    assert marks(code) == []


# What `:TtsrWhy` says in its float, else in a message.
WHY = """
vim.cmd.doautocmd('CursorMoved')
vim.cmd.TtsrWhy()
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  end
end
local said = vim.split(vim.trim(vim.fn.execute('messages')), '\\n')
return { said[#said] }
"""


def test_the_float_names_the_gate_that_stops_the_rule(code: Editor) -> None:
    assert code.ask("lua", code=WHY) == ["TTSR: nothing is tested here yet: ':TtsrTest' tests this file"]
    code.ask("keys", keys=":TtsrTest edit<CR>")
    tried(code, "1 of 2 rules fires")
    code.ask("keys", keys="2G06l")
    lines = code.ask("lua", code=WHY)
    assert lines[0] == "not-done matches and is silent"
    assert "The gate “in scope” stops it." in " ".join(lines)
    code.ask("keys", keys="2G0")
    assert code.ask("lua", code=WHY)[:2] == ["Nearest match of this line, at column 6:", lines[0]]
    code.ask("keys", keys="3G0")
    assert code.ask("lua", code=WHY)[:2] == ["Nearest match of this line, at column 3:", "no-todo fires"]
    # Another list of the editor takes nothing away.
    code.ask("lua", code="vim.fn.setqflist({})")
    assert code.ask("lua", code=WHY)[1] == "no-todo fires"
    code.ask("keys", keys=":2TtsrTest text<CR>")
    tried(code, "on this reply text")
    code.ask("keys", keys="3G0")
    assert code.ask("lua", code=WHY) == ["TTSR: no rule matches on this line; the nearest match is on line 2"]


FLOATS = """
return vim.iter(vim.api.nvim_list_wins()):filter(function(window)
  return vim.api.nvim_win_get_config(window).relative ~= ''
end):map(function(window)
  return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, false)[1]
end):totable()
"""


@pytest.mark.parametrize("command", ["Ttsr clear-test", "TtsrClearTest", "TtsrTest text"])
def test_the_float_goes_with_its_test(code: Editor, command: str) -> None:
    code.ask("keys", keys=":TtsrTest edit<CR>")
    tried(code, "on this edit of demo.py")
    # As typed: a movement of the cursor that Neovim has not announced yet would close the float.
    code.ask("type", keys="3G02l:TtsrWhy<CR>")
    until(lambda: code.ask("lua", code=FLOATS) == ["no-todo fires"])
    code.ask("lua", code=f"vim.cmd('{command}')")
    assert code.ask("lua", code=FLOATS) == []
    if command.endswith("text"):
        tried(code, "on this reply text")
    # A float that the person has entered stays no longer.
    code.ask("keys", keys=":TtsrTest edit<CR>")
    tried(code, "on this edit of demo.py")
    code.ask("lua", code="vim.cmd.TtsrWhy() vim.cmd.TtsrWhy()")
    assert code.ask("evaluate", expression="nvim_win_get_config(0).relative") != ""
    code.ask("lua", code="vim.cmd('Ttsr clear-test')")
    assert code.ask("lua", code=FLOATS) == []


def test_the_result_of_a_selection_has_places_of_the_file(code: Editor) -> None:
    code.ask("keys", keys="3G02lv$:TtsrTest edit<CR>")
    assert "matches 1 time: 3:9" in tried(code, "1 of 2 rules fires", "matches 1 time: 3:3")
    code.ask("keys", keys="<C-w>j/3:9<CR><CR>")
    assert code.ask("evaluate", expression="[expand('%:t'), line('.'), col('.')]") == ["demo.py", 3, 9]


def test_enter_in_the_result_goes_to_the_match(code: Editor) -> None:
    code.ask("keys", keys=":TtsrTest edit<CR>")
    tried(code, "1 of 2 rules fires")
    code.ask("keys", keys="<C-w>j/FIXME. matches<CR><CR>")
    assert code.ask("evaluate", expression="[expand('%:t'), line('.'), col('.')]") == ["demo.py", 3, 3]
