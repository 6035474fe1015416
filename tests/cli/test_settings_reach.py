"""Settings apply to `test`, `watch`, and the trials of rules in editors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls.ide.trial.editor_trial import TrialRequest
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.trial_command import TrialArguments
from ttsr_ls.lsp.trial_command import test as run_ttsr_test

Capture = pytest.CaptureFixture[str]
SAMPLE = Path(__file__).parents[1] / "samples" / "claude" / "print-partial.jsonl"
RULE = "---\ncondition: import deprecated_module\n---\nUse new_module.\n"
TEXT = "import deprecated_module"


def fired(capsys: Capture) -> list[str]:
    answer = json.loads(ttsr_ls(capsys, "test", TEXT, "--json").out)
    return [rule["name"] for rule in answer.get("triggered", [])]


@pytest.mark.parametrize(
    ("config", "names"),
    [
        ("", ["a", "b"]),
        ("ttsr:\n  disabledRules: [a]\n", ["b"]),
        ("disabledExtensions: ['rule:b']\n", ["a"]),
        ("ttsr:\n  enabled: false\n", []),
        ("disabledProviders: [native]\n", ["b"]),
    ],
)
def test_only_rules_that_the_settings_enable_are_tried(
    config: str, names: list[str], project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": RULE, ".agents/rules/b.md": RULE, ".omp/config.yml": config})
    assert fired(capsys) == names
    tried = run_ttsr_test(TrialArguments(TrialRequest(TEXT), None, None), Workspace(folders=(str(project),)))
    assert [rule["name"] for rule in tried["rules"] if rule["fires"]] == names


def test_invalid_settings_are_reported_beside_the_result(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, ".omp/config.yml": "ttsr:\n  enabled: off\n"})
    message = ttsr_ls(capsys, "test", TEXT).err
    assert message.startswith(f"ttsr-ls: {project}/.omp/config.yml:2:12 error invalid-setting `ttsr.enabled` takes")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("", " would interrupt text"),
        ("ttsr:\n  interruptMode: never\n", " would remind text"),
        ("ttsr:\n  interruptMode: Never\n", " would interrupt text"),
        ("ttsr:\n  disabledRules: [a]\n", "with 0 rules"),
    ],
)
def test_watch_applies_the_settings(
    config: str, message: str, project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    write(project, {".omp/rules/a.md": RULE, ".omp/config.yml": config})
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--no-log", str(SAMPLE))
    assert message in ran.out


def test_watch_applies_the_settings_of_the_named_folder(project: Path, capsys: Capture) -> None:
    write(project, {"in/.omp/rules/a.md": RULE, "in/.omp/config.yml": "ttsr:\n  interruptMode: never\n"})
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "--no-log", "--cwd", "in", str(SAMPLE))
    assert " would remind text" in ran.out
