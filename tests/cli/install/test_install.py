"""`install` and `uninstall` on settings of every shape: the user's content is kept, and all our hooks are removed."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from tests.loopback_ports import free_port, taken_port, unassigned_port
from ttsr_ls.bridge.agent_hooks.client.client_script import client_script
from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS, HookAddresses
from ttsr_ls.bridge.agent_hooks.installation import add_hooks, differences, is_installed, remove_hooks
from ttsr_ls.cli.hooks.starting import ensure_running, stop
from ttsr_ls.store.hook_server_file import free_port as own_free_port
from ttsr_ls.store.hook_server_file import hook_server_address

ADDRESSES = HookAddresses(
    "http://127.0.0.1:1234", "Bearer T", "/s t/ttsr-hook", ("/usr/bin/python3", "-m", "ttsr_ls", "hooks", "ensure")
)
OWN = '{"type": "command", "command": "true"}'
SETTINGS = [
    None,
    "",
    "{}",
    '{\n\t"model": "opus"\n}\n',
    f'{{"hooks": {{"Stop": [{{"hooks": [{OWN}]}}], "PreToolUse": [{{"matcher": "Bash", "hooks": [{OWN}]}}]}}}}',
    '{"hooks": {"PreToolUse": ["odd"], "Stop": [7, null, {"hooks": 3}]}, "ключ": "значение"}',
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("agent", sorted(AGENTS))
@pytest.mark.parametrize("text", SETTINGS)
def test_installing_twice_adds_the_hooks_once_and_uninstall_removes_them(agent: str, text: str | None) -> None:
    hooks = AGENTS[agent]
    first = add_hooks(text, hooks, ADDRESSES)
    assert is_installed(first, hooks, ADDRESSES)
    assert not is_installed(text, hooks, ADDRESSES)
    assert add_hooks(first, hooks, ADDRESSES) == first
    addresses = HookAddresses("http://127.0.0.1:9", "Bearer U", ADDRESSES.client, ADDRESSES.ensure)
    again = add_hooks(first, hooks, addresses)
    assert "127.0.0.1:1234" not in again
    left = json.loads(remove_hooks(again, hooks))
    before = json.loads(text) if text else {}
    for name, value in before.get("hooks", {}).items():
        assert left["hooks"][name] == value
    assert {key: left[key] for key in before} == before


def test_a_matcher_added_to_hooks_is_reported() -> None:
    settings = json.loads(add_hooks(None, AGENTS["codex"], ADDRESSES))
    settings["hooks"]["PreToolUse"][0]["matcher"] = "Wrte"
    found = differences(json.dumps(settings), AGENTS["codex"], ADDRESSES)
    assert found == ("PreToolUse has the matcher `Wrte`",)


@pytest.mark.parametrize("original", [b'{ "model" : "opus",\r\n   "hooks": {} }', b""])
def test_uninstall_restores_the_settings_byte_for_byte(
    capsys: pytest.CaptureFixture[str], home: Path, original: bytes
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(original)
    settings.chmod(0o640)
    assert ttsr_ls(capsys, "install", "claude").status == 0
    assert "127.0.0.1" in settings.read_text()
    assert ttsr_ls(capsys, "install", "claude").out.endswith("already.\n")
    assert ttsr_ls(capsys, "uninstall", "claude").status == 0
    assert settings.read_bytes() == original
    assert settings.stat().st_mode & 0o777 == 0o640


def test_summaries_count_the_added_and_removed_hooks(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    settings = home / ".codex" / "hooks.json"
    hooks = "7 hooks (SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, Stop, SubagentStop, SessionEnd)"
    planned = ttsr_ls(capsys, "install", "codex", "--dry-run").out
    assert planned.startswith("--- ")
    assert planned.endswith(f"Codex: {settings} would get {hooks}.\n")
    out = ttsr_ls(capsys, "install", "codex").out
    assert out.startswith(f"Codex: the hooks are installed.\n{settings} has {hooks}.\n")
    assert "+++" not in out
    assert ttsr_ls(capsys, "install", "codex", "--fail-closed", "--diff").out.startswith("--- ")
    out = ttsr_ls(capsys, "uninstall", "codex").out
    assert f"{settings} did not exist before the installation, so it is deleted. Removed: {hooks}.\n" in out
    # The last line is about the folder that stays.
    assert out.endswith("delete it if you will not install hooks again.\n")
    assert f"{home}/state/ttsr-ls/hooks stays: " in out


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_an_unwritable_file_is_reported_before_other_output(
    capsys: pytest.CaptureFixture[str], home: Path, command: str
) -> None:
    settings = home / ".claude" / "settings.json"
    if command == "uninstall":
        ttsr_ls(capsys, "install", "claude")
    else:
        settings.parent.mkdir()
        settings.write_text("{}")
    settings.chmod(0o400)
    before = settings.read_text()
    for options in ((), ("--diff",)):
        ran = ttsr_ls(capsys, command, "claude", *options)
        assert (ran.status, ran.out) == (2, "")
        assert "it is read-only; nothing was changed. Make it and its folder writable first" in ran.err
    assert settings.read_text() == before


def test_quiet_prints_no_diff(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert "+++ " in ttsr_ls(capsys, "install", "-q", "claude", "--dry-run").out
    assert "+++ " not in ttsr_ls(capsys, "install", "-q", "--diff", "claude").out
    assert (home / ".claude" / "settings.json").exists()


def test_quiet_prints_the_changes_without_advice(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ran = ttsr_ls(capsys, "install", "-q", "codex")
    assert "the hooks are installed.\n" in ran.out
    assert f"{home / '.codex' / 'hooks.json'} has " in ran.out
    assert "run `codex`, then `/hooks`" in ran.out
    assert "ttsr-ls doctor" not in ran.out
    removed = ttsr_ls(capsys, "uninstall", "-q", "codex").out
    assert str(home / ".codex" / "hooks.json") in removed
    assert "`ttsr-ls doctor codex` tries them" in ttsr_ls(capsys, "install", "codex").out


def test_uninstall_deletes_a_file_that_install_created(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert ttsr_ls(capsys, "install", "codex", "gemini", "cursor", "vscode").status == 0
    assert json.loads((home / ".cursor" / "hooks.json").read_text())["version"] == 1
    assert ttsr_ls(capsys, "uninstall", "codex", "gemini", "cursor", "vscode").status == 0
    assert not (home / ".codex" / "hooks.json").exists()
    assert not (home / ".copilot" / "hooks" / "ttsr-ls.json").exists()
    assert not (home / ".gemini" / "settings.json").exists()
    assert "no hooks are installed" in ttsr_ls(capsys, "uninstall", "codex").out


def test_later_changes_of_the_user_are_kept_by_uninstall(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ttsr_ls(capsys, "install", "claude")
    settings = home / ".claude" / "settings.json"
    changed = json.loads(settings.read_text()) | {"model": "opus"}
    changed["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "true"}]})
    settings.write_text(json.dumps(changed))
    ttsr_ls(capsys, "uninstall", "claude")
    assert json.loads(settings.read_text()) == {
        "model": "opus",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]},
    }


@pytest.fixture
def default_port(monkeypatch: pytest.MonkeyPatch) -> int:
    """The default port, replaced by one that neither a user's server nor tests in other processes have."""
    port = unassigned_port()
    monkeypatch.setattr("ttsr_ls.store.hook_server_file.free_port", lambda: own_free_port(port))
    return port


