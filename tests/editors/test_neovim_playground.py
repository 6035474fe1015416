"""The playground, and the tests of rules, in a real Neovim."""

from __future__ import annotations

import pytest

from tests.editors.probed import Editor
from tests.editors.scene import Scene, make_scene
from tests.editors.test_vscode_rule_tests import RULE, TESTS
from tests.editors.test_vscode_trials import CODE, TODO

pytestmark = pytest.mark.editor


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A workspace with a rule of two conditions, and a rule with tests of which one fails."""
    made = make_scene(tmp_path_factory.mktemp("playground").resolve())
    for rule in (made.broken, made.firing, made.showcase):
        rule.unlink()
    made.firing.with_name("no-todo.md").write_text(TODO)
    made.firing.with_name("no-any.md").write_text(RULE)
    made.firing.with_name("no-any.test.yml").write_text(TESTS)
    return made


@pytest.fixture
def playground(neovim: Editor, scene: Scene) -> Editor:
    """A playground of the rule, with a sample and the cursor in it."""
    neovim.ask("open", path=str(scene.firing.with_name("no-todo.md")))
    neovim.ask("keys", keys=":Ttsr playground<CR>")
    neovim.ask("set_lines", first=0, last=-1, lines=CODE.splitlines())
    return neovim


def facts(editor: Editor, *wanted: str) -> str:
    """What stands below the sample, as soon as it has what is wanted."""
    parts = ", ".join(f"[==[{part}]==]" for part in wanted)
    return str(
        editor.ask(
            "lua",
            code=f"""
                local space = vim.api.nvim_get_namespaces()['ttsr.playground']
                local function text()
                  local buf = vim.fn.bufnr('^ttsr://sample$')
                  local found = vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, {{ details = true }})
                  local lines = {{}}
                  for _, mark in ipairs(found) do
                    for _, line in ipairs(mark[4].virt_lines or {{}}) do
                      local shown = vim.iter(line):map(function(part) return part[1] end):join('')
                      assert(vim.fn.strdisplaywidth(shown) <= vim.fn.winwidth(vim.fn.bufwinid(buf)), 'cut: ' .. shown)
                      -- A line that is too wide goes on below, indented.
                      if line[1] and line[1][1] == '  ' then
                        lines[#lines] = lines[#lines] .. shown:sub(2)
                      else
                        lines[#lines + 1] = shown
                      end
                    end
                  end
                  return table.concat(lines, '\\n')
                end
                assert(vim.wait(100000, function()
                  return vim.iter({{ {parts} }}):all(function(part) return text():find(part, 1, true) ~= nil end)
                end, 20), 'not shown; this is: ' .. text())
                return text()
            """,
        )
    )


def shades(editor: Editor) -> list[list[object]]:
    shown: list[list[object]] = editor.ask(
        "lua",
        code="""
            local space = vim.api.nvim_get_namespaces()['ttsr.playground']
            local buf = vim.fn.bufnr('^ttsr://sample$')
            local found = vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })
            return vim.iter(found):filter(function(mark) return mark[4].hl_group ~= nil end):map(function(mark)
              return { mark[2], mark[3], mark[4].hl_group }
            end):totable()
        """,
    )
    return shown


def test_the_sample_is_shaded_by_condition_with_groups_and_gates(playground: Editor) -> None:
    shown = facts(playground, "'no-todo' fires on this edit of file.ts.", "✓ matches")
    assert "stable: with delta 4, after 60 characters" in shown
    assert "reference: with delta 4, after 64 characters" in shown
    assert "group 1 who = ann" in shown
    assert "✗" not in shown
    assert shades(playground) == [
        [1, 5, "TtsrCondition1"],
        [5, 3, "TtsrCondition2"],
        [6, 28, "TtsrCondition1"],
    ]


def test_the_facts_fit_into_a_narrower_window(playground: Editor) -> None:
    facts(playground, "✓ matches")
    playground.ask("keys", keys=":vertical resize 24<CR>")
    assert "'no-todo' fires on this edit of file.ts." in facts(playground, "✓ matches")


def test_the_sample_streams_delta_by_delta(playground: Editor) -> None:
    facts(playground, "delta 12 of 12")
    playground.ask("keys", keys="[D")
    facts(playground, "'no-todo' would fire with delta 4 of 12", "delta 0 of 12", "matches")
    playground.ask("keys", keys="4]d")
    facts(playground, "'no-todo' fires on this edit of file.ts.", "delta 4 of 12")
    assert shades(playground) == [[1, 5, "TtsrCondition1"], [1, 14, "TtsrPending"]]
    playground.ask("keys", keys="]d")
    facts(playground, "delta 5 of 12")
    playground.ask("keys", keys="]D")
    facts(playground, "delta 12 of 12", "matches  FIXME")


def test_each_change_of_the_rule_counts(playground: Editor) -> None:
    facts(playground, "matches  FIXME")
    playground.ask("keys", keys="<C-w>p")
    playground.ask("keys", keys="5G0fFiX<Esc>")
    facts(playground, "silent  XFIXME")
    playground.ask("keys", keys="3GOenabled: false<Esc>")
    facts(playground, "✗ enabled")
    playground.ask("keys", keys=":e!<CR>")


def test_the_kind_decides_on_the_scope(playground: Editor) -> None:
    playground.ask("keys", keys=":Ttsr playground thinking 4<CR>")
    facts(playground, "does not admit thinking", "✗ in scope", "of 4 characters")


def test_a_test_file_has_live_findings(neovim: Editor, scene: Scene) -> None:
    path = scene.firing.with_name("no-any.test.yml")
    neovim.ask("open", path=str(path))
    (found,) = neovim.wait_for(path, bool)
    assert (found["code"], found["byte_range"][:2]) == ("failing-rule-test", [2, 4])


def test_the_tests_of_a_rule_run_and_failures_are_listed(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.firing.with_name("no-any.md")))
    neovim.ask("keys", keys=":Ttsr test<CR>")
    title = neovim.ask(
        "lua",
        code="""
            vim.wait(100000, function() return vim.fn.getqflist({ title = 0 }).title:find('rule tests') ~= nil end, 20)
            return vim.fn.getqflist({ title = 0 }).title
        """,
    )
    assert title == "TTSR: 3 of 4 rule tests passed"
    (item,) = neovim.ask("evaluate", expression="getqflist()")
    assert (item["lnum"], item["col"], item["type"]) == (3, 5, "E")
    assert "3 of 4 rule tests passed; :copen lists the failure\n" in f"{neovim.ask('evaluate', expression=MESSAGES)}\n"
    assert item["text"].startswith("valid 2: The rule must be silent on this text, but fires by `as any`")
    # A run of all tests is long work: Neovim is told of its progress.
    told = neovim.ask("lua", code=PROGRESS_OF_ALL)
    assert (told[0], told[-1]) == ("begin", "end")


def test_mistakes_in_a_test_file_are_reported(neovim: Editor, scene: Scene) -> None:
    rule = scene.firing.with_name("no-print.md")
    rule.write_text("---\ncondition: print\n---\nUse the logger.\n")
    rule.with_name("no-print.test.yml").write_text("- fires: print(x)\n")
    neovim.ask("open", path=str(rule))
    neovim.ask("keys", keys=":Ttsr test<CR>")
    expected = "TTSR: 0 of 0 rule tests passed; :copen lists what is wrong"
    assert neovim.ask("evaluate", expression=f"wait(100000, {{-> {MESSAGES} =~ '{expected}'}})") == 0
    (item,) = neovim.ask("evaluate", expression="getqflist()")
    assert (item["lnum"], item["type"], item["module"]) == (1, "E", ".omp/rules/no-print.test.yml")
    assert item["text"].startswith("no-print: A test file has the keys `valid` and `invalid`")


MESSAGES = "execute('messages')"

PROGRESS_OF_ALL = """
local kinds = {}
vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event) table.insert(kinds, event.data.params.value.kind) end,
})
vim.cmd('Ttsr test all')
vim.wait(100000, function() return kinds[#kinds] == 'end' end, 20)
return kinds
"""


def test_the_sample_stays_in_sight_while_it_is_typed(on_screen: Editor, scene: Scene) -> None:
    on_screen.ask("open", path=str(scene.firing.with_name("no-todo.md")))
    on_screen.ask("keys", keys=":Ttsr playground<CR>")
    on_screen.ask("type", keys="iTODO: first")
    # Its lines fill the window, so that the next one is below them at first.
    facts(on_screen, "fires with delta 1")
    on_screen.ask("type", keys="<CR>second<Esc>")
    typed = "getline(2) == 'second' && mode(1) == 'n' && line('w0') == 1"
    assert on_screen.ask("evaluate", expression=f"wait(20000, {{-> {typed}}})") == 0


def test_the_hint_of_an_empty_sample_fits_half_a_screen(playground: Editor) -> None:
    playground.ask("set_lines", first=0, last=-1, lines=[""])
    hint = playground.ask(
        "lua",
        code="""
            local space, hint = vim.api.nvim_get_namespaces()['ttsr.playground'], nil
            vim.wait(20000, function()
              local buf = vim.fn.bufnr('^ttsr://sample$')
              local marks = vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })
              local texts = vim.iter(marks):map(function(mark) return mark[4].virt_text end):totable()
              hint = texts[1] and texts[1][1][1]
              return hint ~= nil
            end, 10)
            return hint
        """,
    )
    assert hint.startswith("Type or paste a text")
    assert len(hint) <= 44, "the window beside the rule has so many columns on a screen of 89"
