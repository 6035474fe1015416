"""A real Neovim gets the plugin from this repository as it is, and from an export of the plugin's folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.editors.probed import ROOT, Editor, server_program
from tests.editors.scene import Scene
from tests.editors.test_neovim_messages import SAID

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


def git_of(source: Path) -> tuple[str, ...]:
    return ("git", "-C", str(source), "-c", "user.name=x", "-c", "user.email=x@example.org")


def repository_of(root: Path, folders: tuple[tuple[str, str], ...]) -> Path:
    """A git repository with copies of folders of this one, as they are in the work tree."""
    for source, target in folders:
        shutil.copytree(ROOT / source, root / target, dirs_exist_ok=True)
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "plugin")):
        subprocess.run([*git_of(root), *command], check=True)
    return root


def headless(folder: Path, environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Neovim without a screen, in a folder whose `init.lua` is its configuration."""
    return subprocess.run(
        [os.environ["TTSR_NVIM"], "--headless", "-u", "init.lua", *arguments],
        env={**os.environ, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


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
    done = headless(scratch, {**scene.environment, **own}, "-c", "luafile use.lua", "-c", "qa!")
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


def test_a_neovim_package_has_the_help_and_names_what_to_install(scene: Scene, tmp_path: Path) -> None:
    package = tmp_path / "site" / "pack" / "any" / "start" / "ttsr"
    shutil.copytree(ROOT / "editors" / "neovim", package)
    (package / "doc" / "tags").unlink(missing_ok=True)
    said = use(f"vim.opt.packpath:prepend('{tmp_path / 'site'}')\nvim.g.is_export = true\n", scene, tmp_path)
    check(said)
    # No package index is asked for a name that anybody could take.
    assert SOURCE_NEEDED in said
    assert "installing" not in said


# Opens a rule where no server is, and says the message about it and what `:checkhealth` advises.
WITHOUT_SERVER = """
vim.lsp.enable('ttsr_ls')
vim.cmd.edit(vim.env.TTSR_RULE)
vim.wait(100000, function() return vim.fn.execute('messages'):find('TTSR') ~= nil end, 20)
local said = vim.fn.execute('messages')
vim.cmd.checkhealth('ttsr')
io.stdout:write(said, '\\n', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))
"""


def test_an_export_reports_that_the_server_needs_a_source(scene: Scene, tmp_path: Path) -> None:
    package = tmp_path / "data" / "nvim" / "site" / "pack" / "any" / "start" / "ttsr"
    shutil.copytree(ROOT / "editors" / "neovim", package)
    (tmp_path / "init.lua").write_text("vim.cmd('filetype plugin off | filetype on')\n")
    (tmp_path / "use.lua").write_text(WITHOUT_SERVER)
    own = {
        "PATH": os.pathsep.join(("/usr/bin", "/bin")),
        "TTSR_RULE": str(scene.broken),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    done = headless(tmp_path, {**scene.environment, **own}, "-c", "luafile use.lua", "-c", "qa!")
    assert "TTSR: run ':Ttsr install SOURCE': there is no program 'ttsr-ls'" in done.stdout, done.stderr
    assert "Install it with :Ttsr install SOURCE (:help" in done.stdout


# The number of the one server; 0 while there is none, or more.
SERVER = "(#vim.lsp.get_clients() == 1 and vim.lsp.get_clients()[1].id or 0)"

# A Python whose environments get this checkout's program, as long as there is an index of packages.
PYTHON = """#!/bin/sh
case "$*" in
  "-c "*) echo {version}; exit {code};;
  "-m venv"*) for folder; do :; done; rm -rf "$folder"; mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python";;
  *) [ -e {index} ] || exit 1; cp {program} "$(dirname "$0")/ttsr-ls";;
esac
"""


def put_python(scratch: Path, editor: Editor, version: str, code: int) -> Path:
    """Makes the only Python on Neovim's PATH one of a version. Returns the file that is its index of packages."""
    python = scratch / "path" / "python3"
    python.parent.mkdir(exist_ok=True)
    index = scratch / "index"
    python.write_text(PYTHON.format(version=version, code=code, index=index, program=scratch / "ttsr-ls"))
    python.chmod(0o755)
    for name in ("sh", "rm", "mkdir", "cp", "dirname"):
        found = shutil.which(name)
        assert found is not None
        (python.parent / name).unlink(missing_ok=True)
        (python.parent / name).symlink_to(found)
    editor.ask("lua", code=f"vim.env.PATH = [[{python.parent}]]")
    return index


def test_the_path_of_a_source_is_completed(neovim: Editor, tmp_path: Path) -> None:
    (tmp_path / "my sources" / "ttsr").mkdir(parents=True)
    for typed, completed in (("my", "my\\ sources/"), ("my\\ sources/t", "my\\ sources/ttsr/")):
        offered = neovim.ask("evaluate", expression=f"getcompletion('Ttsr install {tmp_path}/{typed}', 'cmdline')")
        assert offered == [f"{tmp_path}/{completed}"]
    neovim.ask("keys", keys=f":Ttsr install {tmp_path}/my\\ sources/ttsr/<CR>:Ttsr messages<CR>")
    neovim.ask("shown_text", wanted=[f"TTSR: '{tmp_path}/my sources/ttsr/' is no checkout"])


def test_an_old_python_is_named(neovim: Editor, tmp_path: Path) -> None:
    put_python(tmp_path, neovim, "3.8", 1)
    neovim.ask("keys", keys=":Ttsr install<CR>")
    expected = "TTSR: there is no Python 3.11 or later on PATH: python3 is 3.8"
    assert neovim.ask("lua", code=SAID % expected).startswith(expected)
    neovim.ask("keys", keys=":Ttsr messages<CR>")
    neovim.ask("shown_text", wanted=["With uv, none is needed"])


HEADS = (
    "#!/gone/bin/python\n",
    "#!/bin/sh\n'''exec' /gone/bin/python \"$0\" \"$@\"\n' '''\n",
    "#!/bin/sh\n'''exec' \"/gone/a b/python\" \"$0\" \"$@\"\n' '''\n",
)


@pytest.mark.parametrize("head", HEADS)
def test_a_program_whose_python_is_gone_is_reported(neovim: Editor, scene: Scene, tmp_path: Path, head: str) -> None:
    program = tmp_path / "ttsr-ls"
    program.write_text(head)
    program.chmod(0o755)
    neovim.ask("lua", code=f"vim.lsp.config('ttsr_ls', {{ cmd = {{ [[{program}]], 'serve' }} }})")
    said = "TTSR: run ':Ttsr install': the Python of 'ttsr-ls' is gone"
    for typed in (f":edit {scene.broken}<CR>", ":Ttsr new-rule no-any<CR>", ":Ttsr runs<CR>"):
        neovim.ask("keys", keys=":messages clear<CR>")
        neovim.ask("keys", keys=typed)
        assert neovim.ask("lua", code=SAID % said).startswith(said)
    neovim.ask("keys", keys=":checkhealth ttsr<CR>")
    neovim.ask("shown_text", wanted=["the server cannot start: the Python of 'ttsr-ls' is gone: /gone/"])


# The plugin's messages, once Neovim has said that its client quit, and the plugin has had the last word.
AFTER_QUIT = """
local function said() return vim.split(vim.trim(vim.fn.execute('messages')), '\\n') end
vim.wait(100000, function()
  local all = said()
  return table.concat(all):find('quit with exit code', 1, true) ~= nil and vim.startswith(all[#all], 'TTSR: ')
end, 20)
return said()
"""


def test_the_last_message_about_a_program_that_quits_names_the_remedy(
    neovim: Editor, scene: Scene, tmp_path: Path
) -> None:
    program = tmp_path / "ttsr-ls"
    program.write_text(HEADS[1])
    program.chmod(0o755)
    neovim.ask("lua", code=f"vim.lsp.config('ttsr_ls', {{ cmd = {{ [[{program}]], 'serve' }} }})")
    neovim.ask("keys", keys=f":edit {scene.broken}<CR>")
    said = neovim.ask("lua", code=AFTER_QUIT)
    assert said[-1].startswith("TTSR: run ':Ttsr install': the Python of 'ttsr-ls' is gone"), said
    assert sum("quit with exit code" in line for line in said) == 1, "it is not started again"


def test_a_new_installation_replaces_the_servers_and_one_that_fails_does_not(
    neovim: Editor, scene: Scene, tmp_path: Path
) -> None:
    index = put_python(tmp_path, neovim, "3.12", 0)
    index.touch()
    neovim.ask("open", path=str(scene.broken))
    expected = neovim.wait_for(scene.broken, bool)

    def install(said: str) -> None:
        neovim.ask("keys", keys=":messages clear<CR>:Ttsr install<CR>")
        assert neovim.ask("lua", code=SAID % said).startswith(said)

    def replaced(server: int) -> int:
        """The server that is there instead, with the findings of the rule."""
        assert neovim.ask("lua", code=f"return (vim.wait(100000, function() return {SERVER} > {server} end, 20))")
        neovim.wait_for(scene.broken, lambda found: len(found) == len(expected))
        return int(neovim.ask("lua", code=f"return {SERVER}"))

    install("TTSR: the server is installed")
    second = replaced(1)
    index.unlink()
    install("TTSR: the installation failed")
    program = neovim.ask("lua", code="return vim.lsp.config.ttsr_ls.cmd[1]")
    assert os.access(program, os.X_OK), "the former installation is there"
    assert neovim.ask("lua", code=f"return {SERVER}") == second
    index.touch()
    install("TTSR: the server is installed")
    replaced(second)
    assert program == neovim.ask("lua", code="return vim.lsp.config.ttsr_ls.cmd[1]")
    assert not Path(program).parents[1].with_suffix(".former").exists()
