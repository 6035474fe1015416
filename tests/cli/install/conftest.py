"""A home in which hooks are installed, with a hook server that the tests of this folder share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.install.hook_home import fake_program, start
from tests.loopback_ports import free_port
from ttsr_ls.store.hook_server_file import hook_server_address


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A state folder whose hook server runs: it takes long to start, so the tests share it."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        server = start(hook_server_address(folder / "state", free_port()))
    yield folder / "state"
    server.terminate()
    server.communicate(timeout=60)
    assert server.returncode == 0


@pytest.fixture
def home(tmp_path: Path, served: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home in which hooks are installed for two agents, their server runs, and a rule is in reach."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "state").symlink_to(served)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    programs = tmp_path / "bin"
    programs.mkdir()
    fake_program(programs / "claude", "2.1.329 (Claude Code)")
    fake_program(programs / "codex", "codex-cli 0.169.0")
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text("---\ncondition: old\n---\nNo.\n")
    monkeypatch.chdir(project)
    hooks = served / "ttsr-ls" / "hooks"
    before = {path.name: path.read_bytes() for path in hooks.iterdir() if path.is_file()}
    yield tmp_path
    for path in hooks.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.is_file() and path.name not in before:
            path.unlink()
    for name, data in before.items():
        if (hooks / name).read_bytes() != data:
            (hooks / name).write_bytes(data)
        (hooks / name).chmod(0o600)
