"""`schema` prints the schemas by which editors complete."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *args: str) -> dict[str, object]:
    ran = ttsr_ls(capsys, "schema", *args)
    assert (ran.status, ran.err) == (0, "")
    schema = json.loads(ran.out)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    return schema


def test_of_the_configuration(project: Path, capsys: Capture) -> None:
    assert printed(capsys, "config")["title"] == "Configuration of ttsr-ls"


def test_the_schema_of_rules_has_the_title_of_the_dialect(project: Path, capsys: Capture) -> None:
    assert printed(capsys, "rule")["title"] == "Frontmatter of a rule for oh-my-pi"
    assert printed(capsys, "rule", "--dialect", "cursor")["title"] == "Frontmatter of a rule for Cursor"


def test_configuration_has_no_dialect(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "schema", "config", "--dialect", "omp")
    assert (ran.status, ran.out) == (2, "")
    assert "the configuration and the tests are the same for all dialects" in ran.err


@pytest.mark.parametrize(("subject", "name"), [("test", "rule-test"), ("config", "configuration")])
def test_the_published_schemas_are_current(project: Path, capsys: Capture, subject: str, name: str) -> None:
    published = Path(__file__).parents[2] / "docs" / "schemas" / f"{name}.json"
    assert printed(capsys, subject) == json.loads(published.read_text("utf-8"))
