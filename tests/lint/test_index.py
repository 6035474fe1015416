"""The manual's index of findings matches the catalogue; `pytest tests/lint/test_index.py --update` writes it."""

from pathlib import Path

import pytest

from tests.lint.findings_index import findings_index

INDEX = Path(__file__).parents[2] / "docs" / "findings.md"


def test_index_is_current(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update", default=False):
        INDEX.write_text(findings_index())
    assert INDEX.read_text() == findings_index()
