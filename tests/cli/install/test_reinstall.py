"""Repeated installation: on another port, in a project, over the hooks of an earlier version; then one `uninstall`."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from tests.loopback_ports import free_port, taken_port
from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.cli.hooks.starting import stop
from ttsr_ls.cli.install.hook_files import HookFiles
from ttsr_ls.store.hook_server_file import hook_server_address


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("original", [None, b'{ "model" : "opus" }', b"{}", b'{"hooks": {}}'])
@pytest.mark.parametrize("place", [[], ["--project"]])
def test_two_installs_on_different_ports_are_undone_by_one_uninstall(
    capsys: pytest.CaptureFixture[str], home: Path, original: bytes | None, place: list[str]
) -> None:
    settings = home / "shop" / ".claude" / "settings.local.json" if place else home / ".claude" / "settings.json"
    enter_project(home)
    if original is not None:
        settings.parent.mkdir()
        settings.write_bytes(original)
    before = everything_but_state(home)
    for _ in range(3):
        hook_server_address(home / "state", free_port())
        assert ttsr_ls(capsys, "install", "claude", "--diff", *place).out.startswith("--- ")
    undone = ttsr_ls(capsys, "uninstall", "claude", *place)
    assert undone.status == 0
    assert everything_but_state(home) == before
    assert ("is as it was before." in undone.out) == (original is not None)
    assert ("did not exist before the installation, so it is deleted." in undone.out) == (original is None)


def test_hooks_that_their_user_removed_by_hand_do_not_count_as_installed(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}')
    ttsr_ls(capsys, "install", "claude")
    settings.write_text('{"model": "opus"}')
    assert "no hooks are installed in" in ttsr_ls(capsys, "uninstall", "claude").out
    assert not HookFiles().has_hooks
    assert settings.read_text() == '{"model": "opus"}'


@pytest.mark.parametrize(
    ("agent", "variable", "name"),
    [("claude", "CLAUDE_CONFIG_DIR", "settings.json"), ("codex", "CODEX_HOME", "hooks.json")],
)
def test_hooks_are_installed_in_the_folder_of_the_environment_variable(
    capsys: pytest.CaptureFixture[str],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    agent: str,
    variable: str,
    name: str,
) -> None:
    folder = home / "moved"
    folder.mkdir()
    monkeypatch.setenv(variable, str(folder))
    before = everything_but_state(home)
    ttsr_ls(capsys, "install", agent)
    assert "127.0.0.1" in (folder / name).read_text() or "ttsr-hook" in (folder / name).read_text()
    assert not (home / AGENTS[agent].user_file).exists()
    assert "the hooks are in" in ttsr_ls(capsys, "install", agent).out
    ttsr_ls(capsys, "uninstall", agent)
    assert everything_but_state(home) == before


def test_an_edit_between_two_installs_is_kept_by_uninstall(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    ttsr_ls(capsys, "install", "claude")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"model": "opus"}))
    hook_server_address(home / "state", free_port())
    ttsr_ls(capsys, "install", "claude")
    undone = ttsr_ls(capsys, "uninstall", "claude").out
    assert '+  "model": "opus"' in undone
    assert "is as it was before the last installation, with your changes since the first one." in undone
    assert json.loads(settings.read_text()) == {"model": "opus"}
    assert not list((home / "state" / "ttsr-ls" / "hooks" / "settings").iterdir())


@pytest.mark.parametrize("original", [b'{ "model" : "opus",\r\n "a": [1.0, true] }', b"{}", b" \n", b"\xef\xbb\xbf{}"])
@pytest.mark.parametrize("is_repaired", [False, True])
def test_uninstall_restores_settings_with_edited_hooks_byte_for_byte(
    capsys: pytest.CaptureFixture[str], home: Path, original: bytes, is_repaired: bool
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(original)
    ttsr_ls(capsys, "install", "claude")
    installed = settings.read_text()
    settings.write_bytes(installed.replace('"matcher": "*"', '"matcher": "Wrte"', 1).encode())
    if is_repaired:
        ttsr_ls(capsys, "install", "claude")
        assert settings.read_text() == installed
    assert "settings.json is as it was before. Removed: " in ttsr_ls(capsys, "uninstall", "claude").out
    assert settings.read_bytes() == original


def test_a_changed_setting_does_not_count_as_an_edited_hook(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"a":1}')
    ttsr_ls(capsys, "install", "claude")
    settings.write_text(settings.read_text().replace('"a": 1', '"a": true').replace('"*"', '"Wrte"'))
    ttsr_ls(capsys, "install", "claude")
    assert "with your changes since the first one" in ttsr_ls(capsys, "uninstall", "claude").out
    assert json.loads(settings.read_text()) == {"a": True}


@pytest.mark.parametrize("has_uninstalled", [False, True])
def test_uninstall_removes_hooks_that_an_earlier_version_kept_as_the_original(
    capsys: pytest.CaptureFixture[str], home: Path, has_uninstalled: bool
) -> None:
    # After two installs, an earlier version had the hooks of the first as the backup, and uninstall restored them.
    settings = home / ".claude" / "settings.json"
    ttsr_ls(capsys, "install", "claude")
    first = settings.read_text()
    hook_server_address(home / "state", free_port())
    ttsr_ls(capsys, "install", "claude")
    (written,) = (home / "state" / "ttsr-ls" / "hooks" / "settings").glob("*.after")
    if has_uninstalled:
        settings.write_text(first)
        written.unlink()
    else:
        written.with_suffix(".before").write_text(first)
    assert ttsr_ls(capsys, "uninstall", "claude").status == 0
    assert everything_but_state(home) == {}
    assert not list(written.parent.iterdir())


def test_git_ignores_project_settings_with_the_token(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout

    folder = enter_project(home) / "a [b]"
    folder.mkdir()
    exclude = home / "shop" / ".git" / "info" / "exclude"
    git("init", "-q", "..")
    git("init", "-q", str(home / "shop"))
    monkeypatch.chdir(folder)
    before = exclude.read_bytes()
    assert ttsr_ls(capsys, "install", "claude", "--project", "--dry-run").out.count("+++ ") == 2
    assert exclude.read_bytes() == before
    ttsr_ls(capsys, "install", "claude", "--project")
    assert git("status", "--short", "--untracked-files=all") == ""
    ttsr_ls(capsys, "uninstall", "claude", "--project")
    assert exclude.read_bytes() == before
    # With a later change by the user, only the lines for this folder go.
    exclude.write_bytes(before + b"*.tmp")
    ttsr_ls(capsys, "install", "claude", "--project")
    monkeypatch.chdir("..")
    ttsr_ls(capsys, "install", "claude", "--project")
    monkeypatch.chdir(folder)
    ttsr_ls(capsys, "uninstall", "claude", "--project")
    assert git("status", "--short", "--untracked-files=all", "..") == ""
    monkeypatch.chdir("..")
    ttsr_ls(capsys, "uninstall", "claude", "--project")
    monkeypatch.chdir(folder)
    assert exclude.read_bytes() == before + b"*.tmp"
    exclude.write_bytes(before)
    ttsr_ls(capsys, "install", "claude", "--project")
    with exclude.open("ab") as file:
        file.write(b"*.log\n")
    ttsr_ls(capsys, "uninstall", "claude", "--project")
    assert exclude.read_bytes() == before + b"*.log\n"
    (folder.parent / ".gitignore").write_text("!settings.local.json\n")
    assert "because of a later pattern" in ttsr_ls(capsys, "install", "claude", "--project").err
    ttsr_ls(capsys, "uninstall", "claude", "--project")
    # A file that git tracks is committed although it is ignored.
    (folder / ".claude").mkdir()
    (folder / ".claude" / "settings.local.json").write_text("{}\n")
    git("add", "-f", ".")
    assert "would publish the token" in ttsr_ls(capsys, "install", "claude", "--project").err


def test_the_suggested_command_removes_the_projects_hooks(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    enter_project(home)
    named = re.search(r"`ttsr-ls (uninstall [^`]+)`", ttsr_ls(capsys, "install", "claude", "--project").out)
    assert named is not None
    other = ttsr_ls(capsys, "uninstall", "claude").out
    assert f"settings.local.json; `ttsr-ls {named[1]}` removes them." in other
    assert "Run `ttsr-ls install claude --project`." in _doctor_on_another_port(capsys, home)
    assert "did not exist before the installation" in ttsr_ls(capsys, *named[1].split()).out
    assert "removes them" not in ttsr_ls(capsys, "uninstall", "claude").out


def _doctor_on_another_port(capsys: pytest.CaptureFixture[str], home: Path) -> str:
    port = hook_server_address(home / "state").port
    try:
        hook_server_address(home / "state", free_port())
        return ttsr_ls(capsys, "doctor", "claude", "--no-agent").out
    finally:
        stop(hook_server_address(home / "state"))
        hook_server_address(home / "state", port)


def test_install_moves_to_another_port_if_the_stored_one_is_taken(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    settings = home / ".claude" / "settings.json"
    with taken_port() as taken:
        hook_server_address(home / "state", taken)
        planned = ttsr_ls(capsys, "install", "claude", "--dry-run")
        assert f"another program listens on 127.0.0.1:{taken}" in planned.err
        assert f"127.0.0.1:{taken}/" not in planned.out
        assert hook_server_address(home / "state").port == taken
        ran = ttsr_ls(capsys, "install", "claude")
    port = hook_server_address(home / "state").port
    assert port != taken
    assert f"another program listens on 127.0.0.1:{taken}, so the hook server gets port {port}." in ran.err
    assert f"127.0.0.1:{port}/" in settings.read_text()
    assert ttsr_ls(capsys, "install", "claude").err == ""


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_fail_closed_persists_until_no_fail_closed(capsys: pytest.CaptureFixture[str], home: Path, agent: str) -> None:
    settings = home / AGENTS[agent].user_file
    states = []
    for option in ([], ["--fail-closed"], [], ["--no-fail-closed"]):
        hook_server_address(home / "state", free_port())
        assert ttsr_ls(capsys, "install", agent, *option).status == 0
        hooks = json.loads(settings.read_text())["hooks"]
        marks = (
            r"'onFailure': 'block'|codex closed \|\| exit 2|gemini closed \|\||'failClosed': True|vscode closed \|\|"
        )
        states.append({event.lower() for event, entries in hooks.items() if re.search(marks, str(entries))})
    checked = {"beforetool"} if agent == "gemini" else {"pretooluse"}
    assert states == [set(), checked, checked, set()]
    ttsr_ls(capsys, "uninstall", agent)
    assert everything_but_state(home) == {}


def enter_project(home: Path) -> Path:
    project = home / "shop"
    project.mkdir()
    os.chdir(project)
    return project


def everything_but_state(home: Path) -> dict[str, bytes | None]:
    """The files and folders below the home folder with their contents, without the state folder."""
    found = (path for path in home.rglob("*") if "state" not in path.relative_to(home).parts)
    return {str(path): path.read_bytes() if path.is_file() else None for path in found}
