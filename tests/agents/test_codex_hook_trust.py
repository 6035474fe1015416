"""The real Codex says why it skips hooks, and `doctor` and `uninstall` name what it says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.codex_trust import trust_hooks
from tests.cli.command import ttsr_ls
from tests.loopback_ports import free_port
from ttsr_ls.cli.install.codex_checks import check_codex_hooks
from ttsr_ls.cli.install.codex_inquiry import ask_codex
from ttsr_ls.store.hook_server_file import hook_server_address


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    (tmp_path / "shop" / ".omp" / "rules").mkdir(parents=True)
    (tmp_path / "shop" / ".omp" / "rules" / "no-old.md").write_text("---\ncondition: old\n---\nNo.\n")
    monkeypatch.chdir(tmp_path / "shop")
    hook_server_address(tmp_path / "state", free_port())
    ttsr_ls(capsys, "install", "codex")
    yield tmp_path
    ttsr_ls(capsys, "hooks", "stop")


def said() -> str:
    return check_codex_hooks(ask_codex(os.environ["TTSR_CODEX"], Path.cwd())).what


def test_each_reason_for_skipped_hooks_is_distinguished(home: Path) -> None:
    settings = home / ".codex" / "config.toml"
    events = "PreToolUse, PostToolUse, SessionStart, SessionEnd, UserPromptSubmit, SubagentStop, Stop"
    assert said() == f"Codex skips hooks that are not trusted: {events}."
    trusted = trust_hooks(os.environ["TTSR_CODEX"])
    assert said() == "Codex trusts the hooks, and none of them is switched off."
    settings.write_text(trusted.replace("trusted_hash", "enabled = false\ntrusted_hash", 1))
    assert said() == "Codex skips hooks that are switched off: PreToolUse."
    settings.write_text(trusted.replace("sha256:", "sha256:0", 1))
    assert said() == "Codex skips hooks that changed since they were trusted: PreToolUse."
    settings.write_text(f"{trusted}[features]\nhooks = false\n")
    assert said() == f"`hooks = false` in `[features]` switches all hooks of Codex off, in {settings}."
    settings.write_text("no toml")
    assert said() == "Codex cannot read its settings."


def test_the_doctor_tries_a_codex_that_trusts_its_hooks_and_uninstall_names_the_trust(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(os.environ['TTSR_CODEX']).parent}:{os.environ['PATH']}")
    trust_hooks(os.environ["TTSR_CODEX"])
    ran = ttsr_ls(capsys, "doctor", "codex")
    assert ran.status == 0, ran.out
    assert "ok       Codex trusts the hooks" in ran.out
    denied = "ok       The agent itself, with a model on loopback, was denied calls that the doctor's rules forbid: "
    assert f"{denied}a shell command, a file edit by `apply_patch` and `apply_patch` in the shell." in ran.out
    out = ttsr_ls(capsys, "uninstall", "codex").out
    settings = home / ".codex" / "config.toml"
    key = f'"{home}/.codex/hooks.json:pre_tool_use:0:0"'
    assert f"stays in {settings}, in 7 tables such as [hooks.state.{key}]." in out
    assert "its trust" not in ttsr_ls(capsys, "uninstall", "codex").out
