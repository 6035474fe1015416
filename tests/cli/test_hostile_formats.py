"""Machine-readable formats escape hostile values by their own rules, and keep the exact values."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.cli.command import ttsr_ls, write
from tests.cli.hostile_project import BYTES_NAME, CONTROLS, ESCAPED_NAME, VALUE, check_output

Capture = pytest.CaptureFixture[str]


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize(
    "words",
    [
        ["check", "--format=json"],
        ["check", "--format=sarif"],
        ["list", "--json"],
        ["list", "--all", "--json"],
        ["test", "--json", VALUE],
        ["test", "--json", "-r", f"folder/{BYTES_NAME}.md", VALUE],
        ["why", "--json", "fires"],
        ["scan", "--json"],
    ],
)
def test_json_is_ascii_without_controls_and_has_the_values(words: list[str], capsys: Capture) -> None:
    ran = ttsr_ls(capsys, *words)
    check_output(ran.out + ran.err, words)
    assert ran.out.isascii()
    assert any("\x1b]0;o" in text for text in strings(json.loads(ran.out)))


def strings(value: object) -> Iterator[str]:
    """All strings of a JSON value."""
    match value:
        case str():
            yield unquote(value)
        case list():
            for item in value:
                yield from strings(item)
        case dict():
            yield from strings([*value, *value.values()])


@pytest.mark.usefixtures("hostile")
def test_junit_is_xml_and_names_the_files(capsys: Capture) -> None:
    root = ElementTree.fromstring(ttsr_ls(capsys, "check", "--format=junit").out)
    assert f"folder/{ESCAPED_NAME}" in "".join(case.get("classname", "") for case in root.iter("testcase"))


@pytest.mark.usefixtures("hostile")
def test_hostile_text_cannot_forge_workflow_commands(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    ran = ttsr_ls(capsys, "check", "--format=github", ".", "--select", "unknown-key")
    lines = ran.out.splitlines()
    assert lines
    assert all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in lines)
    write(Path(), {"a.md": "::stop-commands::x\n##[stop-commands]x\n##vso[x]y\n"})
    for words in (["convert", "a.md", "--from", "cline", "--to", "omp", "--diff"], ["check", "::add-mask::x"]):
        ran = ttsr_ls(capsys, *words)
        assert not re.search(r"^\s*::|##\w*\[", ran.err, re.MULTILINE)


def test_converted_text_in_a_pipe_is_not_escaped(hostile: Path, capsys: Capture) -> None:
    text = f"---\npaths: ['**']\n---\n{CONTROLS.replace(chr(13), '')}\n"
    (hostile / "exact.md").write_text(text, encoding="utf-8")
    ran = ttsr_ls(capsys, "convert", "exact.md", "--from", "cline", "--to", "cursor")
    assert CONTROLS.replace(chr(13), "") in ran.out


def test_a_hostile_file_name_cannot_forge_the_head_of_a_diff(hostile: Path, capsys: Capture) -> None:
    name = "a\n+++ b/evil.md"
    (hostile / name).parent.mkdir(parents=True)
    (hostile / name).write_text("---\nCondition: x\n---\nx\n")
    ran = ttsr_ls(capsys, "check", "--diff", "--unsafe-fixes", name)
    heads = [line for line in ran.out.splitlines() if line.startswith(("--- ", "+++ "))]
    assert heads == ['--- "a/a\\012+++ b/evil.md"', '+++ "b/a\\012+++ b/evil.md"']
    applied = subprocess.run(["git", "apply", "--check", "-"], input=ran.out, text=True, cwd=hostile, check=False)
    assert applied.returncode == 0
