"""`doctor` reports each defect that keeps rules from being enforced, and none if they are. No agent is run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from tests.cli.install.hook_home import copied_state, doctor, fake_program, start
from tests.loopback_ports import free_port
from ttsr_ls.bridge.agent_hooks.client.client_script import client_file, client_script
from ttsr_ls.cli.hooks.starting import ensure_running, server_state, stop
from ttsr_ls.cli.install.hook_files import HookFiles
from ttsr_ls.cli.install.settings_checks import MANAGED_SETTINGS
from ttsr_ls.store.hook_server_file import hook_server_address, socket_file, stored_address


def test_a_server_that_ctrl_c_ended_has_status_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    server = start(hook_server_address(tmp_path / "state", free_port()))
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=60)
    assert server.returncode == 130


def test_a_server_restores_a_deleted_state_folder_and_ends_when_another_one_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    address = hook_server_address(tmp_path / "state", free_port())
    server = start(address)
    assert server.stdout is not None
    shutil.rmtree(tmp_path / "state")
    assert b"was deleted: the hook server writes it again" in server.stdout.readline()
    assert b"Serving hooks" in server.stdout.readline()
    assert stored_address(tmp_path / "state") == address
    assert socket_file(tmp_path / "state").is_socket()
    script = client_file(tmp_path / "state")
    assert os.access(script, os.X_OK)
    assert script.read_text() == client_script(address.url, address.authorization)
    assert server_state(address) is not None
    assert stop(address)
    assert server.wait(timeout=60) == 0
    server.communicate()
    replaced = start(address)
    other = hook_server_address(tmp_path / "state", free_port())
    out, _ = replaced.communicate(timeout=60)
    assert f"the one on 127.0.0.1:{other.port} takes its place" in out.decode()
    assert replaced.returncode == 0


def test_doctor_reports_no_failure_for_working_hooks(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ttsr_ls(capsys, "install", "claude", "codex")
    status, out = doctor(capsys)
    assert status == 0
    assert "FAILED" not in out
    denied = "ok       The hook denies calls that break the doctor's own rules: "
    assert f"{denied}a call that writes a file." in out
    assert f"{denied}a shell command, a file edit by `apply_patch` and `apply_patch` in the shell." in out
    assert "1 rule is in force" in out
    note = "'ttsr-ls test CODE --tool write --path FILE'"
    assert note in ttsr_ls(capsys, "doctor", "--no-agent", "claude").err
    # The note is printed only if hooks were tested.
    (home / ".claude" / "settings.json").unlink()
    assert note not in ttsr_ls(capsys, "doctor", "--no-agent", "claude").err
    assert not list((home / "state" / "ttsr-ls").glob("ttsr-doctor-*"))


def test_doctor_reports_rules_with_errors(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ttsr_ls(capsys, "install", "claude")
    rule = home / "shop" / ".omp" / "rules" / "no any.md"
    rule.write_text("---\ncondition: foo\ninterruptMode: sometimes\n---\nNo.\n")
    broken = rule.with_name("broken.md")
    broken.write_text('---\ncondition: "\\bas any\\s*;"\n---\nNo.\n')
    status, out = doctor(capsys, "claude")
    assert status == 0
    # Each file is reported once: a rule in force in part has its reason in that line.
    assert f"The rule broken is in part in force ({broken}). The frontmatter is not valid YAML" in out
    assert f"{broken} has an error" not in out
    assert f"warning  {rule} has an error, so the rule may not work as written: " in out
    assert f"`ttsr-ls check '{rule}'` shows it in its place." in out
    assert ttsr_ls(capsys, "check", str(rule)).status == 1
    assert out.count("has an error") == 1


def test_doctor_reports_unreadable_rules(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ttsr_ls(capsys, "install", "claude")
    rules = home / "shop" / ".omp" / "rules"
    (rules / "gone.md").symlink_to("nowhere")
    (rules / "long.md").write_text("x" * 2_000_000)
    (home / "shop" / ".agents").symlink_to(".agents")
    status, out = doctor(capsys, "claude")
    assert status == 1
    remedy = "Give your user the right to read it. If it is a broken link, correct or delete it."
    folder = home / "shop" / ".agents" / "rules"
    for problem in (
        f"The rule gone is not in force: cannot read {rules / 'gone.md'}: No such file or directory.",
        f"The rules of a folder are not in force: cannot read {folder}: Too many levels of symbolic links.",
    ):
        assert re.search(rf"FAILED   {re.escape(problem)}\n +{re.escape(remedy)}", out), out
    assert re.search(
        r"FAILED   The rule long is not in force: cannot read .* larger than .*\n +Shorten the file\.", out
    )


def edit_settings(home: Path, change: Callable[[dict[str, object]], None]) -> None:
    path = home / ".claude" / "settings.json"
    settings = json.loads(path.read_text())
    change(settings)
    path.write_text(json.dumps(settings))


def matcher_is_wrong(home: Path) -> None:
    def change(settings: dict[str, object]) -> None:
        settings["hooks"]["PreToolUse"][0]["matcher"] = "Wrte"  # type: ignore[index]

    edit_settings(home, change)


def hooks_are_off_in_the_project(home: Path) -> None:
    path = home / "shop" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"disableAllHooks": true}')
    assert HookFiles(keeps_address=False).project_settings("claude") == {".claude/settings.json": path.read_text()}


def another_token(home: Path) -> None:
    path = copied_state(home) / "ttsr-ls" / "hooks" / "server.json"
    address = json.loads(path.read_text())
    path.write_text(json.dumps(address | {"token": "another"}))


BREAKAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "not installed": (lambda home: (home / ".claude" / "settings.json").unlink(), "Run `ttsr-ls install claude`"),
    "wrong matcher": (matcher_is_wrong, "writes: PreToolUse has the matcher `Wrte`."),
    "settings are no JSON": (lambda home: (home / ".claude" / "settings.json").write_text("{"), "they are not JSON"),
    "hooks are off": (lambda home: edit_settings(home, lambda s: s.update(disableAllHooks=True)), "`disableAllHooks`"),
    "hooks are off in the project": (hooks_are_off_in_the_project, "switches all hooks off"),
    "no script": (lambda home: (home / "state/ttsr-ls/hooks/ttsr-hook").unlink(), "ttsr-hook is missing"),
    "old version": (lambda home: fake_program(home / "bin" / "claude", "2.1.68"), "Update it to 2.1.69 or later"),
    "program is gone": (lambda home: (home / "bin" / "claude").unlink(), "`claude` is not on the PATH"),
    "program fails": (lambda home: (home / "bin" / "claude").write_text("#!/no/such\n"), "--version` failed"),
    "no rule": (lambda home: (home / "shop" / ".omp" / "rules" / "no-old.md").unlink(), "`ttsr-ls new NAME` creates"),
    "no client": (lambda home: (home / "state/ttsr-ls/hooks/ttsr-hook").chmod(stat.S_IRUSR), "run: its mode is 400."),
    "another token": (another_token, "does not accept the token in"),
}


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_doctor_reports_each_defect(
    capsys: pytest.CaptureFixture[str], home: Path, breakage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ttsr_ls(capsys, "install", "claude", "codex")
    (home / "state/ttsr-ls/hooks").chmod(0o700)
    break_it, message = BREAKAGES[breakage]
    if breakage == "no client":
        monkeypatch.setattr("os.access", lambda path, mode: "ttsr-hook" not in str(path))
    break_it(home)
    status, out = doctor(capsys, "claude", "codex")
    assert message in out
    assert status == (0 if breakage == "program is gone" else 1)


@pytest.mark.parametrize("agent", ["claude", "codex"])
@pytest.mark.parametrize(
    ("harm", "cause"),
    [(Path.unlink, "is missing"), (lambda script: script.write_text(""), "differs from what `ttsr-ls install` writes")],
)
def test_the_remedy_for_a_missing_or_changed_script_repairs_it(
    capsys: pytest.CaptureFixture[str], home: Path, agent: str, harm: Callable[[Path], object], cause: str
) -> None:
    ttsr_ls(capsys, "install", agent)
    script = home / "state/ttsr-ls/hooks/ttsr-hook"
    text = script.read_bytes()
    harm(script)
    status, out = doctor(capsys, agent)
    assert status == 1
    assert f"{script} {cause}." in out
    assert f"Run `ttsr-ls install {agent}`." in out
    assert f"{script} was missing or changed; it would be" in ttsr_ls(capsys, "install", agent, "--dry-run").out
    assert f"{script} was missing or changed; it is written again." in ttsr_ls(capsys, "install", agent).out
    assert (script.read_bytes(), script.stat().st_mode & 0o777) == (text, 0o700)
    assert doctor(capsys, agent)[0] == 0


@pytest.mark.parametrize("mode", [0o000, 0o600])
def test_a_wrong_mode_of_the_client_script_has_its_own_remedy(
    capsys: pytest.CaptureFixture[str], home: Path, mode: int
) -> None:
    ttsr_ls(capsys, "install", "codex")
    script = home / "state/ttsr-ls/hooks/ttsr-hook"
    script.chmod(mode)
    status, out = doctor(capsys, "codex")
    assert status == 1
    assert f"{script} cannot be read and run: its mode is {mode:03o}." in out
    (command,) = re.findall(r"Run `(chmod [^`]*)`", out)
    subprocess.run(shlex.split(command), check=True)
    assert doctor(capsys, "codex")[0] == 0


@pytest.mark.parametrize("key", ["disableAllHooks", "allowManagedHooksOnly"])
def test_doctor_reports_administrator_settings_that_disable_hooks(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    ttsr_ls(capsys, "install", "claude")
    managed = home / "managed-settings.json"
    monkeypatch.setitem(MANAGED_SETTINGS, "claude", (managed,))
    managed.write_text(json.dumps({key: False}))
    assert doctor(capsys, "claude")[0] == 0
    managed.write_text(json.dumps({key: True}))
    status, out = doctor(capsys, "claude")
    assert status == 1
    assert f"{managed}, the settings of the administrator, switches the hooks off by `{key}`." in out
    assert out.count("FAILED") == 1


def test_a_token_in_the_url_is_reported_and_moved_by_install(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    ttsr_ls(capsys, "install", "claude")
    path, address = home / ".claude" / "settings.json", hook_server_address(home / "state")
    now = path.read_text()

    def earlier(settings: dict[str, object]) -> None:
        for entries in settings["hooks"].values():  # type: ignore[attr-defined]
            for handler in (handler for entry in entries for handler in entry["hooks"] if "url" in handler):
                handler["url"] = f"http://127.0.0.1:{address.port}/{address.token}/claude"
                del handler["headers"]

    edit_settings(home, earlier)
    status, out = doctor(capsys, "claude")
    assert status == 0
    assert "have their secret token in the URL, which Claude Code prints in its errors." in out
    assert "Run `ttsr-ls install claude`: it moves the token to a header." in out
    assert address.token not in out
    assert ttsr_ls(capsys, "install", "claude").status == 0
    assert json.loads(path.read_text()) == json.loads(now)
    assert "in the URL" not in doctor(capsys, "claude")[1]


def test_doctor_starts_the_server_and_reports_it(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    address = hook_server_address(copied_state(home), free_port())
    ttsr_ls(capsys, "install", "claude")
    try:
        status, out = doctor(capsys, "claude")
        assert "it was started on" in out
        assert status == 0
        ensure_running(address)
        assert ttsr_ls(capsys, "hooks", "status").status == 0
    finally:
        stopped = ttsr_ls(capsys, "hooks", "stop").out
    assert stopped == "The hook server is stopped.\n"
    assert server_state(address) is None
    assert ttsr_ls(capsys, "hooks", "status").status == 1


def test_without_installed_hooks_the_server_is_not_started(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = home / "unused"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    ttsr_ls(capsys, "install", "claude", "--project")
    ttsr_ls(capsys, "uninstall", "claude", "--project")
    status, out = doctor(capsys, "claude")
    assert status == 1
    assert "  ok       The hook server is not running. No hooks need it, because none are installed.\n" in out
    assert "Run `ttsr-ls install claude`." in out
    assert ttsr_ls(capsys, "hooks", "status").status == 1
