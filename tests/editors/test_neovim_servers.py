"""Which server a Neovim talks to for which file, when it starts one, and that it does not disturb."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.editors.neovim import server_process, tried
from tests.editors.probed import Editor
from tests.editors.scene import Scene, make_scene
from tests.lsp.logged_run import Run, trigger

pytestmark = pytest.mark.editor


def test_a_file_of_code_alone_shows_triggers_and_is_tried(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.target))
    neovim.ask("keys", keys=":1TtsrTest<CR>")
    tried(neovim, "1 of 3 rules fires")
    neovim.ask("open", path=str(scene.target))
    scene.play(scene.recorded_run())
    on_target = neovim.wait_for(scene.target, bool)
    assert [one["code"] for one in on_target] == ["triggered"]
    assert neovim.ask("evaluate", expression=ATTACHED) == 0, "typing in the file costs nothing"


def test_a_file_of_code_that_is_not_written_yet_has_the_server(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.folder / "no-folder-yet" / "new.ts"))
    assert neovim.ask("evaluate", expression=f"wait(20000, {{-> {RUNNING} == 1}})") == 0
    assert neovim.ask("evaluate", expression=ATTACHED) == 0, "typing in the file costs nothing"


def test_no_server_starts_where_there_are_no_rules(neovim: Editor, scene: Scene) -> None:
    elsewhere = scene.folder.parent / "elsewhere" / "a.py"
    elsewhere.parent.mkdir()
    elsewhere.write_text("import deprecated_module\n")
    neovim.ask("open", path=str(elsewhere))
    assert neovim.ask("evaluate", expression=RUNNING) == 0


def test_the_rules_are_those_of_the_workspace_of_the_file(neovim: Editor, scene: Scene) -> None:
    other = make_scene(scene.folder.parent / "other")
    other.firing.unlink()
    neovim.ask("open", path=str(other.showcase))
    neovim.ask("open", path=str(scene.target))
    neovim.ask("keys", keys=":1TtsrTest<CR>")
    tried(neovim, "1 of 3 rules fires")
    neovim.ask("open", path=str(other.target))
    neovim.ask("keys", keys=":1TtsrTest<CR>")
    tried(neovim, "None of 2 rules fires")
    assert neovim.ask("evaluate", expression=RUNNING) == 2


def test_a_server_that_was_killed_comes_back_for_the_files_that_are_open(neovim: Editor, scene: Scene) -> None:
    expected = scene.check(scene.broken)
    neovim.ask("open", path=str(scene.broken))
    neovim.wait_for(scene.broken, lambda found: len(found) == len(expected))
    os.kill(server_process(neovim), signal.SIGKILL)
    neovim.wait_for(scene.broken, lambda found: not found)
    neovim.wait_for(scene.broken, lambda found: len(found) == len(expected))


def test_a_server_that_was_killed_leaves_no_marks_on_files_of_code(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.target))
    scene.play(scene.recorded_run())
    neovim.wait_for(scene.target, bool)
    os.kill(server_process(neovim), signal.SIGKILL)
    neovim.wait_for(scene.target, lambda found: not found)
    neovim.wait_for(scene.target, bool)
    neovim.ask("keys", keys=":Ttsr clear-triggers<CR>")
    neovim.wait_for(scene.target, lambda found: not found)


def test_a_server_that_was_stopped_stays_so(neovim: Editor, scene: Scene) -> None:
    neovim.ask("open", path=str(scene.broken))
    neovim.wait_for(scene.broken, bool)
    neovim.ask("evaluate", expression="luaeval('vim.lsp.get_clients()[1]:stop(true)')")
    neovim.wait_for(scene.broken, lambda found: not found)
    # Longer than a restart takes to begin.
    assert neovim.ask("evaluate", expression="wait(1500, {-> 0})") == -1
    assert neovim.ask("evaluate", expression=RUNNING) == 0


def test_messages_about_triggers_never_ask_for_a_key(on_screen: Editor, scene: Scene) -> None:
    on_screen.ask("open", path=str(scene.firing))
    on_screen.ask("hover", path=str(scene.firing), line=2, character=2)
    run = Run(Path(scene.environment["XDG_STATE_HOME"]).parent / "shop", 1_000)
    target = scene.folder / "a" / "very" / "long" / "path" / "that" / "does" / "not" / "fit" / "into" / "a" / "line.ts"
    for _ in range(3):
        run.log(trigger(scene.firing, target))
    on_screen.wait_for(scene.firing, lambda found: bool(found) and "3 times" in found[0]["message"])
    assert on_screen.ask("evaluate", expression="wait(100000, {-> execute('messages') =~ 'triggers'})") == 0
    assert on_screen.ask("mode") == {"mode": "n", "blocking": False}


RUNNING = "luaeval('#vim.lsp.get_clients()')"
ATTACHED = "luaeval('#vim.lsp.get_clients({bufnr=0})')"
