"""`replay` names the rules that have no row because they cannot fire."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]
SAMPLE = Path(__file__).parents[2] / "samples/codex/exec.jsonl"
RULE = "---\ncondition: deprecated_module\n---\nNo.\n"


@pytest.fixture
def kept(project: Path) -> Path:
    """A project with a session and one rule that fires in it."""
    write(project, {".omp/rules/no-old.md": RULE})
    shutil.copy(SAMPLE, project / "kept.jsonl")
    return project


def replay(capsys: Capture, *arguments: str) -> str:
    ran = ttsr_ls(capsys, "replay", "kept.jsonl", "--jobs", "1", *arguments)
    assert ran.status == 0, ran.err
    return ran.out


def test_no_line_appears_if_all_rules_can_fire(kept: Path, capsys: Capture) -> None:
    assert "cannot fire" not in replay(capsys)
    assert json.loads(replay(capsys, "--json"))["idleRules"] == []


def test_rules_that_cannot_fire_are_named_with_the_reason(kept: Path, capsys: Capture) -> None:
    files = {
        ".omp/config.yml": "ttsr:\n  disabledRules: [by-setting]\n",
        ".omp/rules/asks.md": RULE.replace("\n---\nNo", "\nquestion: Is it old?\n---\nNo"),
        ".omp/rules/broken.md": RULE.replace("deprecated_module", "'('"),
        ".omp/rules/by-setting.md": RULE,
        ".omp/rules/guidance.md": "---\nalwaysApply: true\n---\nNo.\n",
        ".omp/rules/never.md": "---\nastCondition: a; b\nscope: tool:edit(*.ts)\n---\nNo.\n",
        ".omp/rules/off.md": RULE.replace("condition", "enabled: false\ncondition"),
        ".agents/rules/no-old.md": RULE,
    }
    write(kept, dict(files))
    line = replay(capsys).splitlines()[-1]
    assert line == (
        "7 rules cannot fire here: asks, broken, by-setting, guidance, never, off, no-old (shadowed by "
        ".omp/rules/no-old.md). `ttsr-ls list --all` and `replay --json` name the reasons."
    )
    idle = json.loads(replay(capsys, "--json"))["idleRules"]
    reasons = {Path(rule["path"]).relative_to(kept).as_posix(): (rule["bucket"], rule["why"]) for rule in idle}
    assert reasons.pop(".omp/rules/never.md")[1].startswith("never fires: `a; b` is not a single node")
    assert reasons == {
        ".omp/rules/asks.md": ("ttsr", "replay asks no judge its question"),
        ".omp/rules/broken.md": ("dropped", "none of its conditions compiles"),
        ".omp/rules/by-setting.md": ("dropped", "listed in the setting `disabledRules` (.omp/config.yml, line 2)"),
        ".omp/rules/guidance.md": (
            "always",
            "part of every prompt (alwaysApply); does not fire: it has no condition, AST condition or question",
        ),
        ".omp/rules/off.md": ("disabled", "switched off by `enabled: false`"),
        ".agents/rules/no-old.md": ("dropped", "shadowed by .omp/rules/no-old.md"),
    }  # fmt: skip


def test_many_rules_that_cannot_fire_are_counted(kept: Path, capsys: Capture) -> None:
    write(kept, {f".omp/rules/r{number:02}.md": "x\n" for number in range(10)})
    assert "10 rules cannot fire here: r00, r01, r02, r03, r04, r05, r06, r07, and 2 more." in replay(capsys)
    assert "cannot fire" not in replay(capsys, "--quiet")


def test_unreadable_rules_and_mistakes_in_settings_are_reported(kept: Path, capsys: Capture) -> None:
    (kept / ".omp/rules/gone.md").symlink_to("nowhere")
    write(kept, {".omp/config.yml": "ttsr:\n  interruptMode: Never\n"})
    err = ttsr_ls(capsys, "replay", "kept.jsonl", "--jobs", "1").err
    assert "gone.md" in err
    assert "invalid-setting" in err
