"""The pre-commit hooks run on the files that agents read, and their entries exist."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.cli.command import ttsr_ls, write
from tests.rule_locations import OF_DIALECTS, sample_paths
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES, RuleLocation
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS, settings_format_of

ALL_HOOKS = {
    hook["id"]: hook for hook in yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text())
}
HOOKS = [ALL_HOOKS[name] for name in ("ttsr-ls", "ttsr-ls-fix")]
"""The hooks that get the files of rules as arguments."""


def looks_at(path: str) -> bool:
    (pattern,) = {hook["files"] for hook in HOOKS}
    return re.search(pattern, path) is not None


def expected_pattern() -> str:
    """The pattern that follows from the tables. A suffix or a folder that no program reads is for `check` to report."""
    alternatives = []
    for location in OF_DIALECTS:
        before, _, after = location.names[0].partition("*")
        ends = sorted(RULE_SUFFIXES) if after in RULE_SUFFIXES else [after]
        between = "[^/]+" if before else ".+"
        suffixes = "|".join(map(re.escape, ends))
        alternatives.append(f"{re.escape(location.path)}/{re.escape(before)}{between}(?i:{suffixes})")
    settings = (location.path for location in SETTINGS_LOCATIONS if settings_format_of(location.path) is not None)
    alternatives += map(re.escape, settings)
    return "\n  |".join(("(?x)^(?:.*/)?(?:\n  " + alternatives[0], *alternatives[1:])) + "\n)$"


def test_the_file_pattern_of_the_hook_follows_from_the_tables() -> None:
    assert {hook["files"] for hook in HOOKS} == {expected_pattern()}


@pytest.mark.parametrize("location", OF_DIALECTS, ids=str)
def test_rule_files_of_all_locations_run_the_hook(location: RuleLocation) -> None:
    for path in sample_paths(location):
        assert looks_at(path)
        assert looks_at(f"packages/web/{path}")


@pytest.mark.parametrize(
    "path", [".omp/config.yml", ".omp/settings.json", ".omp/rules/RULE.MD", ".omp/rules/too/deep.md"]
)
def test_settings_and_misplaced_rules_run_the_hook(path: str) -> None:
    assert looks_at(path)


@pytest.mark.parametrize(
    "path", ["README.md", "docs/rules/a.md", ".omp/rules/a.txt", "x.omp/rules/a.md", ".github/README.md", "config.yml"]
)
def test_other_files_do_not_run_the_hook(path: str) -> None:
    assert not looks_at(path)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_each_entry_runs_on_files(hook: dict[str, str], project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, *args = shlex.split(hook["entry"])
    assert (program, hook["language"]) == ("ttsr-ls", "python")
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "good.md").write_text("---\ncondition: foo\n---\nSay so.\n")
    (rules / "bad.md").write_text("---\ncondition: '('\n---\nSay so.\n")
    assert ttsr_ls(capsys, *args, ".omp/rules/good.md").status == 0
    assert ttsr_ls(capsys, *args, ".omp/rules/good.md", ".omp/rules/bad.md").status == 1


def run_hook(capsys: pytest.CaptureFixture[str], name: str) -> int:
    hook = ALL_HOOKS[name]
    program, *args = shlex.split(hook["entry"])
    assert (program, hook["language"], hook["pass_filenames"]) == ("ttsr-ls", "python", False)
    return ttsr_ls(capsys, *args).status


def test_the_hook_for_tests_runs_all_of_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "---\ncondition: ': any'\nscope: text\n---\nSay so.\n"
    write(project, {".omp/rules/a.md": rule, ".omp/rules/a.test.yml": "invalid: ['a: any']\n"})
    assert run_hook(capsys, "ttsr-ls-test") == 0
    write(project, {"rules/b.md": rule, "rules/b.test.yml": "valid: ['a: any']\n"})
    assert run_hook(capsys, "ttsr-ls-test") == 1
    pattern = ALL_HOOKS["ttsr-ls-test"]["files"]
    for name in (".omp/rules/a.md", "a.test.yml", "rules/a.test.yaml", ".cursor/rules/a.mdc"):
        assert re.search(pattern, name)
    assert not re.search(pattern, "src/a.yml")


def test_the_hook_for_code_scans_staged_lines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "---\ncondition: ': any'\nscope: tool:edit(*.ts)\n---\nSay so.\n"
    write(project, {".omp/rules/a.md": rule, "a.ts": "let a: any;\n"})
    subprocess.run(["git", "init", "-q"], check=True)
    assert run_hook(capsys, "ttsr-ls-scan") == 0
    subprocess.run(["git", "add", "a.ts"], check=True)
    assert run_hook(capsys, "ttsr-ls-scan") == 1
