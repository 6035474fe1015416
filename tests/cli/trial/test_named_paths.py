"""`test` distinguishes a misspelt path from a text, and refuses arguments that it would not use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Ran, ttsr_ls, write

Capture = pytest.CaptureFixture[str]

RULE = "---\ncondition: foo\n---\nNo.\n"
TEST = "valid: [bar]\ninvalid: [foo]\n"


@pytest.fixture
def rules(project: Path) -> Path:
    write(project, {".omp/rules/foo.md": RULE, ".omp/rules/foo.test.yml": TEST})
    return project


def run(capsys: Capture, *args: str) -> Ran:
    return ttsr_ls(capsys, "test", *args)


@pytest.mark.parametrize("name", [".omp/rulez", "foo.test.yml", ".omp/rules/fooo.test.yaml"])
def test_a_path_of_missing_tests_is_refused(rules: Path, capsys: Capture, name: str) -> None:
    ran = run(capsys, name)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"ttsr-ls: there is no file or folder {name}; to test it as a text, add --source text\n"
    assert run(capsys, name, "--source", "text").status == 0


@pytest.mark.parametrize("text", ["foo", "and/or", "in .omp/rulez", "a.test.yml b.test.yml", "foo/" * 2000, "/\0"])
def test_texts_that_look_like_paths_are_tested_as_texts(rules: Path, capsys: Capture, text: str) -> None:
    ran = run(capsys, text)
    assert ran.out.startswith("text, ")
    assert (ran.status, ran.err) == (0, "")


def test_a_rule_file_that_is_tried_as_a_text_has_a_note(rules: Path, capsys: Capture) -> None:
    note = "note: .omp/rules/foo.md is tried as a text; its tests are run by: ttsr-ls test --rule .omp/rules/foo.md\n"
    assert run(capsys, ".omp/rules/foo.md").err == f"ttsr-ls: {note}"
    assert run(capsys, ".omp/rules/foo.md", "--source", "text").err == ""
    assert run(capsys, ".omp/rules/foo.md", "--quiet").err == ""
    assert run(capsys, "--rule", ".omp/rules/foo.md").out.startswith(".omp/rules/foo.md ..\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a text", "--file", "a.ts"], "a text and --file cannot be combined"),
        (["--dialect", "omp"], "--dialect is for a text"),
        (["--rule", "foo", "--dialect", "omp"], "--dialect is for a text"),
        (["--answers", "2"], "--answers and --pause are for a text"),
        ([".omp", "--pause", "2"], "--answers and --pause are for a text"),
        (["foo", "--answers", "10001"], "write a whole number from 1 to 10000, not '10001'"),
    ],
)
def test_an_option_that_does_not_apply_is_refused(rules: Path, capsys: Capture, args: list[str], message: str) -> None:
    write(rules, {"a.ts": "foo"})
    ran = run(capsys, *args)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_the_summary_has_the_right_plural(rules: Path, capsys: Capture) -> None:
    shown = run(capsys, "x", "--verbose").out
    assert shown.startswith("text, 1 character: x\n")
    assert shown.endswith("0 of 1 rule fires.\n")
