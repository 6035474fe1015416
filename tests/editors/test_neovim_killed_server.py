"""A transcript in a real Neovim whose server was killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.editors.neovim import server_process
from tests.editors.probed import Editor
from tests.editors.scene import Scene
from tests.lsp.logged_run import Run
from ttsr_ls.session.history.turn import ModelCall
from ttsr_ls.session.history.turn_events import StepAppended
from ttsr_ls.session.history.turn_output import Text

pytestmark = pytest.mark.editor


def test_a_transcript_grows_after_its_server_was_killed(neovim: Editor, scene: Scene) -> None:
    run = Run(Path(scene.environment["XDG_STATE_HOME"]).parent / "shop", 1_000)
    neovim.ask("open", path=str(scene.firing))
    run.log(StepAppended("t1", 0, ModelCall("main", "m", (Text("the answer before"),), complete=True)))
    neovim.ask("run_command", command="Ttsr runs")
    neovim.ask("shown_text", wanted=["answer: the answer before"])
    neovim.ask("keys", keys="gg/answer:<CR><CR>")
    neovim.ask("shown_text", wanted=["claude in", "the answer before"])
    os.kill(server_process(neovim), signal.SIGKILL)
    run.log(StepAppended("t1", 1, ModelCall("main", "m", (Text("the answer after"),), complete=True)))
    neovim.ask("shown_text", wanted=["claude in", "the answer before", "the answer after"])
