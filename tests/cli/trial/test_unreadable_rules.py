"""`test` with rule files that cannot be read, or that are no rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]

ANY = "---\ncondition: ': any\\b'\nscope: tool:edit(src/**), text\n---\nName the type.\n"


@pytest.fixture
def rules(project: Path) -> Path:
    write(project, {".omp/rules/any.md": ANY})
    return project


@pytest.mark.parametrize("arguments", [["x: any"], ["x: any", "--expect-fire"], ["x: any", "--json"], ["x"]])
def test_an_unreadable_rule_file_makes_the_status_2(arguments: list[str], rules: Path, capsys: Capture) -> None:
    write(rules, {".omp/rules/large.md": ANY + "x" * 1024 * 1024})
    ran = ttsr_ls(capsys, "test", *arguments)
    assert ran.status == 2
    assert "large.md: it is larger than 1024 KiB" in ran.err
    assert "x" in ran.out


@pytest.mark.parametrize("arguments", [[], ["--expect-fire"], ["--json"]])
def test_without_a_readable_rule_the_status_is_2_as_well(arguments: list[str], project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/large.md": ANY + "x" * 1024 * 1024})
    ran = ttsr_ls(capsys, "test", "x: any", *arguments)
    assert ran.status == 2
    assert "large.md: it is larger than 1024 KiB" in ran.err
    assert "there are no rules here" in ran.out + ran.err
    (project / ".omp/rules/large.md").unlink()
    assert ttsr_ls(capsys, "test", "x: any", *arguments).status == 1


def test_a_binary_file_is_no_rule(rules: Path, capsys: Capture) -> None:
    (rules / "program").write_bytes(b"\x7fELF\2\1\1\0\0")
    ran = ttsr_ls(capsys, "test", "-r", "./program", "x: any")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("program: it is not a text file\n")
