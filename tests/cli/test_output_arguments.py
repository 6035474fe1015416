"""Arguments that all commands share: `--quiet`, `--color`, `--format` with `--json`, `--statistics`, `--version`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls import __version__
from ttsr_ls.cli.main import COMMANDS

Capture = pytest.CaptureFixture[str]
ANY = "---\ncondition: ': any\\b'\nscope: tool:edit(*.ts)\n---\nName the type.\n\n```ts ttsr:fires\nlet a: any;\n```\n"
ACTIONS = {
    "quiet",
    "init",
    "new",
    "schema",
    "install",
    "uninstall",
    "demo",
    "agent",
    "run",
    "acp",
    "proxy",
    "mcp",
    "completions",
    "serve",
}
"""Commands without a report, which have no `--format`. `schema` prints nothing but JSON."""
REPORTING_ACTIONS = {"hooks": "status", "sessions": "list"}


@pytest.fixture(autouse=True)
def tree(project: Path) -> Path:
    write(
        project,
        {".omp/rules/any.md": ANY, ".omp/rules/bad.md": "---\ncondition: '('\n---\nx\n", "a.ts": "let a: any;\n"},
    )
    return project


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_has_the_shared_arguments(command: str, capsys: Capture) -> None:
    help_text = ttsr_ls(capsys, command, "--help").out
    assert "-q, --quiet" in help_text
    assert "--color {auto,always,never}" in help_text
    if command in REPORTING_ACTIONS:
        help_text = ttsr_ls(capsys, command, REPORTING_ACTIONS[command], "--help").out
    has_formats = "--format" in help_text and "--json" in help_text
    assert has_formats == (command not in ACTIONS)


def test_the_arguments_stand_before_or_after_an_action(capsys: Capture, tmp_path: Path) -> None:
    for arguments in (["--color", "always", "status", "--quiet"], ["status", "--color", "always"]):
        assert "is not running" in ttsr_ls(capsys, "hooks", *arguments).out
    assert not (tmp_path / "home" / ".local").exists()


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        (["scan", "a.ts"], "a.ts\n  1:6-11  any  let a: any;\n\n"),
        (["test", ".omp/rules"], ""),
        (["check", ".omp/rules/any.md"], ""),
        (["list"], "NAME  BUCKET  PROVIDER  WHY\nany   ttsr    native    fires on /: any\\b/ in tool:edit(*.ts)\n"),
    ],
)
def test_quiet_leaves_the_result(arguments: list[str], left: str, capsys: Capture) -> None:
    loud, quiet = ttsr_ls(capsys, *arguments), ttsr_ls(capsys, *arguments, "--quiet")
    assert loud.status == quiet.status
    assert len(loud.out) > len(quiet.out)
    assert quiet.out == left


def test_quiet_hides_no_error(capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "check", "--quiet", "gone")
    assert (ran.status, ran.err) == (2, "ttsr-ls: there is no file or folder gone\n")


def test_colours_are_chosen(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("check", ".omp/rules/bad.md")
    assert "\x1b[" not in ttsr_ls(capsys, *arguments).out
    assert "\x1b[1;31m" in ttsr_ls(capsys, *arguments, "--color", "always").out
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" not in ttsr_ls(capsys, *arguments, "--color=never").out
    assert "\x1b[1;31m" in ttsr_ls(capsys, *arguments).out


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "."],
        ["test", "."],
        ["test", "let a: any;", "--path", "a.ts"],
        ["scan", "a.ts"],
        ["list", "--all"],
        ["why", "any"],
        ["explain"],
        ["explain", "empty-body"],
        ["explain", ".omp/rules/any.md"],
        ["convert", ".omp/rules/any.md", "--to", "cursor"],
        ["hooks", "status"],
    ],
)
def test_json_is_short_for_the_format(arguments: list[str], capsys: Capture) -> None:
    short, named = (ttsr_ls(capsys, *arguments, *choice) for choice in (["--json"], ["--format", "json"]))
    assert short.out == named.out
    assert json.loads(short.out)
    assert short.status == ttsr_ls(capsys, *arguments).status
    ran = ttsr_ls(capsys, *arguments, "--format", "text", "--json")
    assert ran.status == 2
    assert "--json and --format text cannot be combined" in ran.err


def test_statistics_count_findings_and_matches(capsys: Capture, project: Path) -> None:
    write(project, {"b.ts": "let a: any; let b: any;\n", ".omp/rules/worse.md": "---\ncondition: '['\n---\nx\n"})
    assert ttsr_ls(capsys, "scan", ".", "--statistics").out == "3  any  warning  2 files\n"
    write(project, {".omp/rules/unknown.md": "---\ncondition: x\nscop: text\n---\nx\n"})
    lines = ttsr_ls(capsys, "check", "--statistics").out.splitlines()
    assert {"error", "warning"} <= {line.split()[2] for line in lines}
    assert len({line.index(" file") - len(line.split()[3]) for line in lines}) == 1, "the columns are aligned"
    ran = ttsr_ls(capsys, "check", "--statistics", "--json")
    counted = {load["code"]: load for load in json.loads(ran.out)}
    assert counted["regex-does-not-compile"] == {
        "code": "regex-does-not-compile",
        "severity": "error",
        "findings": 2,
        "files": 2,
    }
    assert ran.status == 1
    for command in ("check", "scan"):
        ran = ttsr_ls(capsys, command, ".", "--statistics", "--format", "sarif")
        assert (ran.status, ran.out) == (2, "")
        assert "--statistics supports the formats text and json, not sarif" in ran.err


def test_the_version_for_a_bug_report_has_no_secrets(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    ran = ttsr_ls(capsys, "--version", "--verbose")
    lines = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert lines["ttsr-ls"] == __version__
    assert {"Python", "system", "terminal", "msgspec", "ast-grep-py", "pyyaml"} <= lines.keys()
    assert "sk-secret" not in ran.out
    assert ttsr_ls(capsys, "-V", "--no-such").status == 2
