"""AST conditions on the command line: tried on the text that a tool writes, and reported as skipped otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]

RULE = """---
condition: never-there
astCondition:
  - nothing($A)
  - $A as any
scope: tool:edit(*.ts), text
---
Name the type.
"""


@pytest.fixture(autouse=True)
def rule(project: Path) -> None:
    write(project, {".omp/rules/any.md": RULE})


def detail(capsys: Capture, *args: str) -> dict[str, Any]:
    report = json.loads(ttsr_ls(capsys, "test", *args, "--json").out)
    (found,) = report["triggered"] + report["notTriggered"]
    assert isinstance(found, dict)
    return {**found, "fires": bool(report["triggered"])}


def test_a_match_is_shown_with_its_condition(capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "test", "const a = b as any;", "--path", "a.ts")
    assert ran.out.splitlines()[2:4] == ["fires  any at 19: ast $A as any", "         …const a = b as any"]


def test_the_report_has_the_patterns_that_match(capsys: Capture) -> None:
    found = detail(capsys, "x = y as any", "--path", "a.ts")
    assert found["fires"]
    assert found["matched"] == {"regex": [], "ast": ["$A as any"]}
    assert "skippedAst" not in found


def test_patterns_are_tried_in_the_language_of_the_path(capsys: Capture) -> None:
    found = detail(capsys, "x = y as any", "--path", "a.json", "--source", "tool")
    assert not found["fires"]
    assert found["matched"]["ast"] == []


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--source", "text"], "only what a tool writes is parsed"),
        (["--source", "tool"], "no path with a file name extension is known"),
        (["--source", "tool", "--path", "Dockerfile"], "no path with a file name extension is known"),
        (["--path", "a.txt", "--source", "tool"], "files of this kind have no grammar"),
        (["--path", "a.toml"], "oh-my-pi has a grammar for files of this kind, ttsr-ls has none"),
    ],
)
def test_unparsed_text_is_reported(capsys: Capture, args: list[str], why: str) -> None:
    found = detail(capsys, "x as any", *args)
    assert (found["fires"], found["skippedAst"]) == (False, why)
    out = ttsr_ls(capsys, "test", "x as any", *args, "--verbose").out
    assert f"note: its AST conditions were not tried: {why}" in out


def test_check_reports_a_pattern_that_is_no_node(project: Path, capsys: Capture) -> None:
    write(project, {"one.md": RULE.replace("nothing($A)", "as any")})
    ran = ttsr_ls(capsys, "check", "one.md")
    assert ran.status == 1
    assert "one.md:4:5 error ast-several-nodes `as any` is not a single node in TypeScript" in ran.out
