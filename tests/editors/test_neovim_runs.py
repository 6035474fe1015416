"""What a real Neovim shows of agents while they run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors.live_agent import live_agent
from tests.editors.neovim import open_neovim
from tests.editors.probed import ROOT, Editor, server_program
from tests.editors.scene import Scene

pytestmark = pytest.mark.editor

FIRED = "⚡ rule 'no-deprecated-module' fired on write of demo.py: “import deprecated_module”"
WATCHED = FIRED.replace(":", ", which would have been interrupted:", 1)


def test_a_running_session_is_followed(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing))
    with live_agent(scene) as agent:
        agent.speak_until("print('he")
        neovim.ask("run_command", command="Ttsr runs")
        neovim.ask("shown_text", wanted=["claude", "no-deprecated-module", "at work"])
        # Not the number of the line: a run that ended before may still be read, and stand above it.
        neovim.ask("keys", keys="gg/⚡<CR><CR>")
        # The answer is not on record yet: it is shown as far as it has come.
        early = neovim.ask("shown_text", wanted=[FIRED, "print('he", "● text …"])
        assert early["name"].startswith("ttsr-transcript://run/")
        assert "import deprecated_module" in early["text"].splitlines()[early["line"] - 1]
        assert "the turn is completed" not in early["text"]
        agent.finish()
        grown = neovim.ask("shown_text", wanted=["● text", "▸ Write", "hello from", "the turn is completed"])
        assert grown["name"] == early["name"]
        assert (grown["text"].count(FIRED), grown["text"].count(WATCHED)) == (0, 1)
        assert grown["text"].index("import deprecated_module") < grown["text"].index(WATCHED)
    found = neovim.ask("lua", code=MARKED)
    assert found["text"] == ["deprecated_module"]
    assert found["line"].endswith("import deprecated_module")
    assert found["message"].startswith("TTSR: rule 'no-deprecated-module' fired on write of demo.py")
    assert found["modifiable"] is False
    neovim.ask("lua", code="vim.cmd('wincmd t')")
    neovim.ask("shown_text", wanted=["ended"])


MARKED = """
local found = vim.diagnostic.get(0)[1]
local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]
return { text = { vim.trim(line:sub(found.col + 1, found.end_col)) }, line = line, message = found.message,
  modifiable = vim.bo.modifiable }
"""


def test_messages_are_short_and_few(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing))
    neovim.ask("lua", code=_COUNT_AND_HOLD_PAUSES)
    scene.play(scene.recorded_run())
    said = neovim.ask("lua", code="vim.wait(100000, function() return vim.g.said > 0 end, 20) return vim.g.said")
    assert said == 1
    messages = neovim.ask("evaluate", expression="execute('messages')").strip().splitlines()
    (first,) = [line for line in messages if "fired" in line]
    assert len(first) < 60
    # A second run soon after makes the event, and a message when the first one could be read.
    scene.play(scene.recorded_run())
    neovim.ask("lua", code="vim.wait(100000, function() return vim.g.said > 1 end, 20)")
    messages = neovim.ask("evaluate", expression="execute('messages')").strip().splitlines()
    assert [line for line in messages if "fired" in line] == [first], "none follows for eight seconds"
    assert neovim.ask("lua", code="local held = #_G.pauses; _G.pauses[1](); return held") == 1
    assert neovim.ask("evaluate", expression=f"wait(100000, {{-> {_MESSAGES} > 1}})") == 0
    assert neovim.ask("evaluate", expression="mode(1)") == "n", "nothing waits for a key"


# Counts the events, and keeps what eight seconds would end: a busy machine takes longer for a run.
_COUNT_AND_HOLD_PAUSES = """
vim.o.columns = 60
vim.g.said = 0
vim.api.nvim_create_autocmd('User', {
  pattern = 'TtsrTriggered',
  callback = function() vim.g.said = vim.g.said + 1 end,
})
local defer = vim.defer_fn
_G.pauses = {}
vim.defer_fn = function(done, milliseconds)
  if milliseconds ~= 8000 then return defer(done, milliseconds) end
  table.insert(_G.pauses, done)
