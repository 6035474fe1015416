"""Each cause is one failure of `doctor`; the checks that it prevents are reported as skipped."""

from __future__ import annotations

import json
import os
import re
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.command import ttsr_ls
from tests.cli.install.hook_home import copied_state, doctor, fake_program
from tests.loopback_ports import free_port, taken_port
from ttsr_ls.cli.hooks.starting import ServerFault, ask_server
from ttsr_ls.cli.install import hook_canary
from ttsr_ls.cli.install.checks.server_check import fault_check
from ttsr_ls.cli.install.checks.version_check import check_version
from ttsr_ls.cli.install.hook_files import HookFiles, found_agents, program_of
from ttsr_ls.cli.install.settings_checks import MANAGED_SETTINGS
from ttsr_ls.store.hook_server_file import hook_server_address
from ttsr_ls.store.open_hook_sessions import OpenHookSession, sessions_file


def test_a_taken_port_is_one_failure(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    address = hook_server_address(copied_state(home), free_port())
    ttsr_ls(capsys, "install", "claude", "codex")
    sessions_file(home / "state").write_bytes(msgspec.json.encode((OpenHookSession("claude", "s1", str(home)),)))
    with taken_port(address.port):
        status, out = doctor(capsys, "claude", "codex")
        report = json.loads(ttsr_ls(capsys, "doctor", "claude", "--no-agent", "--format", "json").out)
    assert status == 1
    assert out.count("FAILED") == 1
    assert "warning  The hook server ended while a session of claude was open, and calls were not checked" in out
    assert f"another program listens on 127.0.0.1:{address.port}." in out
    assert "End it, or: Run `ttsr-ls install claude codex`: it moves the hooks to a free port." in out
    skipped = "The hook and the agent itself were not tried, because the hook server does not run."
    assert out.count(f"skipped  {skipped}") == 2
    assert {"what": skipped, "verdict": "skipped", "remedy": None} in report[1]["checks"]


def test_settings_without_hooks_are_one_failure(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ttsr_ls(capsys, "install", "claude")
    (home / ".claude" / "settings.json").write_text("{}")
    status, out = doctor(capsys, "claude")
    assert status == 1
    assert out.count("FAILED") == 1
    assert "skipped  The hook and the agent itself were not tried, because its hooks are not in place." in out


def test_an_agent_without_hooks_fails_only_if_it_is_named(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    fake_program(home / "bin" / "gemini", "0.61.0")
    ttsr_ls(capsys, "install", "claude", "codex")
    ran = ttsr_ls(capsys, "doctor")
    assert ran.status == 0
    assert "Gemini CLI" not in ran.out
    assert "not checked, because hooks were never installed: Gemini CLI ('ttsr-ls install gemini')" in ran.err
    status, out = doctor(capsys, "gemini")
    assert status == 1
    assert "Run `ttsr-ls install gemini`." in out


def test_agents_that_were_never_set_up_are_no_warning(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    fake_program(home / "bin" / "gemini", "0.61.0")
    ran = ttsr_ls(capsys, "doctor")
    assert ran.status == 0
    assert "no agent was checked, because none is set up; 'ttsr-ls install " in ran.err


@pytest.mark.parametrize("harm", ["{", "{}", None])
def test_an_agent_that_lost_its_hooks_fails_without_being_named(
    capsys: pytest.CaptureFixture[str], home: Path, harm: str | None
) -> None:
    ttsr_ls(capsys, "install", "claude", "codex")
    path = home / ".claude" / "settings.json"
    path.unlink()
    if harm is not None:
        path.write_text(harm)
    status, out = doctor(capsys)
    assert status == 1
    assert out.count("FAILED") == 1


@pytest.mark.parametrize(
    ("files", "blamed"),
    [
        ({"managed-settings.d/10-a.json": True}, "managed-settings.d/10-a.json"),
        ({"managed-settings.json": True, "managed-settings.d/10-a.json": False}, None),
        ({"managed-settings.d/10-a.json": True, "managed-settings.d/20-b.json": False}, None),
        ({"managed-settings.d/.10-a.json": True, "managed-settings.d/a.jsonc": True}, None),
        ({"managed-settings.json": False, "managed-settings.d/10-a.json": True}, "managed-settings.d/10-a.json"),
    ],
)
def test_the_fragments_of_managed_settings_are_read_in_claude_codes_order(
    capsys: pytest.CaptureFixture[str],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, bool],
    blamed: str | None,
) -> None:
    """Recorded with Claude Code 2.1.329: its hooks ran in exactly the cases without a blamed file."""
    ttsr_ls(capsys, "install", "claude")
    monkeypatch.setitem(MANAGED_SETTINGS, "claude", (home / "managed-settings.json",))
    (home / "managed-settings.d").mkdir()
    for name, value in files.items():
        (home / name).write_text(json.dumps({"disableAllHooks": value}))
    status, out = doctor(capsys, "claude")
    assert status == (0 if blamed is None else 1)
    if blamed is not None:
        assert f"{home / blamed}, the settings of the administrator, switches the hooks off" in out


def test_the_users_settings_of_curl_do_not_change_the_answer(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ttsr_ls(capsys, "install", "codex")
    (home / ".curlrc").write_text("include\n")
    status, out = doctor(capsys, "codex")
    assert status == 0, out
    assert "The hook denies calls that break the doctor's own rules: " in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda hooks: hooks.pop("Stop"), "Stop is missing."),
        (lambda hooks: hooks["PreToolUse"][0].pop("matcher"), "PreToolUse has the matcher ``."),
        (
            lambda hooks: hooks["PreToolUse"][0]["hooks"][0].update(timeout=1),
            "PreToolUse has the timeout `1` instead of 5.",
        ),
        (
            lambda hooks: hooks["PreToolUse"][0]["hooks"][0]["headers"].update(Authorization="Bearer old"),
            "PreToolUse has another token than the hook server.",
        ),
        (
            lambda hooks: hooks["PreToolUse"][0]["hooks"][0].update(url="http://127.0.0.1:9/claude"),
            "PreToolUse sends to port 9 instead of ",
        ),
        (
            lambda hooks: hooks["PreToolUse"][0]["hooks"][0].update(onFailure="block"),
            "PreToolUse lacks the header `Ttsr-Ls-On-Failure`.",
        ),
        (lambda hooks: hooks["Stop"][0]["hooks"][0].update({"if": "x"}), "Stop has the if `x`."),
        (lambda hooks: [hooks.pop(each) for each in list(hooks) if each != "Stop"], "SessionStart is missing; "),
    ],
)
def test_edited_hooks_are_reported(
    capsys: pytest.CaptureFixture[str], home: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    ttsr_ls(capsys, "install", "claude")
    path = home / ".claude" / "settings.json"
    settings = json.loads(path.read_text())
    change(settings["hooks"])
    path.write_text(json.dumps(settings))
    status, out = doctor(capsys, "claude")
    assert status == 1
    assert f"The hooks in {path} differ from what `ttsr-ls install` writes: {message}" in out
    assert "Bearer" not in out
    (command,) = re.findall(r"Run `ttsr-ls ([^`]*)`", out)
    assert ttsr_ls(capsys, *command.split()).status == 0
    assert doctor(capsys, "claude")[0] == 0


@pytest.mark.parametrize("arguments", [["claude"], ["claude", "--project"], ["codex"]])
def test_duplicate_hooks_are_reported(capsys: pytest.CaptureFixture[str], home: Path, arguments: list[str]) -> None:
    ttsr_ls(capsys, "install", *arguments)
    name = ".codex/hooks.json" if arguments == ["codex"] else ".claude/settings.json"
    path = Path.cwd() / ".claude" / "settings.local.json" if "--project" in arguments else home / name
    installed = path.read_text()
    settings = json.loads(installed)
    settings["hooks"]["PreToolUse"] *= 2
    (stop,) = settings["hooks"]["Stop"]
    stop["hooks"] *= 2
    path.write_text(json.dumps(settings))
    out = doctor(capsys, arguments[0])[1]
    assert "Stop stands in a group with other hooks" in out
    path.write_text(json.dumps(settings | {"hooks": {**settings["hooks"], "Stop": [{"hooks": stop["hooks"][:1]}] * 2}}))
    out = doctor(capsys, arguments[0])[1]
    assert f"{path} has a hook of ttsr-ls more than once, in PreToolUse, Stop. " in out
    (command,) = re.findall(r"Run `ttsr-ls ([^`]*)`: it writes each hook once", out)
    assert ttsr_ls(capsys, *command.split()).status == 0
    assert json.loads(path.read_text()) == json.loads(installed)
    assert "more than once" not in doctor(capsys, arguments[0])[1]


def test_an_unwritable_state_folder_is_reported(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ttsr_ls(capsys, "install", "claude")
    access, folder = os.access, home / "state" / "ttsr-ls" / "hooks"
    monkeypatch.setattr("os.access", lambda path, mode: path != folder and access(path, mode))
    status, out = doctor(capsys, "claude")
    assert status == 0
    assert f"warning  {folder} cannot be written: sessions are not recorded" in out


def test_a_server_that_does_not_answer_is_not_reported_as_another_program(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    address = hook_server_address(copied_state(home), free_port())
    ttsr_ls(capsys, "install", "codex")
    assert ask_server(address) is ServerFault.NOT_LISTENING
    with socket.create_server(("127.0.0.1", address.port)):
        fault = ask_server(address, timeout=0.05)
    assert fault is ServerFault.NO_ANSWER
    check = fault_check(fault, HookFiles())
    assert check.what == f"The program that listens on 127.0.0.1:{address.port} does not answer."
    assert check.remedy == "Run `ttsr-ls install codex`: it moves the hooks to a free port."


VERSIONS = [
    ("claude", "2.1.328", "warning", "It is older than 2.1.329, which was tested."),
    ("claude", "2.1.69", "warning", "It is older than 2.1.329, which was tested."),
    ("claude", "2.1.68", "failed", "Update it to 2.1.69 or later, as by `claude update`."),
    ("codex", "0.168.9", "warning", "It is older than 0.169.0, which was tested."),
    ("codex", "0.123.0", "failed", "Update it to 0.124.0 or later, as by `npm install -g @openai/codex@latest`."),
    ("codex", "0.170.0", "ok", ""),
    ("codex", "0.171.1", "warning", "Hooks were tested up to 0.171.0."),
    ("code", "1.139.1", "ok", ""),
    ("code", "1.108.2", "failed", "Update it to 1.109.0 or later."),
    ("copilot", "1.0.102", "ok", ""),
    ("copilot", "1.0.50", "failed", "Update it to 1.0.51 or later, as by `npm install -g @github/copilot@latest`."),
]


@pytest.mark.parametrize(("agent", "version", "verdict", "remedy"), VERSIONS)
def test_only_a_version_without_the_hooks_fails(
    home: Path, agent: str, version: str, verdict: str, remedy: str
) -> None:
    fake_program(home / "bin" / agent, version)
    check = check_version(agent, str(home / "bin" / agent))
    assert (check.verdict, check.remedy) == (verdict, remedy)


def test_vs_code_is_found_by_its_program_or_by_that_of_copilot_cli(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(home / "bin"))
    assert (program_of("vscode"), "vscode" in found_agents()) == ("code", False)
    fake_program(home / "bin" / "copilot", "1.0.102")
    assert (program_of("vscode"), "vscode" in found_agents()) == ("copilot", True)
    fake_program(home / "bin" / "code", "1.139.1")
    assert (program_of("vscode"), "vscode" in found_agents()) == ("code", True)


def test_a_hook_that_sees_only_shell_commands_fails(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(_: str, hook_input: str, __: HookFiles) -> str:
        call = json.loads(hook_input)
        is_seen = call.get("tool_name") == "Bash" and "apply_patch" not in str(call["tool_input"])
        return json.dumps({"reason": "ttsr_ls_canary_5e0b_shell_denied"} if is_seen else {})

    monkeypatch.setattr(hook_canary, "_sent", answer)
    check = hook_canary.hook_canary("codex", HookFiles(keeps_address=False))
    assert check.verdict == "failed"
    assert check.what.endswith("break a rule: a file edit by `apply_patch` and `apply_patch` in the shell.")


@pytest.mark.parametrize("mode", [0o644, 0o600])
def test_a_token_readable_by_other_users_is_reported(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    # The folders of pytest are closed to other users.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", folder)
        settings = Path(folder) / "settings.json"
        settings.write_text("{}\n")
        settings.chmod(mode)
        installed = ttsr_ls(capsys, "install", "claude")
        _, out = doctor(capsys, "claude")
    is_open = mode == 0o644
    assert (f"run `chmod o-r {settings}`" in installed.err) == is_open
    assert (f"warning  Other users of this machine can read {settings}" in out) == is_open
    assert hook_server_address(copied_state(home)).token not in installed.out + installed.err + out
