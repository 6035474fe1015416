"""A real Neovim gets the plugin from this repository as it is, and from an export of the plugin's folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.probed import ROOT, server_program
from tests.editors.scene import Scene

pytestmark = pytest.mark.editor

# Opens the broken rule, and says how many findings show, where the client's root is, and which commands there are.
USE = """
vim.lsp.enable('ttsr_ls')
vim.cmd.edit(vim.env.TTSR_RULE)
vim.wait(100000, function() return #vim.diagnostic.get(0) > 0 end, 20)
vim.cmd('Ttsr runs')
if vim.g.is_export then
  vim.cmd('Ttsr install')
end
io.stdout:write(vim.json.encode({ findings = #vim.diagnostic.get(1), runs = vim.bo.filetype,
  said = vim.fn.execute('messages'), test = vim.fn.exists(':TtsrTest'),
  help = #vim.fn.getcompletion('ttsr-setup', 'help') }))
"""


def repository_of(root: Path, folders: tuple[tuple[str, str], ...]) -> Path:
    """A git repository with copies of folders of this one, as they are in the work tree."""
    for source, target in folders:
        shutil.copytree(ROOT / source, root / target, dirs_exist_ok=True)
    git = ["git", "-C", str(root), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "plugin"], check=True)
    return root


def use(setup: str, scene: Scene, scratch: Path) -> str:
    """What a Neovim whose whole configuration is `setup` says of the plugin."""
    program = server_program(scratch)
    # Not every Neovim brings the parser that its own Markdown plugin insists on; the file type alone is needed here.
    (scratch / "init.lua").write_text(f"vim.cmd('filetype plugin off | filetype on')\n{setup}")
    (scratch / "use.lua").write_text(USE)
    (scratch / "bin").mkdir(exist_ok=True)
    (scratch / "bin" / "ttsr-ls").symlink_to(program)
    own = {
        "PATH": f"{scratch / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "TTSR_RULE": str(scene.broken),
        "XDG_DATA_HOME": str(scratch / "data"),
        "XDG_CACHE_HOME": str(scratch / "cache"),
    }
    done = subprocess.run(
        [os.environ["TTSR_NVIM"], "--headless", "-u", "init.lua", "-c", "luafile use.lua", "-c", "qa!"],
        env={**os.environ, **scene.environment, **own},
        cwd=scratch,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.startswith("{"), done.stderr
    return done.stdout


REPOSITORY = (("plugin", "plugin"), ("editors/neovim", "editors/neovim"))
EXPORT = (("editors/neovim", "."),)
SOURCE_NEEDED = "TTSR: name a source: ':Ttsr install SOURCE', a checkout, a wheel"


def check(said: str) -> None:
    assert '"runs":"ttsr-runs"' in said
    assert '"test":2' in said
    assert '"findings":0' not in said
    assert '"help":0' not in said


@pytest.mark.parametrize("folders", [REPOSITORY, EXPORT], ids=["repository", "export"])
def test_vim_pack_installs_the_plugin(folders: tuple[tuple[str, str], ...], scene: Scene, tmp_path: Path) -> None:
    source = repository_of(tmp_path / "remote" / "ttsr-ls", folders)
    setup = f"vim.pack.add({{ {{ src = 'file://{source}' }} }}, {{ confirm = false }})\n"
    check(use(setup, scene, tmp_path))


def test_a_package_of_neovim_has_the_help_and_says_what_to_install(scene: Scene, tmp_path: Path) -> None:
    package = tmp_path / "site" / "pack" / "any" / "start" / "ttsr"
    shutil.copytree(ROOT / "editors" / "neovim", package)
    (package / "doc" / "tags").unlink(missing_ok=True)
    said = use(f"vim.opt.packpath:prepend('{tmp_path / 'site'}')\nvim.g.is_export = true\n", scene, tmp_path)
    check(said)
    # No package index is asked for a name that anybody could take.
    assert SOURCE_NEEDED in said
    assert "installing" not in said