end
"""
_MESSAGES = "len(filter(split(execute('messages'), '\\n'), {_, line -> line =~ 'fired'}))"


def test_triggers_go_into_the_quickfix_list(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing))
    scene.play(scene.recorded_run())
    neovim.ask("run_command", command="Ttsr runs")
    neovim.ask("shown_text", wanted=["no-deprecated-module"])
    neovim.ask("run_command", command="Ttsr quickfix")
    found = neovim.ask(
        "lua",
        code="local one = vim.fn.getqflist()[1] return { vim.api.nvim_buf_get_name(one.bufnr), one.lnum, one.text }",
    )
    assert found[:2] == [str(scene.target), 1]
    assert "no-deprecated-module" in found[2]


def test_a_trigger_of_prose_leads_to_the_transcript(neovim: Editor, scene: Scene) -> None:
    rule = scene.firing.with_name("no-success.md")
    rule.write_text("---\ncondition: 'file is written'\nscope: text\n---\nno\n")
    try:
        neovim.ask("open", path=str(scene.firing))
        scene.play(scene.recorded_run())
        neovim.ask("run_command", command="Ttsr runs")
        # A cursor on the last line follows a transcript that grows.
        neovim.ask("shown_text", wanted=["no-success", "ended"])
        neovim.ask("run_command", command="Ttsr quickfix")
        neovim.ask("keys", keys="/no-success<CR><CR>")
        shown = neovim.ask("shown_text", wanted=["⚡ rule 'no-success' fired"])
        assert shown["name"].startswith("ttsr-transcript://")
        assert "file is written" in shown["text"].splitlines()[shown["line"] - 1]
        neovim.ask("keys", keys="q")
        assert not neovim.ask("evaluate", expression="bufname()").startswith("ttsr-transcript://")
        assert neovim.ask("evaluate", expression=f"len(win_findbuf(bufnr('{shown['name']}')))") == 0
    finally:
        rule.unlink()


def test_a_silenced_rule_is_marked_in_the_tree(neovim: Editor, scene: Scene) -> None:
    neovim.ask("lua", code="vim.o.columns = 120")
    neovim.ask("open", path=str(scene.firing))
    scene.play(scene.recorded_run())
    neovim.ask("run_command", command="Ttsr runs")
    neovim.ask("shown_text", wanted=["no-deprecated-module"])
    window = neovim.ask("evaluate", expression="[&list, &wrap, &linebreak, &breakindent, winwidth(0)]")
    assert window == [0, 1, 1, 1, 48], "nothing is cut"
    text = neovim.ask("shown_text", wanted=["would interrupt"])["text"]
    assert "would have been" not in text
    # Folds: a closed one stays so when the tree changes, and opens with the keys of Neovim.
    neovim.ask("keys", keys="gg/⚡<CR>zc")
    assert neovim.ask("evaluate", expression="foldclosed('.') > 0")
    neovim.ask("keys", keys="zo")
    assert neovim.ask("evaluate", expression="foldclosed('.')") == -1
    neovim.ask("keys", keys="gg/⚡<CR>s")
    shown = neovim.ask("shown_text", wanted=["⚡ (silenced)"])["text"]
    silenced = next(line for line in shown.splitlines() if "(silenced)" in line)
    assert len(silenced.partition("(silenced)")[0]) < 20, "no window cuts it off"
    assert (
        neovim.ask("evaluate", expression="wait(100000, {-> execute('messages') =~ \"is silenced; 's' undoes it\"})")
        == 0
    )
    neovim.ask("keys", keys="1Gs")
    assert neovim.ask("evaluate", expression="wait(100000, {-> execute('messages') =~ 'cursor on a trigger'})") == 0
    neovim.ask("run_command", command="vsplit | Ttsr clear-runs | wincmd p")
    # The tree is empty before the answer to the command says why.
    cleared = neovim.ask("shown_text", wanted=["Finished runs were cleared.", "No run to show."])["text"]
    assert cleared.startswith("Finished runs were cleared.\n")
    assert max(map(len, cleared.splitlines())) <= 80
    assert len(cleared.splitlines()) <= 8, "the window has so many lines on a screen of 80 by 24"


def test_names_are_never_evaluated(neovim: Editor, scene: Scene) -> None:
    rule = scene.firing.with_name("`touch owned`%{execute('let g:owned=1')}|let g:owned=1.md")
    rule.write_text(scene.firing.read_text())
    try:
        neovim.ask("open", path=str(scene.firing))
        scene.play(scene.recorded_run())
        neovim.ask("run_command", command="Ttsr runs")
        neovim.ask("shown_text", wanted=["touch owned"])
        neovim.ask("keys", keys="gg/touch owned<CR>r")
        neovim.ask("shown_text", wanted=["Use the module's successor."])
        neovim.ask("run_command", command="Ttsr quickfix")
        assert neovim.ask("evaluate", expression="exists('g:owned')") == 0
        assert not (scene.folder / "owned").exists()
    finally:
        rule.unlink()


# On which files triggers are marked, open or not, and how many on each.
ALL_MARKS = """
local function marks()
  local found, count = {}, 0
  for _, one in ipairs(vim.diagnostic.get(nil)) do
    if one.code == 'triggered' then
      local name = vim.fs.basename(vim.api.nvim_buf_get_name(one.bufnr))
      found[name] = (found[name] or 0) + 1
      count = count + 1
    end
  end
  return found, count
