"""`install` on settings that are no plain file, that an agent reads differently, or that others change meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import environment, ttsr_ls
from tests.loopback_ports import free_port
from ttsr_ls.bridge.agent_hooks.settings_text import AcceptedJson
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import hook_server_address
from ttsr_ls.store.settings_backup import MAX_SETTINGS, SettingsBackup

SETTINGS = {"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json"}
HOOK = '"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    hook_server_address(tmp_path / "state", free_port())
    return tmp_path


def settings_of(home: Path, agent: str) -> Path:
    path = home / SETTINGS[agent]
    path.parent.mkdir(exist_ok=True)
    return path


def read_only(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0o444)


def entries_of(folder: Path) -> list[tuple[Path, tuple[int, ...]]]:
    found = [] if folder.is_symlink() else sorted(folder.iterdir())
    # Not the access time: following a link changes it.
    states = ((path, path.lstat()) for path in (folder, *found))
    return [(path, (state.st_mode, state.st_ino, state.st_size, state.st_mtime_ns)) for path, state in states]


def in_a_folder_that_takes_no_files(path: Path) -> None:
    path.parent.rmdir()
    path.parent.symlink_to("/proc")  # Not even root can make a file there.


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda path: path.symlink_to(path.parent / "gone"), "gone, which is missing; remove the link"),
        (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
        (os.mkfifo, "it is not a file; put a file of settings there"),
        (Path.mkdir, "Is a directory; put a file of settings there"),
        (lambda path: path.write_bytes(b" " * (MAX_SETTINGS + 1)), "it is larger than 1024 KiB; shorten it first"),
        (lambda path: path.write_bytes("{}".encode("utf-16")), "it is not UTF-8; save it as UTF-8 first"),
        (read_only, "it is read-only; nothing was changed. Make it and its folder writable"),
        (in_a_folder_that_takes_no_files, "nothing was changed."),
    ],
)
def test_settings_that_cannot_be_rewritten_are_refused_and_unchanged(
    capsys: pytest.CaptureFixture[str], home: Path, prepare: Callable[[Path], None], message: str
) -> None:
    path = settings_of(home, "claude")
    prepare(path)
    before = entries_of(path.parent)
    ran = ttsr_ls(capsys, "install", "claude")
    assert ran.status == 2
    assert str(path) in ran.err
    assert message in ran.err
    assert entries_of(path.parent) == before
    assert not list((home / "state").rglob("*.after"))
    # Settings of one agent do not stand in the way of another.
    assert ttsr_ls(capsys, "install", "codex").status == 0
    assert ttsr_ls(capsys, "uninstall", "codex").status == 0


@pytest.mark.parametrize(
    ("agent", "text", "reason"),
    [
        ("claude", f"{{ // mine\n{HOOK}}}", "Claude Code does not read these settings: they have comments"),
        ("claude", f"{{{HOOK},}}", "they have a comma before a closing bracket"),
        ("claude", f'{{"x": NaN, {HOOK}}}', "these settings are not JSON (NaN is not JSON); correct them"),
        ("claude", f'{{"x": 1e999, {HOOK}}}', "1e999 is too large a number"),
        ("claude", f'{{{HOOK}, "a": {{"b": 1, "b": 2}}}}', "these settings have the key `b` twice in one object"),
        ("codex", f"\ufeff{{{HOOK}}}", "Codex does not read these settings: they begin with a byte order mark"),
        ("gemini", f"{{ /* mine */ {HOOK}}}", "these settings have comments, which would be lost; take them out"),
        ("gemini", f"{{{HOOK},}}", "Gemini CLI does not read these settings: they have a comma before"),
        ("gemini", f"\ufeff{{{HOOK}}}", "Gemini CLI does not read these settings: they begin with a byte order mark"),
    ],
)
def test_settings_that_the_agent_cannot_read_or_that_would_lose_data_are_refused(
    capsys: pytest.CaptureFixture[str], home: Path, agent: str, text: str, reason: str
) -> None:
    path = settings_of(home, agent)
    path.write_bytes(text.encode())
    ran = ttsr_ls(capsys, "install", agent)
    assert (ran.status, reason in ran.err) == (2, True), ran.err
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize(
    "text", [f"\ufeff{{{HOOK}}}", f'{{\r\n    "half": "\\ud83d",\r\n    {HOOK}\r\n}}\r\n', "\ufeff"]
)
def test_byte_order_marks_and_line_ends_are_kept_and_restored_byte_for_byte(
    capsys: pytest.CaptureFixture[str], home: Path, text: str
) -> None:
    path = settings_of(home, "claude")
    path.write_bytes(text.encode())
    assert ttsr_ls(capsys, "install", "claude").status == 0
    written = path.read_bytes().decode()
    assert written.startswith("\ufeff") == text.startswith("\ufeff{")
    assert "\r\n" not in text or "\n" not in written.replace("\r\n", "")
    assert AcceptedJson.WITH_MARK.reads(written)
    assert ttsr_ls(capsys, "uninstall", "claude").status == 0
    assert path.read_bytes() == text.encode()


def test_a_link_stays_a_link(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    path, target = settings_of(home, "claude"), home / "dotfiles.json"
    target.write_text('{"model": "opus"}')
    path.symlink_to(target)
    assert ttsr_ls(capsys, "install", "claude").status == 0
    assert "127.0.0.1" in target.read_text()
    assert ttsr_ls(capsys, "uninstall", "claude").status == 0
    assert path.readlink() == target
    assert target.read_text() == '{"model": "opus"}'


def test_comments_added_after_the_installation_are_kept(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    path = settings_of(home, "gemini")
    ttsr_ls(capsys, "install", "gemini")
    changed = path.read_text().replace("{", "{ // mine", 1)
    path.write_text(changed)
    assert ttsr_ls(capsys, "install", "gemini").out.endswith("already.\n")
    ran = ttsr_ls(capsys, "uninstall", "gemini")
    assert (ran.status, path.read_text()) == (2, changed)
    assert "take them out first, or delete the entries of ttsr-ls" in ran.err


def test_a_change_between_reading_and_writing_is_not_overwritten(home: Path) -> None:
    path, backup = settings_of(home, "claude"), SettingsBackup(home / "state" / "copies")
    path.write_text("{}")
    before = backup.read(path)
    path.write_text('{"model": "opus"}')
    with pytest.raises(UsageError, match="was changed by another program in the meantime"):
        backup.write(path, before, "{ }", before)
    assert path.read_text() == '{"model": "opus"}'
    assert not backup.has_copies


def test_installs_at_the_same_time_write_once(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "state" / "ttsr-ls" / "hooks" / "server.json").unlink()
    path = settings_of(home, "claude")
    path.write_text('{"model": "opus"}')
    command = [sys.executable, "-m", "ttsr_ls", "install", "claude"]
    running = [subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert sorted("already" in text for text in outputs) == [False, True, True]
    assert len(json.loads(path.read_text())["hooks"]["PreToolUse"]) == 1
    assert ttsr_ls(capsys, "uninstall", "claude").status == 0
    assert path.read_text() == '{"model": "opus"}'
