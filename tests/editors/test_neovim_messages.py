"""Messages in a real Neovim: each is one line, so that none asks for a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.probed import Editor
from tests.editors.scene import Scene, make_scene

pytestmark = pytest.mark.editor

# What is typed, and how the message of it begins.
REFUSED = [
    (":Ttsr<CR>", "TTSR: name a subcommand"),
    (":Ttsr nonsense<CR>", "TTSR: there is no ':Ttsr nonsense'"),
    (":Ttsr quickfix<CR>", "TTSR: no rule has fired"),
    (":Ttsr clear-runs<CR>", "TTSR: finished runs are cleared"),
    (":Ttsr test<CR>", "TTSR: there are no tests"),
    (":Ttsr docs<CR>", "TTSR: no finding on this line; ':Ttsr docs CODE' opens a page"),
    (
        ":Ttsr docs nonsense-that-is-longer-than-any-code-of-a-finding-and-than-a-line<CR>",
        "TTSR: The manual has no page",
    ),
    (":Ttsr playground nonsense<CR>", "TTSR: 'nonsense' is no kind"),
    (":Ttsr playground edit many<CR>", "TTSR: 'many' is no size"),
    (":Ttsr new-rule No<CR>", "TTSR: 'No' is not a valid name"),
    (":Ttsr new-rule no-any nonsense<CR>", "TTSR: argument --template"),
    (":TtsrTest nonsense<CR>", "TTSR: 'nonsense' is no kind"),
    (":TtsrTest tool<CR>", "TTSR: name the tool"),
    (":TtsrWhy<CR>", "TTSR: nothing is tested here yet"),
    (":TtsrClearTriggers<CR>", "TTSR: marks are cleared: 0; runs stay until ':Ttsr clear-runs'"),
    (":lua vim.lsp.buf.rename('no good name')<CR>", "TTSR: 'no good name' cannot be"),
    (":lua vim.lsp.buf.rename('broken')<CR>", "TTSR: The name 'broken' is taken"),
]
# The plugin's messages, as soon as the last one begins so.
SAID = """
local function said() return vim.split(vim.trim(vim.fn.execute('messages')), '\\n') end
vim.wait(100000, function() return vim.startswith(said()[#said()], [==[%s]==]) end, 20)
return said()[#said()]
"""


def test_no_command_asks_for_a_key(on_screen: Editor, scene: Scene) -> None:
    on_screen.ask("open", path=str(scene.firing))
    on_screen.ask("hover", path=str(scene.firing), line=2, character=2)
    on_screen.ask("keys", keys="3G")
    for typed, expected in REFUSED:
        on_screen.ask("type", keys=typed)
        said = on_screen.ask("lua", code=SAID % expected)
        assert said.startswith(expected)
        assert len(said) < 80
        assert on_screen.ask("mode") == {"mode": "n", "blocking": False}, typed
    on_screen.ask("keys", keys=":Ttsr messages<CR>")
    assert "is taken: " + str(scene.broken) in on_screen.ask("shown_text", wanted=["Choose another"])["text"]


def test_a_new_rule_is_written_where_no_folder_is(on_screen: Editor, scene: Scene) -> None:
    other = make_scene(scene.folder.parent / "new")
    on_screen.ask("lua", code=f"vim.cmd.cd([[{other.folder}]])")
    on_screen.ask("type", keys=":Ttsr new-rule no-log ast<CR>")
    rule = on_screen.ask("shown_text", wanted=["astCondition: 'print($$$)'", "description: No log."])
    assert rule["name"] == str(other.folder / ".omp" / "rules" / "no-log.md")
    assert rule["line"] == 4, "the cursor is on the condition"
    on_screen.ask("lua", code="vim.cmd.Ttsr('new-rule')")
    while on_screen.ask("mode")["mode"] != "c":  # The question comes with the templates, from the program.
        pass
    on_screen.ask("type", keys="3<CR>by-judge<CR>")
    judgement = on_screen.ask("shown_text", wanted=["question: Does the agent claim", "description: By judge."])
    assert judgement["name"].endswith("by-judge.md")
    written = other.folder / ".agents" / "rules" / "mine.md"
    on_screen.ask("open", path=str(written))
    on_screen.ask("keys", keys="ithis<Esc>:w<CR>")
    assert written.read_text() == "this\n"
    for plain in (other.folder / "src" / "notes.md", other.folder / ".claude" / "commands" / "x.md"):
        on_screen.ask("lua", code=f"vim.cmd.edit([[{plain}]]) pcall(vim.cmd.write)")
        assert not plain.parent.exists(), "other folders are Neovim's own business"


def test_a_new_rule_is_open_although_a_plug_in_for_markdown_fails(on_screen: Editor, scene: Scene) -> None:
    other = make_scene(scene.folder.parent / "failing")
    on_screen.ask("lua", code=f"vim.cmd.cd([[{other.folder}]])")
    fails = "{ pattern = 'markdown', callback = function() error('there is no parser') end }"
    on_screen.ask("lua", code=f"failing = vim.api.nvim_create_autocmd('FileType', {fails})")
    on_screen.ask("type", keys=":Ttsr new-rule no-log ast<CR>")
    rule = on_screen.ask("shown_text", wanted=["astCondition: 'print($$$)'"])
    assert rule["line"] == 4, "the cursor is on the condition"
    on_screen.ask("lua", code="vim.api.nvim_del_autocmd(failing)")
    on_screen.ask("keys", keys=":Ttsr messages<CR>")
    assert "there is no parser" in on_screen.ask("shown_text", wanted=["parser"])["text"]


def test_a_failed_installation_is_explained_on_one_line(on_screen: Editor, tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    go = tmp_path / "go"
    waiting = f"until [ -e {go} ]; do sleep 0.05; done"
    python.write_text(f'#!/bin/sh\n[ "$1" = -c ] && exit\n{waiting}\nseq 50\necho no venv here >&2\nexit 1\n')
    python.chmod(0o755)
    on_screen.ask("lua", code=f"vim.env.PATH = [[{python.parent}:]] .. vim.env.PATH")
    on_screen.ask("type", keys=":Ttsr install<CR>:Ttsr install<CR>")
    assert on_screen.ask("lua", code=SAID % "TTSR: the server is being installed"), "Neovim does not wait"
    go.touch()
    assert on_screen.ask("lua", code=SAID % "TTSR: the installation").startswith(
        "TTSR: the installation failed; ':Ttsr messages' says why"
    )
    assert on_screen.ask("mode") == {"mode": "n", "blocking": False}
    on_screen.ask("keys", keys=":Ttsr messages<CR>")
    on_screen.ask("shown_text", wanted=["-m venv", "\n50\n", "no venv here"])


def test_where_no_rules_are_the_next_step_is_named(neovim: Editor, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.py").write_text("x\n")
    neovim.ask("open", path=str(tmp_path / "a.py"))
    neovim.ask("keys", keys=":TtsrTest<CR>")
    expected = "TTSR: there are no rules in this folder: ':Ttsr new-rule' begins one"
    assert neovim.ask("lua", code=SAID % expected) == expected


def test_a_server_that_is_not_installed_is_named(neovim: Editor, scene: Scene) -> None:
    neovim.ask("lua", code="vim.lsp.config('ttsr_ls', { cmd = { 'no-such-ttsr-ls', 'serve' } })")
    neovim.ask("lua", code=f"vim.cmd.edit([[{scene.firing.with_name('new.md')}]])")
    expected = "TTSR: run ':Ttsr install': there is no program 'no-such-ttsr-ls'"
    assert neovim.ask("lua", code=SAID % expected) == expected


def test_the_name_of_a_rule_is_not_dropped_from_a_shortened_message(neovim: Editor) -> None:
    text = "TTSR: 4 triggers, the last one: rule 'prose-evidence-before-claims' fired on text"
    for room, expected in ((60, 59), (36, 31), (200, len(text))):
        cut = neovim.ask("lua", code=f"return require('ttsr.message').cut([[{text}]], {room})")
        assert cut == text if expected == len(text) else cut == text[:expected].rstrip() + "…"


def test_a_message_that_fits_is_whole_also_where_the_window_breaks_lines(neovim: Editor) -> None:
    text = "TTSR: 4 triggers, the last one: rule 'no-any' fired on text"
    neovim.ask("keys", keys=":topleft 20vsplit<CR>:set linebreak breakindent<CR>")
    assert neovim.ask("lua", code=f"return require('ttsr.message').cut([[{text}]], {len(text)})") == text


def test_the_message_that_a_server_starts_goes_when_it_has(on_screen: Editor, scene: Scene, tmp_path: Path) -> None:
    slow, go = tmp_path / "slow", tmp_path / "go"
    slow.write_text(f'#!/bin/sh\nuntil [ -e {go} ]; do sleep 0.05; done\nexec {tmp_path / "ttsr-ls"} "$@"\n')
    slow.chmod(0o755)
    on_screen.ask("lua", code=f"vim.lsp.config('ttsr_ls', {{ cmd = {{ [[{slow}]], 'serve' }} }})")
    on_screen.ask("lua", code=f"vim.cmd.edit([[{scene.target}]])")
    on_screen.ask("type", keys=":Ttsr runs<CR>")
    assert on_screen.ask("lua", code=LAST_LINE % "text:find('the server is starting', 1, true)")
    go.touch()
    assert on_screen.ask("lua", code=LAST_LINE % "vim.bo.filetype == 'ttsr-runs' and text == ''") == ""


# The last line of the screen, as soon as it is as expected; nothing if it never is.
LAST_LINE = """
local text
local is_shown = vim.wait(20000, function()
  vim.cmd.redraw()
  text = ''
  for column = 1, vim.o.columns do
    text = text .. vim.fn.screenstring(vim.o.lines, column)
  end
  text = vim.trim(text)
  return %s
end, 20)
return is_shown and text or vim.NIL
"""