end
-- Those of a file may come after the first ones of all others.
vim.wait(100000, function() return select(2, marks()) >= 8 end, 50)
return (marks())
"""


def test_all_triggers_of_the_demo_show(scene: Scene, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    command = [sys.executable, "-m", "ttsr_ls", "demo", "--editor", str(folder), "--speed", "3"]
    environment = {**os.environ, **scene.environment, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, text=True) as demo:
        assert demo.stdout is not None
        demo.stdout.readline()
        program = server_program(tmp_path)
        with open_neovim(folder, tmp_path, scene.environment, program) as editor:
            editor.ask("open", path=str(folder / ".omp" / "rules" / "go-wrap-errors.md"))
            found = editor.ask("lua", code=ALL_MARKS)
            editor.ask("run_command", command="Ttsr runs")
            editor.ask("shown_text", wanted=["5 triggers"])
        demo.stdout.read()
    assert demo.returncode == 0
    assert found == {
        "prose-no-flattery.md": 1,
        "prose-evidence-before-claims.md": 1,
        "py-no-mutable-default.md": 1,
        "py-no-bare-except.md": 1,
        "ts-no-explicit-any.md": 1,
        "prices.py": 2,
        "cart.ts": 1,
    }


def test_a_command_right_after_the_start_waits_for_the_server(neovim: Editor, scene: Scene) -> None:
    neovim.ask("lua", code=RIGHT_AFTER_START % str(scene.firing))
    shown = "wait(100000, {-> &filetype ==# 'ttsr-runs' && getqflist({'context': 0}).context ==# 'ttsr'})"
    assert neovim.ask("evaluate", expression=shown) == 0
    longest, said = neovim.ask("lua", code="return { vim.g.longest, vim.fn.execute('messages') }")
    assert longest < 100, "Neovim never waits for the server"
    assert "no server" not in said


# Commands before the server answers; how many milliseconds each took.
RIGHT_AFTER_START = """
vim.cmd.edit(%r)
vim.g.longest = 0
for _, command in ipairs({ 'TtsrTest', 'Ttsr runs' }) do
  local began = vim.uv.hrtime()
  vim.cmd(command)
  vim.g.longest = math.max(vim.g.longest, (vim.uv.hrtime() - began) / 1e6)
end
"""
