"""The reasons for which Codex skips hooks, from the answers of its app server 0.169.0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls
from tests.cli.install.hook_home import fake_program
from ttsr_ls.cli.install.codex_checks import check_codex_hooks
from ttsr_ls.cli.install.codex_inquiry import CodexAnswers, ask_codex

NO_REQUIREMENTS: dict[str, Any] = {"requirements": None}
CONFIG: dict[str, Any] = {"config": {"features": {"memories": False}}, "origins": {}}


def listed(*states: tuple[str, bool, str], **more: Any) -> dict[str, Any]:
    hooks = [
        {
            "key": f"/home/u/.codex/hooks.json:{event}:0:0",
            "eventName": event,
            "handlerType": "command",
            "command": "/home/u/.local/state/ttsr-ls/hooks/ttsr-hook codex",
            "enabled": enabled,
            "trustStatus": trust,
        }
        for event, enabled, trust in states
    ]
    other = {"eventName": "stop", "handlerType": "command", "command": "./check", "enabled": False}
    return {"data": [{"cwd": "/home/u/shop", "hooks": [*hooks, other], "warnings": [], "errors": [], **more}]}


def features(layer: dict[str, Any], name: str = "hooks") -> dict[str, Any]:
    return {"config": {"features": {name: False}}, "origins": {f"features.{name}": {"name": layer, "version": "1"}}}


@pytest.mark.parametrize(
    ("hooks", "requirements", "config", "what", "remedy"),
    [
        (
            listed(("preToolUse", True, "trusted"), ("stop", True, "managed")),
            {},
            {},
            "none of them is switched off",
            "",
        ),
        (listed(("preToolUse", True, "untrusted")), {}, {}, "not trusted: PreToolUse.", "`/hooks`: trust them."),
        (listed(("preToolUse", True, "modified")), {}, {}, "changed since they were trusted: PreToolUse.", "again."),
        (listed(("preToolUse", False, "trusted")), {}, {}, "switched off: PreToolUse.", "switch them on."),
        (listed(), {"featureRequirements": {"hooks": False}}, {}, "administrator (`requirements.toml`)", "Ask the"),
        (listed(), {"allowManagedHooksOnly": True}, {}, "by `allow_managed_hooks_only`", "Ask the administrator"),
        (listed(), {}, features({"type": "user", "file": "/c.toml"}), "switches all hooks", "Remove it."),
        (listed(), {}, features({"type": "project", "dotCodexFolder": "/p/.codex"}), "off, in /p/.codex", "Remove"),
        (listed(), {}, features({"type": "system", "file": "/c.toml"}), "off, in /c.toml", "Ask the administrator"),
        (listed(), {}, features({"type": "legacyManagedConfigTomlFromFile"}), "in its settings", "Ask the"),
        (listed(), {}, features({"type": "user", "file": "/c"}, "codex_hooks"), "`codex_hooks = false`", "Remove it."),
        (listed(errors=[{"path": "/p", "message": "c.toml:1:3: no string"}]), {}, {}, "cannot read", "c.toml:1:3"),
        (listed(warnings=["failed to parse hooks.json"]), {}, {}, "does not list the hooks", "failed to parse"),
        (listed(), {}, {}, "does not list the hooks", "Run `ttsr-ls install codex`."),
        ({"data": []}, {}, {}, "does not list the hooks", "Run `ttsr-ls install codex`."),
    ],
)
def test_the_reason_why_codex_skips_hooks_has_a_remedy(
    hooks: dict[str, Any], requirements: dict[str, Any], config: dict[str, Any], what: str, remedy: str
) -> None:
    answers = CodexAnswers(hooks, {"requirements": requirements} if requirements else NO_REQUIREMENTS, config or CONFIG)
    check = check_codex_hooks(answers)
    assert what in check.what
    assert remedy in check.remedy
    assert check.verdict == ("failed" if remedy else "ok")


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("exit 0", "its app server does not answer"),
        ("while :; do echo '{}'; done", "its app server does not answer"),
        ("sleep 60", "it does not answer within"),
        (
            """for i in 1 2 3; do echo '{"id": '$i', "error": {"message": "unknown"}}'; done; cat >/dev/null""",
            "^unknown$",
        ),
    ],
)
def test_a_codex_that_does_not_answer_is_killed(tmp_path: Path, program: str, error: str) -> None:
    path = tmp_path / "codex"
    path.write_text(f"#!/bin/sh\n{program}\n")
    path.chmod(0o755)
    with pytest.raises((ValueError, TimeoutError), match=error):
        ask_codex(str(path), tmp_path, 0.5 if "sleep" in program else 20.0)


def test_a_codex_that_does_not_list_its_hooks_is_tested_nevertheless(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    ttsr_ls(capsys, "install", "codex")
    fake_program(home / "bin" / "codex", "codex-cli 0.169.0")
    out = ttsr_ls(capsys, "doctor", "codex").out
    assert "warning  Codex does not say which hooks it runs." in out
    assert "The agent itself could not be tried." in out
