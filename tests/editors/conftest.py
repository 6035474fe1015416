"""Tests in real editors. They are part of a run where the environment names the editors (`.ci/run` does), else not.

`TTSR_NVIM` is a Neovim; `TTSR_CODE_SERVER` a code-server, looked at with the Chromium that `TTSR_CHROMIUM` names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.neovim import open_neovim
from tests.editors.probed import Editor, server_program
from tests.editors.scene import Scene, make_scene
from tests.editors.vscode_window import Window, build_extension, open_window

collect_ignore_glob = [
    names
    for variable, names in (("TTSR_NVIM", "test_neovim*.py"), ("TTSR_CODE_SERVER", "test_vscode*.py"))
    if not os.environ.get(variable)
]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A workspace with a broken rule in it."""
    return make_scene(tmp_path_factory.mktemp("scene").resolve())


@pytest.fixture
def neovim(scene: Scene, tmp_path: Path) -> Iterator[Editor]:
    """A Neovim on the scene."""
    program = server_program(tmp_path)
    with open_neovim(scene.folder, tmp_path, scene.environment, program) as editor:
        yield editor


@pytest.fixture(scope="module")
def vscode(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A VS Code on the scene; it takes long to start, so the tests of a module share it."""
    build_extension()
    scratch = tmp_path_factory.mktemp("vscode")
    with open_window(scene.folder, scratch, scene.environment, server_program(scratch)) as window:
        yield window
