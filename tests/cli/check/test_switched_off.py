"""`check`: the range of the setting that switches a rule off, in all formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

RULE = "---\ncondition: foo\n---\nSay so.\n"


@pytest.mark.parametrize(
    ("path", "text", "line", "first", "last"),
    [
        (".omp/config.yml", "ttsr:\r\n  disabledRules:\r\n    - '\U0001f642'\r\n    - a\r\n", 4, 7, 8),
        (".omp/settings.json", '{"ttsr":\n\t{"disabledRules": ["\U0001f642", "a"]}}', 2, 27, 30),
        (".omp/config.yml", "# Ours\ndisabledExtensions: ['rule:a']\n", 2, 22, 30),
        (".omp/config.yml", "disabledProviders:\n  [cursor,\n   native]\n", 3, 4, 10),
    ],
)
def test_a_switched_off_rule_names_the_range_of_the_setting(
    path: str, text: str, line: int, first: int, last: int, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {path: text, ".omp/rules/a.md": RULE})
    assert f"in {path}, line {line}, switches it off" in ttsr_ls(capsys, "check", ".").out
    (finding,) = json.loads(ttsr_ls(capsys, "check", ".", "--format", "json").out)
    assert finding["related"] == [
        {
            "message": "the setting",
            "path": path,
            "range": {
                "start": {"line": line - 1, "character": first - 1},
                "end": {"line": line - 1, "character": last - 1},
            },
        }
    ]
    log = json.loads(ttsr_ls(capsys, "check", ".", "--format", "sarif").out)
    (related,) = log["runs"][0]["results"][0]["relatedLocations"]
    assert related["physicalLocation"] == {
        "artifactLocation": {"uri": path},
        "region": {"startLine": line, "startColumn": first, "endLine": line, "endColumn": last},
    }