def test_a_dry_run_changes_nothing(capsys: pytest.CaptureFixture[str], home: Path, default_port: int) -> None:
    ran = ttsr_ls(capsys, "install", "claude", "--project", "--dry-run")
    assert ran.status == 0
    assert f"+++ {home}/.claude/settings.local.json" in ran.out
    assert [path for path in home.rglob("*") if path.is_file()] == []
    named = re.search(r"http://127\.0\.0\.1:(\d+)/claude", ran.out)
    assert named is not None
    assert int(named[1]) == default_port


def test_if_the_default_port_is_taken_another_one_is_stored(home: Path, default_port: int) -> None:
    with taken_port(default_port):
        kept = hook_server_address(home / "state")
    assert kept.port not in (0, default_port)
    assert hook_server_address(home / "state") == kept


def test_before_the_first_server_the_status_has_no_port(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ran = ttsr_ls(capsys, "hooks", "status")
    assert (ran.status, ran.out) == (1, "The hook server is not running.\n")
    found = json.loads(ttsr_ls(capsys, "hooks", "status", "--json").out)
    assert found == {"port": None, "running": False, "state": None}
    assert ttsr_ls(capsys, "hooks", "stop").out == "The hook server is not running.\n"
    assert [path for path in home.rglob("*") if path.is_file()] == []
    port = hook_server_address(home / "state", free_port()).port
    assert ttsr_ls(capsys, "hooks", "status").out == f"The hook server is not running on 127.0.0.1:{port}.\n"


def test_the_secret_token_is_not_printed(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ran = ttsr_ls(capsys, "install", "claude", "--diff")
    token = json.loads((home / "state" / "ttsr-ls" / "hooks" / "server.json").read_text())["token"]
    assert token in (home / ".claude" / "settings.json").read_text()
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    (home / ".claude" / "settings.json").write_text(json.dumps({"model": "opus", **settings}, indent=2))
    removed_ran = ttsr_ls(capsys, "uninstall", "claude", "--diff")
    assert "Bearer <token>" in ran.out
    assert "Bearer <token>" in removed_ran.out
    assert token not in ran.out + ran.err + removed_ran.out + removed_ran.err


def test_uninstall_without_installed_hooks_writes_nothing(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert ttsr_ls(capsys, "uninstall", "claude").status == 0
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_the_server_ends_with_the_last_hooks(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    hook_server_address(home / "state", free_port())
    ttsr_ls(capsys, "install", "claude", "codex")
    ttsr_ls(capsys, "install", "claude", "--project")
    ensure_running(hook_server_address(home / "state"))
    try:
        for arguments in (("claude",), ("codex",)):
            assert "The hook server continues, because other hooks" in ttsr_ls(capsys, "uninstall", *arguments).out
        assert ttsr_ls(capsys, "hooks", "status").status == 0
        assert "The hook server is stopped.\n" in ttsr_ls(capsys, "uninstall", "claude", "--project").out
        assert ttsr_ls(capsys, "hooks", "status").status == 1
    finally:
        stop(hook_server_address(home / "state"))


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "\xff"])
def test_unreadable_settings_are_refused_and_unchanged(
    capsys: pytest.CaptureFixture[str], home: Path, text: str
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(text.encode("latin-1"))
    for command in ("install", "uninstall"):
        ran = ttsr_ls(capsys, command, "claude")
        assert ran.status == 2
        assert str(settings) in ran.err
        assert settings.read_bytes() == text.encode("latin-1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["install"], "name an agent (claude, codex, gemini, cursor, vscode)"),
        (["install", "nobody"], "there is no agent with hooks called 'nobody'; name one of claude"),
        (["install", "cluade"], "there is no agent with hooks called 'cluade'; did you mean 'claude'?"),
        (["doctor", "codx"], "there is no agent with hooks called 'codx'; did you mean 'codex'?"),
        (["install", "codex", "--project"], "reads hooks from"),
        (["doctor", "nobody"], "there is no agent with hooks called 'nobody'"),
        (["hooks"], "ACTION"),
        (["hooks", "serve", "--port", "0"], "write a whole number from 1 to 65535, not '0'"),
    ],
)
def test_invalid_arguments_are_refused(
    capsys: pytest.CaptureFixture[str], home: Path, arguments: list[str], message: str
) -> None:
    ran = ttsr_ls(capsys, *arguments)
    assert ran.status == 2
    assert message in ran.err


@pytest.mark.parametrize(("mode", "denies"), [((), False), (("closed",), True)])
def test_the_client_names_the_effect_of_a_failure_to_the_server(
    tmp_path: Path, mode: tuple[str, ...], denies: bool
) -> None:
    script, arguments = tmp_path / "ttsr-hook", tmp_path / "arguments"
    curl = tmp_path / "bin" / "curl"
    curl.parent.mkdir()
    curl.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {arguments}\necho "{{}}"\n')
    curl.chmod(0o755)
    script.write_text(client_script("http://127.0.0.1:1", "Bearer T", perl=None))
    environ = {"PATH": f"{curl.parent}:/usr/bin:/bin"}
    process = subprocess.run(
        ["sh", str(script), "codex", *mode], input="{}", capture_output=True, text=True, env=environ
    )
    assert (process.returncode, process.stdout) == (0, "{}\n")
    sent = arguments.read_text().splitlines()
    assert ("Ttsr-Ls-On-Failure: block" in sent) == denies
    assert sent[-1] == "http://127.0.0.1:1/codex"


def test_the_client_reports_a_server_that_does_not_answer(tmp_path: Path) -> None:
    script = tmp_path / "ttsr-hook"
    script.write_text(client_script("http://127.0.0.1:1", "Bearer T"))
    process = subprocess.run(["sh", str(script), "codex"], input="{}", capture_output=True, text=True, check=True)
    assert "rules are off" in json.loads(process.stdout)["systemMessage"]
    closed = subprocess.run(["sh", str(script), "codex", "closed"], input="{}", capture_output=True, text=True)
    assert (closed.returncode, closed.stdout) == (2, "")
    assert "this call was not checked, because the hook server does not answer" in closed.stderr
