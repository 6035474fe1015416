"""Tests in real editors. They are part of a run where the environment names the editors (`.ci/run` does), else not.

`TTSR_NVIM` is a Neovim; `TTSR_CODE_SERVER` a code-server, looked at with the Chromium that `TTSR_CHROMIUM` names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.editors.neovim import open_neovim
from tests.editors.probed import Editor, server_program
from tests.editors.scene import Scene, make_scene
from tests.editors.vscode_window import VsCode, Window, open_vscode

collect_ignore_glob = [
    names
    for variable, names in (("TTSR_NVIM", "test_neovim*.py"), ("TTSR_CODE_SERVER", "test_vscode*.py"))
    if not os.environ.get(variable)
]


@pytest.fixture(scope="session")
def vscode_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where VS Code and its `ttsr-ls` keep what is theirs. They are started once, so all its scenes have this one."""
    return tmp_path_factory.mktemp("vscode-home").resolve()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, vscode_home: Path, request: pytest.FixtureRequest) -> Scene:
    """A workspace with a broken rule in it."""
    home = vscode_home if "vscode" in request.module.__name__ else None
    return make_scene(tmp_path_factory.mktemp("scene").resolve(), home)


@pytest.fixture
def neovim(scene: Scene, tmp_path: Path) -> Iterator[Editor]:
    """A Neovim on the scene."""
    program = server_program(tmp_path)
    with open_neovim(scene.folder, tmp_path, scene.environment, program) as editor:
        yield editor


@pytest.fixture
def on_screen(scene: Scene, tmp_path: Path) -> Iterator[Editor]:
    """A Neovim on the scene, on a screen of 80 columns."""
    program = server_program(tmp_path)
    with open_neovim(scene.folder, tmp_path, scene.environment, program, on_screen=True) as editor:
        yield editor


@pytest.fixture(scope="module")
def shared_neovim(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """A Neovim on the scene, for all tests of a module."""
    scratch = tmp_path_factory.mktemp("neovim")
    with open_neovim(scene.folder, scratch, scene.environment, server_program(scratch)) as editor:
        yield editor


@pytest.fixture
def editor(shared_neovim: Editor, scene: Scene) -> Editor:
    """The shared Neovim with one window of a small screen, in which a rule is open, and without messages."""
    shared_neovim.ask("lua", code="vim.o.columns, vim.o.lines = 80, 24 vim.cmd('cclose | botright new | only!')")
    shared_neovim.ask("open", path=str(scene.firing))
    shared_neovim.ask("hover", path=str(scene.firing), line=2, character=2)
    shared_neovim.ask("lua", code="vim.cmd('messages clear')")
    return shared_neovim


@pytest.fixture(scope="session")
def vscode_cache(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is built for VS Code, which stays from one run to the next unless pytest's cache is off."""
    cache = getattr(request.config, "cache", None)
    return tmp_path_factory.mktemp("cache") if cache is None else cache.mkdir("vscode")


@pytest.fixture(scope="session")
def vscode_program(vscode_cache: Path, vscode_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VsCode]:
    """A VS Code that finds this checkout's `ttsr-ls`."""
    scratch = tmp_path_factory.mktemp("vscode")
    environment = make_scene(scratch / "unused", vscode_home).environment
    with open_vscode(vscode_cache, scratch, environment, server_program(scratch)) as code:
        yield code


@pytest.fixture(scope="session")
def vscode_workspace(tmp_path_factory: pytest.TempPathFactory, vscode_home: Path) -> Scene:
    """A workspace whose rules have no mistakes, for several files of tests: a window takes seconds to open."""
    made = make_scene(tmp_path_factory.mktemp("workspace").resolve(), vscode_home)
    made.broken.unlink()
    return made


@pytest.fixture(scope="module")
def with_files(vscode_program: VsCode, vscode_workspace: Scene) -> Iterator[Callable[[Mapping[str, str]], Scene]]:
    """Adds files, by their paths, to `vscode_workspace` for the tests of a module; what they leave is removed."""
    folder = vscode_workspace.folder
    before = _texts(folder)
    is_open = vscode_program.shows(folder)

    def add(files: Mapping[str, str]) -> Scene:
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        if is_open:
            _start_afresh(vscode_program.window(folder))
        return vscode_workspace

    yield add
    if vscode_program.shows(folder):
        vscode_program.window(folder).ask("command", name="workbench.action.closeAllEditors")
    for path in _texts(folder).keys() - before.keys():
        path.unlink()
    for path, text in before.items():
        path.write_text(text)


def _texts(folder: Path) -> dict[Path, str]:
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


def _start_afresh(window: Window) -> None:
    """Closes what the tests of another module left open, and starts another server."""
    for name in ("closeAllEditors", "closeSidebar", "closeAuxiliaryBar", "closePanel"):
        window.ask("command", name=f"workbench.action.{name}")
    window.ask("command", name="notifications.clearAll")
    window.ask("command", name="ttsr.restart")


@pytest.fixture
def vscode(vscode_program: VsCode, scene: Scene, request: pytest.FixtureRequest) -> Iterator[Window]:
    """A VS Code on the scene. The tests of a module share a window, up to one that fails in it."""
    testsfailed = request.session.testsfailed
    yield vscode_program.window(scene.folder)
    if request.session.testsfailed > testsfailed:
        vscode_program.close()
