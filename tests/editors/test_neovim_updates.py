"""A real Neovim says when its server is older than the plugin, which is in a repository that was updated."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.probed import server_program
from tests.editors.scene import Scene
from tests.editors.test_neovim_install import REPOSITORY, git_of, headless, repository_of

pytestmark = pytest.mark.editor

# Updates the plugin. Says whether the installed server is older than the plugin, before and after it, and the messages.
UPDATE = """
local install = require('ttsr.install')
local before = install.is_outdated()
vim.pack.update(nil, { force = true })
vim.wait(100000, function() return vim.fn.execute('messages'):find('TTSR') ~= nil end, 20)
io.stdout:write(vim.json.encode({ before, install.is_outdated(), vim.fn.execute('messages') }))
vim.cmd('qa!')
"""


def head_of(source: Path) -> str:
    return subprocess.run(
        [*git_of(source), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()


def checkout_with_server(scratch: Path) -> tuple[Path, dict[str, str]]:
    """A checkout of which the server is installed, and the environment of a Neovim that has both."""
    source = repository_of(scratch / "remote" / "ttsr-ls", REPOSITORY)
    (source / "pyproject.toml").write_text("")
    subprocess.run([*git_of(source), "add", "-A"], check=True)
    subprocess.run([*git_of(source), "commit", "-qm", "server"], check=True)
    installed = scratch / "data" / "nvim" / "ttsr-ls"
    (installed / "bin").mkdir(parents=True)
    (installed / "bin" / "ttsr-ls").symlink_to(server_program(scratch))
    (installed / "revision").write_text(head_of(source))
    return source, {
        # Without any other installation of the program.
        "PATH": os.pathsep.join(("/usr/bin", "/bin")),
        "XDG_DATA_HOME": str(scratch / "data"),
        "XDG_CACHE_HOME": str(scratch / "cache"),
    }


def test_an_update_of_the_plugin_reminds_of_its_server(scene: Scene, tmp_path: Path) -> None:
    source, own = checkout_with_server(tmp_path)
    (tmp_path / "init.lua").write_text(f"vim.pack.add({{ 'file://{source}' }}, {{ confirm = false }})\n")
    (tmp_path / "update.lua").write_text(UPDATE)

    def run(*arguments: str) -> str:
        done = headless(tmp_path, {**scene.environment, **own}, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("-c", "qa!")
    subprocess.run([*git_of(source), "commit", "-q", "--allow-empty", "-m", "newer"], check=True)
    was_outdated, is_outdated, said = json.loads(run("-c", "luafile update.lua"))
    assert (was_outdated, is_outdated) == (False, True)
    assert "TTSR: the plugin is updated: ':Ttsr install' updates its server" in said


# Says what `:checkhealth ttsr` reports.
HEALTH = """
vim.cmd.checkhealth('ttsr')
io.stdout:write(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))
"""
UPDATED = "the plugin was updated after the server was installed"


def health(source: Path, own: dict[str, str], scratch: Path) -> str:
    (scratch / "init.lua").write_text(f"vim.opt.runtimepath:prepend([[{source}/editors/neovim]])\n")
    (scratch / "health.lua").write_text(HEALTH)
    done = headless(scratch, own, "-c", "luafile health.lua", "-c", "qa!")
    assert "the program" in done.stdout, done.stderr
    return done.stdout


def test_neovim_as_the_editor_of_a_git_asks_about_the_repository_of_the_plugin(scene: Scene, tmp_path: Path) -> None:
    source, own = checkout_with_server(tmp_path)
    other = repository_of(tmp_path / "other", (("plugin", "plugin"),))
    own = {**scene.environment, **own, "GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}
    said = health(source, own, tmp_path)
    assert UPDATED not in said
    assert "unknown" not in said


def test_a_copy_of_the_plugin_in_another_repository_is_not_of_its_commit(scene: Scene, tmp_path: Path) -> None:
    source, own = checkout_with_server(tmp_path)
    (source / ".git").rename(tmp_path / "remote" / ".git")
    subprocess.run([*git_of(tmp_path / "remote"), "commit", "-q", "--allow-empty", "-m", "newer"], check=True)
    assert UPDATED not in health(source, {**scene.environment, **own}, tmp_path)


@pytest.mark.parametrize(
    ("git", "expected"),
    [
        ('sleep 6\nexec {git} "$@"\n', UPDATED),
        (
            "echo 'detected dubious ownership' >&2; exit 128\n",
            "older than the plugin is unknown: detected dubious ownership",
        ),
        (None, "older than the plugin is unknown: there is no program 'git'"),
    ],
    ids=["slow", "failing", "none"],
)
def test_a_git_that_does_not_name_the_commit_is_reported(
    scene: Scene, tmp_path: Path, git: str | None, expected: str
) -> None:
    source, own = checkout_with_server(tmp_path)
    (tmp_path / "data" / "nvim" / "ttsr-ls" / "revision").write_text("0" * 40)
    path = tmp_path / "path"
    path.mkdir()
    if git is not None:
        (path / "git").write_text("#!/bin/sh\n" + git.format(git=shutil.which("git")))
        (path / "git").chmod(0o755)
    for name in ("sh", "sleep"):
        (path / name).symlink_to(str(shutil.which(name)))
    assert expected in health(source, {**scene.environment, **own, "PATH": str(path)}, tmp_path)
