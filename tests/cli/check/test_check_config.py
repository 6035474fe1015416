"""`check` with a configuration, and with a baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]

BAD = "---\ncondition: foo|\nname: x\n---\nSay so.\n"


def codes(capsys: Capture, *args: str) -> list[str]:
    found = json.loads(ttsr_ls(capsys, "check", *args, "--format", "json").out)
    return [f"{finding['path']} {finding['severity']} {finding['code']}" for finding in found]


def test_the_nearest_configuration_applies(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            "pyproject.toml": '[tool.ttsr-ls]\nignore = ["inert-name"]\nexclude = ["rules/old-*.md"]\n',
            "rules/a.md": BAD,
            "rules/old-a.md": BAD,
            "more/ttsr-ls.toml": '[severity]\ninert-name = "error"\n',
            "more/rules/b.md": BAD,
        },
    )
    assert codes(capsys, ".") == [
        "more/rules/b.md error matches-everything",
        "more/rules/b.md error inert-name",
        "rules/a.md error matches-everything",
    ]
    assert codes(capsys, "rules/old-a.md") == ["rules/old-a.md error matches-everything"]


def test_a_named_configuration_applies_to_all_files(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BAD, "ttsr-ls.toml": 'ignore = ["all"]', "ci/strict.toml": 'ignore = ["inert-name"]'})
    assert codes(capsys, "a.md") == []
    assert codes(capsys, "a.md", "--config", "ci/strict.toml") == ["a.md error matches-everything"]
    assert len(codes(capsys, "a.md", "--no-config")) == 2


def test_an_invalid_configuration_is_reported(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BAD, "ttsr-ls.toml": 'ignor = ["all"]'})
    ran = ttsr_ls(capsys, "check", "a.md")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        f"ttsr-ls: {project / 'ttsr-ls.toml'}: the configuration has a key `ignor` that does not exist; "
        "did you mean `ignore`?\n"
    )


def test_config_and_no_config_cannot_be_combined(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BAD})
    assert "cannot be combined" in ttsr_ls(capsys, "check", "a.md", "--config", "x.toml", "--no-config").err


def test_files_of_named_folders_are_rules(project: Path, capsys: Capture) -> None:
    rule = "---\ndescription: x\nconditions: x\n---\nSay so.\n"
    write(project, {"team/a.md": rule, "team/b/a.md": rule, "ttsr-ls.toml": 'rule-folders = ["team"]'})
    assert codes(capsys, ".") == ["team/a.md error unknown-key"]
    write(project, {"team/a.md": "---\ncondition: foo\n---\nSay so.\n"})
    listed = json.loads(ttsr_ls(capsys, "list", "--json").out)
    assert [rule["name"] for rule in listed] == ["a"]


def test_missing_rule_folders_of_the_configuration_are_reported(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": "---\ncondition: foo\n---\nSay so.\n", "ttsr-ls.toml": 'rule-folders = ["team", "."]'})
    message = f"names 'team' in rule-folders, but there is no folder {project / 'team'}.\n"
    for command in (("check", "a.md"), ("list",), ("test", "foo")):
        ran = ttsr_ls(capsys, *command)
        assert ran.err.count("rule-folders") == 1
        assert message in ran.err
    (project / "team").mkdir()
    assert "rule-folders" not in ttsr_ls(capsys, "check", "a.md").err


def test_an_override_sets_the_dialect_of_a_folder(project: Path, capsys: Capture) -> None:
    rule = "---\ntrigger: foo\n---\nSay so.\n"
    write(project, {"rules/a.md": rule, "pi/a.md": rule, "ttsr-ls.toml": ""})
    assert codes(capsys, "pi/a.md") != []
    write(project, {"ttsr-ls.toml": '[[overrides]]\npaths = ["pi/**"]\ndialect = "pi-ttsr"'})
    assert codes(capsys, "pi/a.md") == []
    assert codes(capsys, "rules/a.md") != []


def test_fixes_of_ignored_findings_are_not_applied(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BAD, "ttsr-ls.toml": 'ignore = ["inert-name"]'})
    ttsr_ls(capsys, "check", "--fix", "a.md")
    assert (project / "a.md").read_text() == BAD


def test_with_a_baseline_only_new_findings_are_reported(project: Path, capsys: Capture) -> None:
    write(project, {"rules/a.md": BAD})
    first = ttsr_ls(capsys, "check", ".", "--baseline", "base.json", "--write-baseline")
    assert first.status == 0
    assert first.out == "No findings in 1 file. 2 findings of the baseline not shown.\n"
    assert first.err == "ttsr-ls: wrote 2 findings to base.json\n"
    write(project, {"rules/a.md": BAD.replace("condition", "description: more\ncondition"), "rules/b.md": BAD})
    ran = ttsr_ls(capsys, "check", "rules", "--baseline", "base.json")
    assert ran.status == 1
    assert [line.split()[0] for line in ran.out.splitlines() if line.startswith("rules/")] == [
        "rules/b.md:2:12",
        "rules/b.md:3:1",
    ]


def test_a_missing_baseline_is_reported(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BAD})
    ran = ttsr_ls(capsys, "check", "a.md", "--baseline", "base.json")
    assert (ran.status, ran.out) == (2, "")
    assert "cannot read the baseline base.json" in ran.err
    assert "--baseline FILE" in ttsr_ls(capsys, "check", "a.md", "--write-baseline").err


def test_arguments_select_and_ignore_after_the_configuration(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BAD, "ttsr-ls.toml": 'ignore = ["matches-everything"]\n[severity]\ninert-name = "error"\n'})
    assert codes(capsys, "a.md", "--select", "matches-everything") == ["a.md error matches-everything"]
    assert codes(capsys, "a.md", "--select", "all", "--ignore", "matches-everything") == ["a.md error inert-name"]
    assert codes(capsys, "a.md", "--ignore", "inert-name, illegal-escape") == []
    assert len(codes(capsys, "a.md", "--select", "matches-everything", "--select", "inert-name")) == 2


def test_an_unknown_code_in_an_argument_is_refused(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BAD})
    ran = ttsr_ls(capsys, "check", "a.md", "--select", "inert_name")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("names a code `inert_name` that does not exist; did you mean `inert-name`?\n")


def test_without_a_path_the_current_folder_is_checked(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": BAD})
    assert len(codes(capsys)) == 2
