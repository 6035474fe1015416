"""`new`: writes a rule that has only findings of an unedited template, and replaces no file."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls.ide.scaffold import SCAFFOLDS, sample_of
from ttsr_ls.ide.template_language import DEFAULT_LANGUAGE

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ([], ".omp/rules/no-any.md"),
        (["--dialect", "pi-ttsr"], ".pi/rules/no-any.md"),
        (["--template", "ast"], ".omp/rules/no-any.md"),
        (["--template", "question"], ".omp/rules/no-any.md"),
        (["--template", "pi-ttsr"], ".pi/rules/no-any.md"),
        (["--dir", "rules"], "rules/no-any.md"),
        (["--dir", "deep/er/.agents/rules"], "deep/er/.agents/rules/no-any.md"),
    ],
)
def test_a_new_rule_has_only_findings_of_an_unedited_template(
    arguments: list[str], path: str, project: Path, capsys: Capture
) -> None:
    ran = ttsr_ls(capsys, "new", "no-any", *arguments)
    assert (ran.status, ran.out.splitlines()[0], ran.err) == (0, path, "")
    found = json.loads(ttsr_ls(capsys, "check", "--format", "json", path).out)
    assert {each["code"] for each in found} == {"untouched-template"}
    assert ttsr_ls(capsys, "check", "--ignore", "untouched-template", path).out == "No findings in 1 file.\n"


@pytest.mark.parametrize("template", [each.id for each in SCAFFOLDS if sample_of(each, DEFAULT_LANGUAGE) is not None])
def test_next_steps_work(template: str, project: Path, capsys: Capture) -> None:
    shown = ttsr_ls(capsys, "new", "no-any", "--template", template).out.splitlines()
    [command] = [line for line in shown if line.startswith("  ttsr-ls ")]
    assert ttsr_ls(capsys, *shlex.split(command)[1:], "--expect-fire").status == 0
    tests = shown[-1].removeprefix("Its tests belong in ").removesuffix(".")
    sample = next(sample_of(scaffold, DEFAULT_LANGUAGE) for scaffold in SCAFFOLDS if scaffold.id == template)
    path = ", path: a.ts" if template == "ast" else ""
    write(project, {tests: f"invalid: [{{text: '{sample}'{path}}}]\n"})
    assert "1 passed." in ttsr_ls(capsys, "test", tests).out
    assert ttsr_ls(capsys, "new", "quiet", "--quiet").out == ".omp/rules/quiet.md\n"


SUFFIXES = "ts tsx js mjs py go rs java kt scala swift rb php cs c cpp cc dart lua ex"


@pytest.mark.parametrize("suffix", SUFFIXES.split())
def test_new_rule_is_for_the_language_of_the_project(suffix: str, project: Path, capsys: Capture) -> None:
    # Ignored files do not count for the language.
    write(project, {f"src/main.{suffix}": "", ".gitignore": "build/\n", "README.md": "", "conf.json": "{}"})
    write(project, {f"build/{number}.xyz.{'go' if suffix == 'py' else 'py'}": "" for number in range(9)})
    ttsr_ls(capsys, "new", "plain")
    text = (project / ".omp/rules/plain.md").read_text()
    assert f"scope: text, tool:edit(*.{suffix}), tool:write(*.{suffix})\n" in text
    shown = ttsr_ls(capsys, "new", "tree", "--template", "ast").out.splitlines()
    [command] = [line for line in shown if line.startswith("  ttsr-ls ")]
    assert ttsr_ls(capsys, *shlex.split(command)[1:], "--expect-fire").status == 0
    assert ttsr_ls(capsys, "check", "--ignore", "untouched-template").out == "No findings in 2 files.\n"


def test_templates_are_listed_without_a_name(project: Path, capsys: Capture) -> None:
    listed = ttsr_ls(capsys, "new", "--list").out.splitlines()
    assert [line.split()[0] for line in listed] == [scaffold.id for scaffold in SCAFFOLDS]
    assert ttsr_ls(capsys, "new").err == "ttsr-ls: name the rule, as in: ttsr-ls new no-console-log\n"
    assert "has no template 'ast'" in ttsr_ls(capsys, "new", "a", "--dialect", "pi-ttsr", "--template", "ast").err
    assert list(project.iterdir()) == []


def test_new_rule_is_listed(project: Path, capsys: Capture) -> None:
    ttsr_ls(capsys, "new", "no-any")
    assert "no-any" in ttsr_ls(capsys, "list").out


@pytest.mark.parametrize("name", ["no-any.md", "no-any.mdc"])
def test_existing_rule_is_left_alone(name: str, project: Path, capsys: Capture) -> None:
    write(project, {f".omp/rules/{name}": "mine"})
    ran = ttsr_ls(capsys, "new", "no-any")
    assert (ran.status, ran.out) == (2, "")
    assert name in ran.err
    assert [path.read_text() for path in (project / ".omp/rules").iterdir()] == ["mine"]


def test_link_is_not_followed(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/other.md": "x"})
    (project / ".omp/rules/no-any.md").symlink_to(project / "elsewhere.md")
    assert ttsr_ls(capsys, "new", "no-any").status == 2
    assert not (project / "elsewhere.md").exists()


def test_bad_name_writes_nothing(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "new", "../no-any")
    assert (ran.status, ran.out) == (2, "")
    assert "is not a valid name for a rule" in ran.err
    assert list(project.iterdir()) == []


def test_a_folder_that_cannot_be_created_is_reported(project: Path, capsys: Capture) -> None:
    write(project, {"rules": "a file"})
    ran = ttsr_ls(capsys, "new", "no-any", "--dir", "rules/mine")
    assert ran.status == 2
    assert "cannot write" in ran.err
    ran = ttsr_ls(capsys, "new", "no-any", "--dir", "rules")
    assert ran.err == "ttsr-ls: cannot write rules/no-any.md: rules is not a folder\n"


def test_a_name_that_another_rule_has_is_reported(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/no-any.md": "---\ncondition: foo\n---\nSay so.\n"})
    ran = ttsr_ls(capsys, "new", "no-any", "--dir", ".agents/rules")
    assert ran.status == 1
    assert "warning shadowed-name: This rule is never loaded" in ran.out
